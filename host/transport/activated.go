package transport

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strconv"
)

// firstActivated is the first descriptor that a service manager passes (sd_listen_fds(3)).
const firstActivated = 3

// Activated returns listeners for the sockets that systemd passed to this process, if any. They
// are bound by the rules of [Config.Listen]. Children are not told of them.
func (c *Config) Activated() ([]*Listener, error) {
	pid, _ := strconv.Atoi(os.Getenv("LISTEN_PID"))
	n, _ := strconv.Atoi(os.Getenv("LISTEN_FDS"))
	if pid != os.Getpid() {
		return nil, nil
	}
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} {
		os.Unsetenv(name)
	}
	var all []*Listener
	for fd := firstActivated; fd < firstActivated+n; fd++ {
		ln, err := c.activated(fd)
		if err != nil {
			for _, ln := range all {
				ln.Close()
			}
			return nil, fmt.Errorf("socket activation: descriptor %d: %w", fd, err)
		}
		all = append(all, ln)
	}
	return all, nil
}

// activated listens on a descriptor, which it closes: the listener has one of its own, which
// children do not inherit.
func (c *Config) activated(fd int) (*Listener, error) {
	file := os.NewFile(uintptr(fd), "activated")
	if file == nil {
		return nil, os.ErrInvalid
	}
	defer file.Close()
	ln, err := net.FileListener(file)
	if err != nil {
		return nil, err
	}
	if !listens(fd) {
		ln.Close()
		return nil, errors.New("the socket does not listen: want one of a unit with Accept=no")
	}
	a := Address{Network: "unix", Path: ln.Addr().String()}
	if tcp, ok := ln.Addr().(*net.TCPAddr); ok {
		a = Address{Network: "tcp"}
		ip := tcp.AddrPort().Addr().Unmap()
		if err := c.checkReach(a.Network, []netip.Addr{ip}); err != nil {
			ln.Close()
			return nil, err
		}
	}
	return c.listener(ln, a), nil
}
