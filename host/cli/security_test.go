package cli

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"triplex/host/internal/certtest"
)

// A web page can make a browser send an HTTP request to a local host, with a body of its choice.
func TestHTTPExecutesNothing(t *testing.T) {
	for _, framing := range []string{"auto", "content-length", "newline"} {
		t.Run(framing, func(t *testing.T) {
			p := start(t, "serve", "--listen", anyPort, "--framing", framing, "--mount", "witness")
			created := filepath.Join(t.TempDir(), "created")
			message := request(1, "create", fmt.Sprintf("[%q]", created))
			framed := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
			const post = "POST / HTTP/1.1\r\nHost: localhost\r\n"
			for name, sent := range map[string]string{
				"plain":             post + "Content-Length: 0\r\n\r\n",
				"message as body":   post + framed,
				"message on a line": post + "\r\n\n" + message,
				"pipelined":         post + framed + post + framed + message,
				"no header":         "POST / HTTP/1.1\r\n" + framed,
				"short line end":    "GET /" + strings.Repeat("a", 5000) + " HTTP/1.0\n" + message,
			} {
				conn := p.dial()
				io.WriteString(conn, sent)
				got, _ := io.ReadAll(conn)
				if n := strings.Count(string(got), `"jsonrpc"`); n > 1 {
					t.Errorf("%s: the host answered %d times: %s", name, n, got)
				}
			}
			if _, err := os.Stat(created); err == nil {
				t.Error("a message was executed")
			}
			conn := p.dial() // the witness can tell
			if framing == "content-length" {
				message = framed
			}
			io.WriteString(conn, message)
			conn.(*net.TCPConn).CloseWrite()
			io.Copy(io.Discard, conn)
			if _, err := os.Stat(created); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, address, advice string }{
		{"wildcard", "tcp://0.0.0.0:0", "--tls-client-ca"},
		{"wildcard of IPv6", "tcp://[::]:0", "--tls-client-ca"},
		{"wildcard without host", "tcp://:0", "--tls-client-ca"},
		{"a file", "unix://" + taken, "choose another path"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, stderr, status := run(t, "", "serve", "--listen", anyPort, "--listen", tc.address)
			if status != exitFailure || !strings.Contains(stderr, tc.advice) {
				t.Errorf("exit status %d: %s", status, stderr)
			}
		})
	}
}

func TestSocketOfAnotherUserIsRefused(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	ln.Close()
	if err := os.Chown(socket, 65534, 65534); err != nil {
		t.Skip("only root can give files away")
	}
	_, stderr, status := run(t, "", "serve", "--listen", "unix://"+socket)
	if status != exitFailure || !strings.Contains(stderr, "belongs to user 65534") {
		t.Errorf("exit status %d: %s", status, stderr)
	}
}

func TestProcessOfAnotherUserIsRefused(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("it takes root and setpriv to run a process of another user")
	}
	const script = `exec 3<>/dev/tcp/127.0.0.1/$0 && printf '%s\n' "$1" >&3 && head -n 1 <&3`
	ask := func(p *program) string {
		_, port, _ := strings.Cut(p.address(), "127.0.0.1:")
		out, _ := exec.Command(setpriv, "--reuid=65534", "--regid=65534", "--clear-groups",
			"timeout", "60", "bash", "-c", script, port, strings.TrimSpace(request(1, "echo", "[1]")),
		).Output()
		return string(out)
	}
	p := start(t, "serve", "--listen", anyPort)
	if got := ask(p); got != "" {
		t.Errorf("the other user read %q", got)
	}
	p.line("--allow-other-users")
	p = start(t, "serve", "--listen", anyPort, "--allow-other-users")
	if got := ask(p); got != answer(1, "[1]") {
		t.Errorf("allowed, the other user read %q", got)
	}
}

func TestTLSWantsAClientCertificate(t *testing.T) {
	authority := certtest.New(t)
	cert, key := authority.Issue()
	p := start(t, "serve", "--listen", "tcp://0.0.0.0:0",
		"--tls-cert", cert, "--tls-key", key, "--tls-client-ca", authority.File)
	address := strings.Replace(p.address(), "0.0.0.0", "127.0.0.1", 1)
	out, stderr, status := run(t, "", "call", address, "echo", "[1]",
		"--tls-cert", cert, "--tls-key", key, "--tls-ca", authority.File)
	if out != "[1]\n" || status != 0 {
		t.Errorf("with a certificate: %q, exit status %d: %s", out, status, stderr)
	}
	stranger := certtest.New(t)
	otherCert, otherKey := stranger.Issue()
	for name, args := range map[string][]string{
		"without TLS": nil,
		"with another authority's certificate": {
			"--tls-cert", otherCert, "--tls-key", otherKey, "--tls-ca", authority.File,
		},
	} {
		args = append([]string{"call", address, "echo", "[1]"}, args...)
		if out, _, status := run(t, "", args...); out != "" || status != exitFailure {
			t.Errorf("%s: %q, exit status %d", name, out, status)
		}
	}
}
