package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"syscall"
)

// Config says who may connect. The zero value lets in processes of the host's own user, from this
// machine.
type Config struct {
	// TLS secures all but unix sockets. For tcp it must require client certificates, see
	// [ServerTLS]; then addresses that are not loopback are allowed as well.
	TLS *tls.Config
	// AllowRemote lets in other machines without a certificate. It is for what gives nothing away
	// and does nothing, such as counters, and for what asks for a secret itself.
	AllowRemote bool
	// AllowOtherUsers lets in local processes of other users.
	AllowOtherUsers bool
	// Logger is told of connections that were refused; nil discards it.
	Logger *slog.Logger
}

// Listener accepts the connections that its [Config] allows. One that is known to be of a process
// of the host's own user says so with a method SameUser() bool. A Listener is safe for concurrent
// use; Close also removes the file of a unix socket.
type Listener struct {
	net.Listener
	// Address is what it listens on, with the real port.
	Address Address
}

// ErrReachable is why an address is refused that other machines can reach.
var ErrReachable = errors.New("other machines can reach it")

// Listen listens on an address. A name that stands for several IP addresses, as localhost may,
// gives one listener for each, all with the same port.
func (c *Config) Listen(ctx context.Context, a Address) ([]*Listener, error) {
	if a.Network == "unix" {
		ln, err := listenUnix(ctx, a.Path)
		if err != nil {
			return nil, fmt.Errorf("listen on %s: %w", a, err)
		}
		return []*Listener{c.listener(ln, a)}, nil
	}
	lns, err := c.listenTCP(ctx, a)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", a, err)
	}
	return lns, nil
}

// listener wraps ln; a is the address it was asked for.
func (c *Config) listener(ln net.Listener, a Address) *Listener {
	if tcp, ok := ln.Addr().(*net.TCPAddr); ok {
		a.Host, a.Port = tcp.AddrPort().Addr().Unmap().String(), tcp.AddrPort().Port()
	}
	log := c.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ln = userListener{ln, c.AllowOtherUsers, log}
	if c.TLS != nil && a.Network != "unix" {
		ln = newTLSListener(ln, c.TLS, log)
	}
	return &Listener{Listener: ln, Address: a}
}

func (c *Config) listenTCP(ctx context.Context, a Address) ([]*Listener, error) {
	ips, err := resolve(ctx, a.Host)
	if err != nil {
		return nil, err
	}
	if err := c.checkReach(a.Network, ips); err != nil {
		return nil, err
	}
	lns, err := listenAll(ctx, ips, a.Port)
	if err != nil {
		return nil, err
	}
	if !c.AllowOtherUsers {
		if err := checkLookup(lns[0]); err != nil {
			closeAll(lns)
			return nil, err
		}
	}
	var all []*Listener
	for _, ln := range lns {
		all = append(all, c.listener(ln, a))
	}
	return all, nil
}

// checkReach refuses addresses that other machines can reach, unless TLS keeps strangers out.
func (c *Config) checkReach(network string, ips []netip.Addr) error {
	switch {
	case c.AllowRemote:
		return nil
	case network == "tcp" && c.TLS != nil:
		if c.TLS.ClientAuth != tls.RequireAndVerifyClientCert {
			return errors.New("TLS without client certificates lets anybody in: " +
				"name the authority that signs them with --tls-client-ca")
		}
		return nil
	}
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return reachable(network, ip)
		}
	}
	return nil
}

// reachable says what to do about an address that must not be reached from outside.
func reachable(network string, ip netip.Addr) error {
	advice := "listen on a loopback address such as 127.0.0.1"
	if network == "tcp" {
		advice += ", or require client certificates with --tls-cert, --tls-key and --tls-client-ca"
	}
	return fmt.Errorf("%s: %w: %s", ip, ErrReachable, advice)
}

// resolve returns the addresses to listen on for host; none stands for every address there is.
func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if host == "" {
		return []netip.Addr{netip.IPv6Unspecified()}, nil
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{ip}, nil
	}
	found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if host == "localhost" && err != nil {
		// The name means loopback even where no table says so (RFC 6761, section 6.3).
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	if err != nil {
		return nil, err
	}
	var ips []netip.Addr
	for _, ip := range found {
		ips = append(ips, ip.Unmap())
	}
	return ips, nil
}

// portTries bounds the search for a port that is free on several addresses at once.
const portTries = 20

// listenAll listens on all of ips, with one port. If port is 0, the system chooses it for the
// first of them, which does not say that it is free on the others.
func listenAll(ctx context.Context, ips []netip.Addr, port uint16) ([]net.Listener, error) {
	tries := 1
	if port == 0 {
		tries = portTries
	}
	var lns []net.Listener
	var err error
	for range tries {
		lns, err = listenOnce(ctx, ips, port)
		if !errors.Is(err, syscall.EADDRINUSE) {
			return lns, err
		}
	}
	return nil, err
}

// listenOnce listens on all of ips that this machine has: a table of hosts may name ::1 where there
// is no IPv6.
func listenOnce(ctx context.Context, ips []netip.Addr, port uint16) ([]net.Listener, error) {
	var config net.ListenConfig
	config.SetMultipathTCP(false) // connections stay on this machine or behind a balancer
	var lns []net.Listener
	var missing error
	for _, ip := range ips {
		network := "tcp"
		if ip.Is4() {
			network = "tcp4" // or 0.0.0.0 would mean IPv6 too
		}
		ln, err := config.Listen(ctx, network, netip.AddrPortFrom(ip, port).String())
		switch {
		case err == nil:
			lns = append(lns, ln)
			port = ln.Addr().(*net.TCPAddr).AddrPort().Port()
		case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EAFNOSUPPORT):
			missing = err
		default:
			closeAll(lns)
			return nil, err
		}
	}
	if len(lns) == 0 {
		return nil, missing
	}
	return lns, nil
}

func closeAll(lns []net.Listener) {
	for _, ln := range lns {
		ln.Close()
	}
}
