package cli

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"triplex/host/internal/certtest"
)

func TestCall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "params")
	if err := os.WriteFile(file, []byte(" [3]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name   string
		args   []string // ADDR stands for the server's address
		stdin  string
		out    string
		errs   string // in standard error
		status int
	}{
		{name: "result", args: []string{"ADDR", "add", "[1,2]"}, out: "3\n"},
		{name: "no params", args: []string{"ADDR", "echo"}, out: "null\n"},
		{name: "bytes as they came", args: []string{"ADDR", "echo", `{"b":1.50,"a":"\u00e9"}`},
			out: `{"b":1.50,"a":"\u00e9"}` + "\n"},
		{name: "params in a file", args: []string{"ADDR", "echo", "@" + file}, out: "[3]\n"},
		{name: "params on stdin", args: []string{"ADDR", "echo", "-"}, stdin: "[4]", out: "[4]\n"},
		{name: "newline", args: []string{"ADDR", "echo", "[5]", "--framing=newline"}, out: "[5]\n"},
		{name: "notification", args: []string{"ADDR", "count", "--notify"}},
		{name: "error answer", args: []string{"ADDR", "fail", `{"code":7,"message":"no","data":[1]}`},
			errs: "error 7: no (data: [1])", status: exitFailure},
		// The server used to have the terminal at its command.
		{name: "error for a terminal", args: []string{"ADDR", "fail",
			`{"code":7,"message":"a\u001b[31m\u009bb\ttab","data":"\u007f"}`},
			errs: `error 7: a\x1b[31m\u009bb` + "\ttab", status: exitFailure},
		{name: "unknown method", args: []string{"ADDR", "ecoh"}, errs: "error -32601",
			status: exitFailure},
		{name: "answered", args: []string{"ADDR", "ask", `{"method":"x"}`, "--answer", `x={"y":1}`},
			out: `{"y":1}` + "\n"},
		{name: "not answered", args: []string{"ADDR", "ask", `{"method":"x"}`},
			errs: "error -32601", status: exitFailure},
		{name: "notifications", args: []string{"ADDR", "tell",
			`{"method":"n","params":[1],"times":3}`, "--wait-notifications", "2"},
			out: `{"method":"n","params":[1]}` + "\n" + `{"method":"n","params":[1]}` + "\n3\n"},
		{name: "timeout", args: []string{"ADDR", "sleep", `{"ms":60000}`, "--timeout", "100ms"},
			errs: "gave up after 100ms", status: exitFailure},
		{name: "handshake", args: []string{"ADDR", "counted", "--as", "polite"}, out: "1\n",
			errs: "bye", status: exitFailure},
		// A server that ended the session because it was called to counted as one that failed.
		{name: "the server left first", args: []string{"ADDR", "counted", "--as", "curt"}, out: "0\n"},
		{name: "nobody listens", args: []string{"tcp://127.0.0.1:1", "echo"},
			errs: "connect to tcp://127.0.0.1:1: no host listens there (connection refused); to start " +
				"one: testhost serve --listen tcp://127.0.0.1:1", status: exitFailure},
		{name: "no socket", args: []string{"unix:///no/such", "echo"},
			errs: "no host listens there (no such file or directory)", status: exitFailure},
		{name: "no handshake", args: []string{"ADDR", "fail", `{"code":-32002,"message":"first"}`},
			errs: "error -32002: first; --as DIALECT does that", status: exitFailure},
		{name: "another protocol's error", args: []string{"ADDR", "fail", "--as", "polite",
			`{"code":-32002,"message":"no"}`}, errs: "error -32002: no\n", status: exitFailure},
		{name: "spawned", args: []string{"add", "[1,2]", "--", os.Args[0], "serve"}, out: "3\n"},
		{name: "spawned on a port", args: []string{"echo", "[1]", "--", os.Args[0], "serve",
			"--listen", "tcp://127.0.0.1:${port}"}, out: "[1]\n"},
		{name: "spawned in vain", args: []string{"echo", "--", "false"},
			errs: "exited with status 1", status: exitFailure},
		{name: "nothing to spawn", args: []string{"echo", "--", "/no/such/program"},
			errs: "/no/such/program", status: exitFailure},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := append([]string{"call"}, tc.args...)
			if i := slices.Index(args, "ADDR"); i >= 0 {
				args[i] = start(t, "serve", "--listen", anyPort).address()
			}
			out, errs, status := run(t, tc.stdin, args...)
			if out != tc.out || status != tc.status {
				t.Errorf("got %q, exit status %d; want %q, %d", out, status, tc.out, tc.status)
			}
			if !strings.Contains(errs, tc.errs) || tc.errs == "" && strings.Contains(errs, "testhost:") {
				t.Errorf("standard error has %q, want %q in it", errs, tc.errs)
			}
		})
	}
}

func TestSessions(t *testing.T) {
	for _, framing := range []string{"auto", "content-length", "newline"} {
		t.Run(framing, func(t *testing.T) {
			p := start(t, "serve", "--stdio", "--listen", anyPort, "--framing", framing)
			message := request(1, "echo", "[1]")
			if framing != "newline" {
				message = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
				framing = "content-length"
			}
			fmt.Fprint(p.stdin, message)
			p.stdout.Peek(1)
			out, errs, status := run(t, "", "sessions", p.address())
			if status != 0 {
				t.Fatalf("exit status %d: %s", status, errs)
			}
			lines := strings.Split(strings.TrimSpace(out), "\n")
			fields := strings.Fields(lines[len(lines)-1])
			if len(lines) != 2 || len(fields) != 8 {
				t.Fatalf("want a title and one session of eight columns:\n%s", out)
			}
			got := append(fields[:3:3], fields[4:7]...)
			want := []string{"stdio", "plain", framing, "1", "0", fmt.Sprint(len(message))}
			if !slices.Equal(got, want) {
				t.Errorf("the session is %q, want %q", got, want)
			}
		})
	}
}

func TestSessionsOfAHostThatSpeaksNoJSONRPC(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--mount", "marked")
	p.dial()
	waitForSessions(t, p.address(), 1)
}

// listenOnce serves the next connection to an address in the framing of lines, and returns it.
func listenOnce(t *testing.T, serve func(conn net.Conn, lines *bufio.Scanner)) (address string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	t.Cleanup(func() {
		ln.Close()
		served.Wait()
	})
	served.Go(func() {
		conn, err := ln.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		serve(conn, bufio.NewScanner(conn))
	})
	return "tcp://" + ln.Addr().String()
}

func TestCallThatWaitsForTooManyNotifications(t *testing.T) {
	address := listenOnce(t, func(conn net.Conn, lines *bufio.Scanner) {
		lines.Scan()
		io.WriteString(conn, answer(1, "null"))
	})
	out, errs, status := run(t, "", "call", address, "echo", "--framing=newline",
		"--wait-notifications", "1")
	if status != exitFailure || out != "null\n" || !strings.Contains(errs, "--wait-notifications") {
		t.Errorf("got %q, %s, exit status %d", out, errs, status)
	}
}

// A server that exits in order used to be reported as a broken pipe.
func TestCallOfAServerThatEnds(t *testing.T) {
	_, errs, status := run(t, "", "call", "echo", "--", "true")
	if status != exitFailure || !strings.Contains(errs, "the server ended, with exit status 0") {
		t.Errorf("%s, exit status %d", errs, status)
	}
}

// An error of the handshake used to look like one of the request.
func TestCallOfAServerThatRefusesTheHandshake(t *testing.T) {
	_, errs, status := run(t, "", "call", "--as", "mcp", "tools/list", "--", os.Args[0], "serve",
		"--framing", "newline")
	if status != exitFailure || !strings.Contains(errs, "handshake: error -32601") {
		t.Errorf("%s, exit status %d", errs, status)
	}
}

// A server of another protocol used to be told that its answer was damaged, which was damaged to
// it, and so on.
func TestDamagedAnswersAreNotAnswered(t *testing.T) {
	received := make(chan int, 1)
	address := listenOnce(t, func(conn net.Conn, lines *bufio.Scanner) {
		n := 0
		for ; lines.Scan(); n++ {
			io.WriteString(conn, `{"type":"error"}`+"\n"+answer(1, "1"))
		}
		received <- n
	})
	out, errs, _ := run(t, "", "call", address, "echo", "--framing=newline")
	if n := <-received; n != 1 || out != "1\n" {
		t.Errorf("the server was sent %d messages, and the result is %q: %s", n, out, errs)
	}
}

// A host that listens with TLS used to keep its sessions from its own user, who could not even ask.
func TestSessionsOfAHostWithTLS(t *testing.T) {
	authority := certtest.New(t)
	cert, key := authority.Issue()
	p := start(t, "serve", "--stdio", "--listen", anyPort,
		"--tls-cert", cert, "--tls-key", key, "--tls-client-ca", authority.File)
	out, errs, status := run(t, "", "sessions", p.address(),
		"--tls-cert", cert, "--tls-key", key, "--tls-ca", authority.File)
	if status != 0 || !strings.Contains(out, "stdio") {
		t.Errorf("%s%s, exit status %d", out, errs, status)
	}
	if _, errs, status = run(t, "", "sessions", p.address()); status != exitFailure {
		t.Errorf("without TLS: exit status %d: %s", status, errs)
	}
}

// What a host says of itself is for its own user; who is behind standard input may be anybody.
func TestSessionsAreNotForStdio(t *testing.T) {
	out, _, _ := run(t, request(1, listSessions.Method, "[]"), "serve")
	if !strings.Contains(out, "-32601") {
		t.Errorf("got %s", out)
	}
}

// Every way to ask used to be tried on a server that says nothing.
func TestSessionsOfASilentServer(t *testing.T) {
	address := listenOnce(t, func(_ net.Conn, lines *bufio.Scanner) {
		for lines.Scan() {
		}
	})
	_, errs, status := run(t, "", "sessions", address)
	if status != exitFailure || !strings.Contains(errs, "said nothing") {
		t.Errorf("exit status %d: %s", status, errs)
	}
}

func TestSessionsOfSomethingElse(t *testing.T) {
	_, errs, status := run(t, "", "sessions", "tcp://127.0.0.1:1")
	if status != exitFailure || !strings.Contains(errs, "refused") {
		t.Errorf("exit status %d: %s", status, errs)
	}
}
