package host_test

import (
	"errors"
	"net"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// listening makes h serve a free port. At the end of the test h is closed, and Serve has to have
// returned for that reason.
func listening(t testing.TB, h *host.Host) (*host.Host, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(ln) }()
	t.Cleanup(func() {
		h.Close()
		if err := <-served; !errors.Is(err, host.ErrHostClosed) {
			t.Errorf("serve: %v", err)
		}
	})
	return h, ln.Addr().String()
}

func connect(t testing.TB, address string) *net.TCPConn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.(*net.TCPConn)
}

// dial returns a peer of a host that listens on address.
func dial(t testing.TB, address string, f framing.Framing) *hosttest.Peer {
	t.Helper()
	return hosttest.NewPeer(t, connect(t, address), f)
}
