package mount_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
	"triplex/host/mount"
)

// pidOf asks the fake server for a process id.
func pidOf(t *testing.T, p *hosttest.Peer, method string) int {
	t.Helper()
	p.Send(request(`"pid"`, method, ""))
	raw, _ := host.Member(p.Receive(), "result")
	pid, err := strconv.Atoi(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// process is a running process, whatever its id comes to mean later.
type process struct{ fd int }

func find(t *testing.T, pid int) process {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return process{fd}
}

// wantGone fails the test unless the process ends soon.
func (p process) wantGone(t *testing.T) {
	t.Helper()
	const patience = 60_000 // milliseconds
	n, err := 0, error(unix.EINTR)
	for err == unix.EINTR {
		n, err = unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, patience)
	}
	if n != 1 {
		t.Errorf("a process goes on (%v)", err)
	}
}

func (p process) signal(t *testing.T, signal unix.Signal) {
	t.Helper()
	if err := unix.PidfdSendSignal(p.fd, signal, nil, 0); err != nil {
		t.Fatal(err)
	}
}

// errorOf returns the error text of an answer.
func errorOf(t *testing.T, answer json.RawMessage) string {
	t.Helper()
	raw, ok := host.Member(answer, "error", "message")
	if !ok {
		t.Fatalf("no error: %s", answer)
	}
	return string(raw)
}

func TestAServerThatDiesFailsTheRequestsThatWait(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	p.Send(request("1", "mute", ""), request("2", fakeDie, "[3]"))
	for range 2 {
		wantIn(t, string(p.Receive()), "-32803", "exited with status 3", "cannot open the database")
	}
}

func TestAServerThatWasKilledIsReplaced(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	server := find(t, pidOf(t, p, fakePID))
	p.Send(request("1", "mute", ""))
	heard(t, p, 2)
	server.signal(t, unix.SIGKILL)
	wantIn(t, errorOf(t, p.Receive()), "mute was not answered", "signal", "killed")
	p.Send(request("2", "echo", "[2]"))
	p.Expect(result("2", "[2]"))
}

// TestANewServerIsToldWhatTheOldOneKnew changes documents before and after the death of a server.
func TestANewServerIsToldWhatTheOldOneKnew(t *testing.T) {
	p := start(t, fakeMount(t, "lsp", framing.ContentLength))
	initialize(t, p)
	p.Send(notification("textDocument/didOpen",
		`{"textDocument":{"uri":"file:///a","languageId":"go","version":1,"text":"one\ntwo"}}`))
	p.Send(request("1", fakeDie, "[1]"))
	wantIn(t, errorOf(t, p.Receive()), "exited with status 1")
	p.Send(
		notification("textDocument/didChange", `{"textDocument":{"uri":"file:///a","version":2},`+
			`"contentChanges":[{"range":{"start":{"line":1,"character":0},`+
			`"end":{"line":1,"character":3}},"text":"2"}]}`),
		request("2", "textDocument/hover", "{}"))
	p.Expect(result("2", "{}"))
	frames := heard(t, p, 4)
	for i, want := range []string{
		`"method":"initialize","params":{"processId": ` + strconv.Itoa(os.Getpid()),
		`"method":"initialized","params":{}`,
		`"version":2,"text":"one\n2"`,
		`"method":"textDocument/hover"`,
	} {
		wantIn(t, frames[i], want)
	}
}

func TestTheBudgetOfRestarts(t *testing.T) {
	set := fakeMount(t, "plain", framing.ContentLength)
	set.Options.Restarts = 1
	p := start(t, set)
	for range 2 {
		p.Send(request("1", fakeDie, "[1]"))
		wantIn(t, errorOf(t, p.Receive()), "exited with status 1")
	}
	p.Send(request("2", "echo", "[2]"))
	wantIn(t, errorOf(t, p.Receive()), "exited with status 1", "restarted too often", "try again in")
}

func TestASessionWithoutReplacementEndsWithItsServer(t *testing.T) {
	set := fakeMount(t, "dap", framing.ContentLength, "die")
	p := start(t, set)
	p.ExpectEnd()
}

func TestAServerThatClosesItsOutputIsEnded(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	server := find(t, pidOf(t, p, fakePID))
	p.Send(request("1", fakeShut, ""))
	wantIn(t, errorOf(t, p.Receive()), " ended its output")
	server.wantGone(t)
}

// A server that did not read used to keep its client's messages waiting for ever (jrollin/cartog
// issue 146).
func TestAServerThatDoesNotReadCostsItsSessionOnly(t *testing.T) {
	deaf := fakeMount(t, "plain", framing.ContentLength, "deaf")
	deaf.Options.Limits.WriteTimeout = 200 * time.Millisecond
	well := fakeMount(t, "plain", framing.ContentLength)
	a, b := start(t, deaf), start(t, well)
	go a.Send(request("1", "textDocument/didOpen", `["`+strings.Repeat("x", 4<<20)+`"]`))
	wantIn(t, errorOf(t, a.Receive()), "slow peer")
	b.Send(request("1", "echo", "[1]"))
	b.Expect(result("1", "[1]"))
}

func TestWhatAServerPrintsIsSkipped(t *testing.T) {
	const greeting = "print=hello\r\n\nUsing node v20, see {docs}\n"
	for _, f := range []framing.Framing{framing.ContentLength, framing.Newline} {
		t.Run(f.String(), func(t *testing.T) {
			p := start(t, fakeMount(t, "plain", f, greeting))
			say(p, "null", notification("told", ""))
			p.Expect(notification("told", ""))
			if f == framing.Newline {
				p.Send(notification(fakeRaw, `["a line of a log\n"]`))
			}
			p.Send(request("1", "echo", "[1]"))
			p.Expect(result("1", "[1]"))
			for _, frame := range heard(t, p, 2) {
				if strings.Contains(frame, `"error"`) {
					t.Errorf("the server was told %s", frame)
				}
			}
		})
	}
}

func TestAStrayByteBetweenMessagesEndsTheServer(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	p.Send(request("1", "echo", "[1]"))
	p.Expect(result("1", "[1]"))
	p.Send(request("2", "mute", ""), notification(fakeRaw, `["stray\r\n"]`))
	wantIn(t, errorOf(t, p.Receive()), "stray")
	p.Send(request("3", "echo", "[3]"))
	p.Expect(result("3", "[3]"))
}

func TestAServerThatCannotBeStarted(t *testing.T) {
	tests := []struct{ name, spec, want string }{
		{"no such program", "plain=exec:/no/such/program", "no such file"},
		{"ends at once", "plain=exec:false --port=${port}", "exited with status 1"},
		{"nobody listens", "plain=unix:///no/such/socket", "connect to unix:///no/such/socket"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			set := parse(tt.spec)
			t.Cleanup(func() { set.Close() })
			p := start(t, set)
			p.Send(request("1", "echo", ""))
			wantIn(t, errorOf(t, p.Receive()), "no server for echo: ", tt.want)
		})
	}
}

// TestAServerThatNeverListens: the first request used to start it a second time, and so to wait for
// the start timeout twice.
func TestAServerThatNeverListens(t *testing.T) {
	starts := filepath.Join(t.TempDir(), "starts")
	set := parse("plain=exec:sh -c 'echo >> $0; exec sleep 1000' " + starts + " ${port}")
	set.Options = mount.Options{StartTimeout: time.Second, StdinGrace: -1, TermGrace: -1}
	t.Cleanup(func() { set.Close() })
	p := start(t, set)
	p.Send(request("1", "echo", ""))
	wantIn(t, errorOf(t, p.Receive()), "no server for echo: ", "--start-timeout")
	text, err := os.ReadFile(starts)
	if n := strings.Count(string(text), "\n"); n != 1 {
		t.Errorf("it was started %d times (%v)", n, err)
	}
}

// TestNothingIsLeftOfAServer ends sessions in every way there is. The server has a descendant that
// no signal reaches but SIGKILL, outside its process group.
func TestNothingIsLeftOfAServer(t *testing.T) {
	tests := []struct {
		name string
		end  func(p *hosttest.Peer)
	}{
		{"exit", func(p *hosttest.Peer) { p.Send(notification("exit", "")) }},
		{"half-close", func(p *hosttest.Peer) { p.CloseWrite() }},
		{"the client is gone", func(p *hosttest.Peer) { p.Close() }},
		{"the session is closed", func(p *hosttest.Peer) { p.Session.Close() }},
		{"the server dies", func(p *hosttest.Peer) { p.Send(request("9", fakeDie, "[1]")) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, fakeMount(t, "lsp", framing.ContentLength))
			initialize(t, p)
			server := find(t, pidOf(t, p, fakePID))
			descendant := find(t, pidOf(t, p, fakeSpawn))
			tt.end(p)
			server.wantGone(t)
			descendant.wantGone(t)
		})
	}
}

func TestADialledServer(t *testing.T) {
	p, server := dialled(t, "lsp", framing.ContentLength)
	p.Send(request(`"i"`, "initialize", `{"processId":1}`))
	server.Expect(request("1", "initialize", `{"processId":null}`)) // it may be on another machine
	server.Send(result("1", "{}"))
	p.Expect(result(`"i"`, "{}"))
	p.Send(request("2", "ask", ""))
	server.Receive()
	server.Close()
	wantIn(t, errorOf(t, p.Receive()), "ask was not answered: the server closed the connection")
}

func TestAClientThatEndsItsInputGetsItsAnswers(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.ContentLength))
	p.Send(request("1", "echo", "[1]"), request("2", "echo", "[2]"))
	p.CloseWrite()
	p.Expect(result("1", "[1]"), result("2", "[2]"))
	p.ExpectEnd()
}

func TestOutputBeforeDeathIsPassedOn(t *testing.T) {
	p := start(t, fakeMount(t, "plain", framing.Newline))
	say(p, notification("a", ""), notification("b", ""))
	p.Send(request("1", fakeDie, "[1]"))
	p.Expect(notification("a", ""))
	p.Expect(notification("b", ""))
	wantIn(t, errorOf(t, p.Receive()), "exited with status 1")
}
