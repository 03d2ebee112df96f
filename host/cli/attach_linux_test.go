package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"triplex/framing"
)

func TestAttachPassesMessages(t *testing.T) {
	for _, client := range []framing.Framing{framing.ContentLength, framing.Newline} {
		for _, host := range []framing.Framing{framing.ContentLength, framing.Newline} {
			t.Run(fmt.Sprintf("%s to %s", client, host), func(t *testing.T) {
				p := attachTo(t, []string{"--framing", host.String()}, "--host-framing", host.String())
				in := framing.NewReader(p.stdout, client, framing.Limits{})
				long := `["` + strings.Repeat("y", 1<<20) + `"]`
				for _, params := range []string{`[1.50]`, `{"x" : "é\n"}`, long} {
					go p.stdin.Write(client.Append(nil, []byte(trim(request(1, "echo", params)))))
					got, err := in.Next()
					if want := trim(answer(1, params)); string(got) != want || err != nil {
						t.Fatalf("got %.200s, %v, want %.200s", got, err, want)
					}
				}
				p.stdin.Close()
				p.want(exitOK)
			})
		}
	}
}

func trim(line string) string { return strings.TrimSuffix(line, "\n") }

// Messages of a session, each request with an id, or a seq, of its own.
const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`
	shutdown   = `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`
	exit       = `{"jsonrpc":"2.0","method":"exit"}`
	initDAP    = `{"seq":7,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}`
	disconnect = `{"seq":9,"type":"request","command":"disconnect"}`
)

// Whatever is between an editor and its server, the editor looks at the exit status (golang/go
// issue 51252).
func TestAttachExitsAsTheServerWould(t *testing.T) {
	tests := []struct {
		name, mount string
		messages    []string // each request is answered before the next message
		half        bool     // the client ends its side then
		status      int
	}{
		{"shutdown and exit", "language", []string{initialize, shutdown, exit}, false, 0},
		{"exit alone", "language", []string{initialize, exit}, false, 1},
		{"the end of input", "language", []string{initialize}, true, 1},
		{"the end of input after shutdown", "language", []string{initialize, shutdown}, true, 0},
		{"another protocol", "echo", []string{trim(request(1, "echo", "[]"))}, true, 0},
		{"disconnect", "adapter", []string{initDAP, disconnect}, false, 0},
		{"the end of a debugger's input", "adapter", []string{initDAP}, true, 0},
		{"nothing", "language", nil, true, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := attachTo(t, []string{"--mount", tt.mount})
			in := framing.NewReader(p.stdout, framing.ContentLength, framing.Limits{})
			for _, m := range tt.messages {
				p.stdin.Write(framing.ContentLength.Append(nil, []byte(m)))
				if m == exit {
					continue
				}
				if _, err := in.Next(); err != nil {
					t.Fatal(err)
				}
			}
			if tt.half {
				p.stdin.Close()
			}
			p.want(tt.status)
		})
	}
}

func TestAttachAnswersWhatWasPiped(t *testing.T) {
	h := start(t, "serve", "--listen", anyPort)
	input := request(1, "echo", "[1]") + request(2, "sleep", `{"ms":50}`)
	out, _, status := run(t, input, "attach", h.address())
	if out != answer(1, "[1]")+answer(2, `"done"`) || status != exitOK {
		t.Errorf("got %q, exit status %d", out, status)
	}
}

// TestAttachToAHostThatDies: attach used to exit with status 0, and without a word, as the kernel
// closes a connection just as a host does whose session has ended.
func TestAttachToAHostThatDies(t *testing.T) {
	tests := []struct {
		name, mount, message string
		signal               syscall.Signal
	}{
		{"plain", "echo", trim(request(1, "echo", "[]")), syscall.SIGKILL},
		{"a language server", "language", initialize, syscall.SIGKILL},
		{"a debug adapter", "adapter", initDAP, syscall.SIGKILL},
		{"told to end", "echo", trim(request(1, "echo", "[]")), syscall.SIGTERM},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, "serve", "--listen", anyPort, "--mount", tt.mount)
			p := start(t, "attach", h.address())
			p.stdin.Write(framing.ContentLength.Append(nil, []byte(tt.message)))
			in := framing.NewReader(p.stdout, framing.ContentLength, framing.Limits{})
			if _, err := in.Next(); err != nil {
				t.Fatal(err)
			}
			h.cmd.Process.Signal(tt.signal)
			p.line("closed the connection in the middle of the session")
			p.want(exitFailure)
		})
	}
}

func TestAttachToAHostThatIsGone(t *testing.T) {
	h := start(t, "serve", "--listen", anyPort)
	address := h.address()
	h.cmd.Process.Kill()
	h.exit()
	_, stderr, status := run(t, "", "attach", address)
	if status != exitFailure || !strings.Contains(stderr, "connect to "+address) {
		t.Errorf("exit status %d, %q", status, stderr)
	}
}

func TestAttachEndsWhenItsClientDoesNotListen(t *testing.T) {
	p := attachTo(t, nil)
	roundTrip(t, p.stdin, p.stdout, 1)
	p.out.Close()
	io.WriteString(p.stdin, request(2, "echo", "[]"))
	p.want(exitOK)
}

// TestAttachReadsWhatClientsSend has the cases of streams that real clients are known to send.
func TestAttachReadsWhatClientsSend(t *testing.T) {
	const params = `["größe"]`
	body := trim(request(1, "echo", params))
	header := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
	framed := string(framing.ContentLength.Append(nil, []byte(trim(answer(1, params)))))
	tests := []struct{ name, input, want string }{
		{"lines", body + "\n", answer(1, params)},
		{"headers", header + body, framed},
		{"line ends of Windows", body + "\r\n", answer(1, params)},
		{"a byte order mark", "\ufeff" + body + "\n", answer(1, params)},
		{"blank lines", "\n\r\n" + body + "\n", answer(1, params)},
		{"no last line end", body, answer(1, params)},
		{"header in another case", strings.ToLower(header) + body, framed},
		{"other headers", "Content-Type: a/b; charset=utf8\r\n" + header + body, framed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := attachTo(t, nil)
			for i := range len(tt.input) {
				p.stdin.WriteString(tt.input[i : i+1])
			}
			p.stdin.Close()
			got, _ := io.ReadAll(p.stdout)
			if string(got) != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			p.want(exitOK)
		})
	}
}

func TestAttachTellsItsClientOfDamage(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"a length in characters", "Content-Length: 52\r\n\r\n" +
			trim(request(1, "echo", `["größe"]`)) + "Content-Length: 4\r\n\r\nnull",
			"Content-Length 52"},
		{"no length", "Content-Type: x\r\n\r\n{}", "no Content-Length"},
		{"another protocol", "GET / HTTP/1.1\r\n\r\n", "HTTP request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, "serve", "--listen", anyPort)
			out, stderr, status := run(t, tt.input, "attach", h.address())
			if !strings.Contains(out, `"id":null,"error":{"code":-32700`) ||
				!strings.Contains(out, tt.want) || !strings.Contains(stderr, tt.want) ||
				status != exitFailure {
				t.Errorf("got %q and %q, exit status %d", out, stderr, status)
			}
		})
	}
}

func TestAttachUsage(t *testing.T) {
	tests := []struct{ args, want string }{
		{"attach", "want the ADDR of a host, or --start"},
		{"attach localhost:1", "did you mean tcp://localhost:1?"},
		{"attach tcp://localhost:1 tcp://localhost:2", "want one ADDR"},
		{"attach tcp://localhost:1 -- --mount echo", "want --start too"},
		{"attach --start -- --mount nothing", "unknown method set"},
		{"attach --start -- --stdio", "not for one in the background"},
		{"attach --start -- --lisen x", "unknown flag: --lisen"},
		{"attach --start -- word", `"word" is none`},
		{"attach --start -- --flavour x word", `"word" is none`}, // a flag of the method sets
		{"attach --framing lines tcp://localhost:1", "unknown framing"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
			_, stderr, status := run(t, "", strings.Fields(tt.args)...)
			if status != exitUsage || !strings.Contains(stderr, tt.want) {
				t.Errorf("exit status %d, %q, want %q", status, stderr, tt.want)
			}
		})
	}
}

// wantGone waits for the end of a process that is not a child.
func wantGone(t *testing.T, fd int) {
	t.Helper()
	n, err := 0, error(unix.EINTR)
	for err == unix.EINTR {
		n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 60_000)
	}
	if n != 1 {
		t.Errorf("the host goes on (%v)", err)
	}
}

// hostPID asks for the process id of the host.
func (p *program) hostPID() (pid int) {
	p.t.Helper()
	io.WriteString(p.stdin, request(1, "pid", "[]"))
	line, err := p.stdout.ReadString('\n')
	if err != nil {
		p.t.Fatal(err)
	}
	fmt.Sscanf(line, `{"jsonrpc":"2.0","id":1,"result":%d}`, &pid)
	return pid
}

// TestAttachStartsAHostForEachFolder: the second project used to be served by the host of the
// first, whose working directory was the other one's.
func TestAttachStartsAHostForEachFolder(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	first, second := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(first, link); err != nil {
		t.Fatal(err)
	}
	serve := []string{"attach", "--start", "--", "--mount", "process", "--exit-when-idle"}
	pids := map[string]int{}
	for _, dir := range []string{first, second, link} {
		t.Chdir(dir)
		pids[dir] = start(t, serve...).hostPID()
	}
	if pids[first] != pids[link] {
		t.Error("clients in one folder have two hosts")
	}
	if pids[first] == pids[second] {
		t.Error("clients in two folders share a host")
	}
	for dir, pid := range pids {
		cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
		if want, _ := filepath.EvalSymlinks(dir); cwd != want {
			t.Errorf("the host of %s works in %s (%v)", dir, cwd, err)
		}
	}
}

// Two clients that found no host used to start one each, and one of them lost its own.
func TestAttachStartsOneHostForAllThatRace(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	const clients = 8
	var all []*program
	for range clients {
		all = append(all, start(t, "attach", "--start", "--",
			"--mount", "process", "--exit-when-idle"))
	}
	pid := all[0].hostPID()
	for _, p := range all[1:] {
		if other := p.hostPID(); other != pid {
			t.Fatalf("served by several hosts: %d and %d", pid, other)
		}
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for _, p := range all {
		p.stdin.Close()
		p.want(exitOK)
	}
	wantGone(t, fd) // when it is idle
}

func TestAttachSaysWhyAHostCouldNotBeStarted(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	_, stderr, status := run(t, "", "attach", "--start", "unix:///no/such/directory/s")
	if status != exitFailure || !strings.Contains(stderr, "no such file or directory") {
		t.Errorf("exit status %d, %q", status, stderr)
	}
}

func TestAttachRefusesADirectoryOfOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "testhost"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "testhost"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", dir)
	_, stderr, status := run(t, "", "attach", "--start")
	if status != exitFailure || !strings.Contains(stderr, "a directory of your own") {
		t.Errorf("exit status %d, %q", status, stderr)
	}
}
