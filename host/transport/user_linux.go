package transport

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// checkUser fails unless conn's peer is a process of our own user.
func checkUser(conn net.Conn) error {
	uid, err := peerUser(conn)
	if err != nil {
		return err
	}
	if own := os.Geteuid(); int(uid) != own {
		return fmt.Errorf("the peer is a process of user %d, and the host serves user %d only "+
			"(--allow-other-users)", uid, own)
	}
	return nil
}

func peerUser(conn net.Conn) (uint32, error) {
	switch conn := conn.(type) {
	case *net.UnixConn:
		return unixUser(conn)
	case *net.TCPConn:
		if isRemote(conn) {
			return 0, errRemote
		}
		return tcpUser(conn)
	}
	return 0, fmt.Errorf("the user of a %T is not known", conn)
}

// unixUser returns the user of the process that connected conn.
func unixUser(conn *net.UnixConn) (uint32, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err == nil {
		err = credErr
	}
	if err != nil {
		return 0, fmt.Errorf("ask for the user of the peer: %w", err)
	}
	return cred.Uid, nil
}

// tcpUser returns the user who owns the other end of a connection within this machine. It asks
// the kernel for that one socket by its addresses (sock_diag(7)), which takes the same few
// microseconds however many sockets there are.
func tcpUser(conn *net.TCPConn) (uint32, error) {
	peer := conn.RemoteAddr().(*net.TCPAddr).AddrPort()
	self := conn.LocalAddr().(*net.TCPAddr).AddrPort()
	answer, err := socketDiag(diagRequest(peer, self))
	if errors.Is(err, unix.ENOENT) {
		return 0, errGone
	}
	if err != nil {
		return 0, fmt.Errorf("look up the user of the peer: %w", err)
	}
	return answer.user(self.Port())
}

// checkLookup fails if the kernel does not answer what [tcpUser] asks, as in some sandboxes: nobody
// could be let in then. It asks for ln itself.
func checkLookup(ln net.Listener) error {
	self := ln.Addr().(*net.TCPAddr).AddrPort()
	anybody := netip.AddrPortFrom(netip.IPv6Unspecified(), 0)
	if self.Addr().Unmap().Is4() {
		anybody = netip.AddrPortFrom(netip.IPv4Unspecified(), 0)
	}
	if _, err := socketDiag(diagRequest(self, anybody)); err != nil {
		return fmt.Errorf("this system does not tell whose a connection is (sock_diag: %w): listen "+
			"on a unix socket, or let in everybody on this machine with --allow-other-users", err)
	}
	return nil
}

// Offsets and sizes of sock_diag's structures (linux/inet_diag.h).
const (
	diagHeaderLen  = unix.SizeofNlMsghdr
	diagRequestLen = diagHeaderLen + 56 // inet_diag_req_v2
	diagMessageLen = 72                 // inet_diag_msg

	byFamily = 20 // SOCK_DIAG_BY_FAMILY
	noCookie = 0xFFFFFFFF
)

// diagRequest asks for the TCP socket that is connected from src to dst.
func diagRequest(src, dst netip.AddrPort) []byte {
	native, network := binary.NativeEndian, binary.BigEndian
	b := make([]byte, diagRequestLen)
	native.PutUint32(b[0:], diagRequestLen)
	native.PutUint16(b[4:], byFamily)
	native.PutUint16(b[6:], unix.NLM_F_REQUEST)
	r := b[diagHeaderLen:]
	r[0], r[1] = unix.AF_INET6, unix.IPPROTO_TCP
	if src.Addr().Unmap().Is4() {
		r[0] = unix.AF_INET
	}
	native.PutUint32(r[4:], noCookie) // all states
	network.PutUint16(r[8:], src.Port())
	network.PutUint16(r[10:], dst.Port())
	copy(r[12:28], src.Addr().Unmap().AsSlice())
	copy(r[28:44], dst.Addr().Unmap().AsSlice())
	native.PutUint32(r[48:], noCookie)
	native.PutUint32(r[52:], noCookie)
	return b
}

// diagMessage is the kernel's inet_diag_msg.
type diagMessage [diagMessageLen]byte

// user returns the owner of the socket, which must be connected to port. When nobody holds the
// socket any more the kernel reports user 0 for it, and without a connection it reports a socket
// that listens; neither says anything about the peer.
func (m *diagMessage) user(port uint16) (uint32, error) {
	connected := binary.BigEndian.Uint16(m[6:]) == port
	inode := binary.NativeEndian.Uint32(m[68:])
	if !connected || inode == 0 {
		return 0, errGone
	}
	return binary.NativeEndian.Uint32(m[64:]), nil
}

// socketDiag sends one request to the kernel's socket monitor and returns its answer.
func socketDiag(request []byte) (*diagMessage, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC,
		unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, err
	}
	// The kernel answers within Sendto, so there is nothing to wait for.
	answer := make([]byte, 1024)
	n, _, err := unix.Recvfrom(fd, answer, unix.MSG_DONTWAIT)
	if err != nil {
		return nil, err
	}
	return parseDiag(answer[:n])
}

func parseDiag(answer []byte) (*diagMessage, error) {
	if len(answer) < diagHeaderLen+4 {
		return nil, fmt.Errorf("short answer of %d bytes", len(answer))
	}
	body := answer[diagHeaderLen:]
	if kind := binary.NativeEndian.Uint16(answer[4:]); kind == unix.NLMSG_ERROR {
		return nil, syscall.Errno(-int32(binary.NativeEndian.Uint32(body)))
	}
	if len(body) < diagMessageLen {
		return nil, fmt.Errorf("short answer of %d bytes", len(answer))
	}
	return (*diagMessage)(body), nil
}
