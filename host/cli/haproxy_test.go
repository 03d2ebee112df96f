package cli

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// freePort returns a loopback address that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// connect dials an address until somebody listens there.
func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.SetDeadline(time.Now().Add(patience))
			t.Cleanup(func() { conn.Close() })
			return conn
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestBehindHAProxy(t *testing.T) {
	haproxy, err := exec.LookPath("haproxy")
	if err != nil {
		t.Skip("haproxy is not installed")
	}
	a, b := start(t, "serve", "--listen", anyPort), start(t, "serve", "--listen", anyPort)
	front := freePort(t)
	balancer := exec.Command(haproxy, "-f", "../../testdata/haproxy.cfg")
	balancer.Env = append(os.Environ(), "TRIPLEX="+front,
		"HOST_A="+strings.TrimPrefix(a.address(), "tcp://"),
		"HOST_B="+strings.TrimPrefix(b.address(), "tcp://"))
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		balancer.Process.Kill()
		balancer.Wait()
	}()
	for id := range 4 {
		conn := connect(t, front)
		roundTrip(t, conn, bufio.NewReader(conn), id)
	}
	waitForSessions(t, a.address(), 2)
	waitForSessions(t, b.address(), 2)
}
