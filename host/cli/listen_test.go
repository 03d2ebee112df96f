package cli

import (
	"bufio"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const anyPort = "tcp://127.0.0.1:0"

// h01: a server that took one connection at a time left the second editor hanging.
func TestSecondClientIsServed(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort)
	a, b := p.dial(), p.dial()
	readA, readB := bufio.NewReader(a), bufio.NewReader(b)
	io.WriteString(a, request(1, "sleep", `{"ms":100}`))
	io.WriteString(a, `{"jsonrpc":"2.0","method":"count"}`+"\n")
	roundTrip(t, b, readB, 1)
	io.WriteString(b, request(2, "counted", "[]"))
	expect(t, readB, answer(2, "0")) // what A counted is A's
	expect(t, readA, answer(1, `"done"`))
	io.WriteString(a, request(2, "counted", "[]"))
	expect(t, readA, answer(2, "1"))
}

// h03: an address used to be printed before anybody listened there.
func TestAnnouncedAddressIsOpen(t *testing.T) {
	for range 200 {
		p := start(t, "serve", "--listen", anyPort, "--log-level", "error", "--log-format", "json")
		p.dial()
		p.cmd.Process.Kill()
	}
}

// h05: after a lost connection the server used to be unusable until it was started again.
func TestLostConnection(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort)
	lost := p.dial()
	roundTrip(t, lost, bufio.NewReader(lost), 1)
	lost.(*net.TCPConn).SetLinger(0)
	lost.Close()
	held := p.dial()
	roundTrip(t, held, bufio.NewReader(held), 1)
	waitForSessions(t, p.address(), 1)

	address := p.address()
	p.cmd.Process.Kill()
	p.cmd.Wait()
	again := start(t, "serve", "--listen", address)
	conn := again.dial()
	roundTrip(t, conn, bufio.NewReader(conn), 1)
}

// waitForSessions waits until the host has n sessions.
func waitForSessions(t *testing.T, address string, n int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		out, stderr, _ := run(t, "", "sessions", address)
		if strings.Count(out, "\n") == n+1 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("there are not %d sessions: %s%s", n, out, stderr)
		}
	}
}

func TestSeveralAddresses(t *testing.T) {
	socket := "unix://" + filepath.Join(t.TempDir(), "s")
	p := start(t, "serve", "--stdio", "--listen", anyPort, "--listen", socket)
	roundTrip(t, p.stdin, p.stdout, 1)
	tcp := p.dial()
	roundTrip(t, tcp, bufio.NewReader(tcp), 1)
	p.line(socket)
	unix, err := net.Dial("unix", strings.TrimPrefix(socket, "unix://"))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close()
	roundTrip(t, unix, bufio.NewReader(unix), 1)

	p.stdin.Close() // the editor is done, and so is what it spawned
	p.want(0)
	if _, err := os.Stat(strings.TrimPrefix(socket, "unix://")); err == nil {
		t.Error("the socket's file is left")
	}
}

func TestSocketOfAKilledHostIsReplaced(t *testing.T) {
	socket := "unix://" + filepath.Join(t.TempDir(), "s")
	p := start(t, "serve", "--listen", socket)
	p.address()
	p.cmd.Process.Kill()
	p.cmd.Wait()
	conn := start(t, "serve", "--listen", socket).dial()
	roundTrip(t, conn, bufio.NewReader(conn), 1)
}

func TestDebuggersAddressIsOnStdout(t *testing.T) {
	const line = "DAP server listening at: 127.0.0.1:"
	p := start(t, "serve", "--listen", anyPort, "--mount", "debugger", "--mount", "echo")
	if got, _ := p.stdout.ReadString('\n'); !strings.HasPrefix(got, line) {
		t.Errorf("standard output has %q", got)
	}
	p = start(t, "serve", "--stdio", "--listen", anyPort, "--mount", "debugger")
	p.address()
	p.stdin.Close()
	if rest, _ := io.ReadAll(p.stdout); len(rest) > 0 {
		t.Errorf("beside the protocol, standard output has %q", rest)
	}
}

func TestMaxSessions(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--max-sessions", "1")
	first := p.dial()
	roundTrip(t, first, bufio.NewReader(first), 1)
	if rest, _ := io.ReadAll(p.dial()); len(rest) > 0 {
		t.Errorf("the second session reads %q", rest)
	}
	p.line("--max-sessions")
}
