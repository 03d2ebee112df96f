package dapface

import (
	"bytes"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"triplex/dap/daptest"
)

// A terminalRequest is the arguments of runInTerminal.
type terminalRequest struct {
	Kind  string
	Title string
	CWD   string
	Args  []string
	Env   map[string]string
}

// launchInTerminal sends what starts a program and returns the reverse request that follows, and
// the seq of launch.
func (c *client) launchInTerminal(program, more string) (launch int, ask *daptest.Message) {
	c.t.Helper()
	c.ok("initialize", everything)
	c.ok("configurationDone", "")
	launch = c.Request("launch", launchText(program, `"console":"integratedTerminal"`+more))
	return launch, c.unasked("request runInTerminal")
}

// answer answers a reverse request.
func (c *client) answer(ask *daptest.Message, success bool, body string) {
	c.t.Helper()
	c.Seq++
	c.Sendf(`{"seq":%d,"type":"response","request_seq":%d,"command":%q,"success":%v,%s}`,
		c.Seq, ask.Seq, ask.Command, success, body)
}

// command returns the process that the client runs in its terminal.
func (r *terminalRequest) command(stdout, stderr *bytes.Buffer) *exec.Cmd {
	cmd := exec.Command(r.Args[0], r.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.CWD, os.Environ(), stdout, stderr
	for name, value := range r.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

func TestTerminal(t *testing.T) {
	for _, test := range []struct {
		name           string
		text           []string
		code           int
		stdout, stderr string
	}{
		{"a program that ends", []string{"print('é🍮')", "print(1)"}, 0, "é🍮\n1\n", ""},
		{"a program that fails", []string{"print(1)", "fail('no')"}, 1, "1\n", "fail: no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			program := b.file("main.star", test.text...)
			c := b.connect()
			launch, ask := c.launchInTerminal(program, "")
			r := daptest.Decode[terminalRequest](t, ask)
			if r.Kind != "integrated" || r.Title != "main.star" || r.CWD != b.dir {
				t.Errorf("asked for %+v", r)
			}
			var stdout, stderr bytes.Buffer
			cmd := r.command(&stdout, &stderr)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			c.answer(ask, true, fmt.Sprintf(`"body":{"processId":%d}`, cmd.Process.Pid))
			if m := c.response(launch); !*m.Success {
				t.Fatal(m)
			}
			c.ends(test.code)
			cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != test.code {
				t.Errorf("the process exited with %d, want %d", got, test.code)
			}
			if stdout.String() != test.stdout || !strings.Contains(stderr.String(), test.stderr) {
				t.Errorf("the terminal shows %q and %q", stdout.String(), stderr.String())
			}
			if got := c.output("stdout"); got != "" {
				t.Errorf("the debug console shows %q as well", got)
			}
			c.leave()
		})
	}
}

// TestTerminalFrame: reverse requests have no request_seq, which breaks clients
// (haskell-debugger/dap#34), and a folder to run in (mfussenegger/nvim-dap#201).
func TestTerminalFrame(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	launch, ask := c.launchInTerminal(b.file("main.star", "a = 1"), `,"stopOnEntry":true`)
	if ask.RequestSeq != nil || ask.Success != nil || ask.Event != "" {
		t.Errorf("the request is %+v", ask)
	}
	if r := daptest.Decode[terminalRequest](t, ask); r.CWD == "" || len(r.Args) == 0 ||
		len(r.Env) != 1 || slices.Contains(r.Args, slices.Collect(maps.Values(r.Env))[0]) {
		t.Errorf("asked for %+v", r)
	}
	c.answer(ask, false, `"message":"no terminal here"`)
	m := c.response(launch)
	// What the client says used to stand behind codes of the library.
	want := "launch: the debug client did not run the terminal: no terminal here"
	if *m.Success || m.Message != want {
		t.Errorf("launch: %v, want %s", m, want)
	}
	if got := b.runs.List(); len(got) != 0 {
		t.Errorf("%v is left", got)
	}
}

// TestTerminalGone ends the program with its terminal.
func TestTerminalGone(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	launch, ask := c.launchInTerminal(b.file("main.star", endless...), "")
	r := daptest.Decode[terminalRequest](t, ask)
	var out bytes.Buffer
	cmd := r.command(&out, &out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.answer(ask, true, `"body":{}`)
	if m := c.response(launch); !*m.Success {
		t.Fatal(m)
	}
	cmd.Process.Kill()
	cmd.Wait()
	c.ends(1)
}

// TestTerminalDisconnect ends the process in the terminal with the program.
func TestTerminalDisconnect(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	launch, ask := c.launchInTerminal(b.file("main.star", endless...), "")
	r := daptest.Decode[terminalRequest](t, ask)
	var out bytes.Buffer
	cmd := r.command(&out, &out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c.answer(ask, true, `"body":{}`)
	if m := c.response(launch); !*m.Success {
		t.Fatal(m)
	}
	c.leave()
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != 1 {
		t.Errorf("the process exited with %d: %s", got, out.String())
	}
}

// TestTerminalToken keeps processes out that do not know the token, and lets the session end while
// nobody comes.
func TestTerminalToken(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	launch, ask := c.launchInTerminal(b.file("main.star", "a = 1"), "")
	r := daptest.Decode[terminalRequest](t, ask)
	c.answer(ask, true, `"body":{}`)
	for name := range r.Env {
		r.Env[name] = "guessed"
	}
	var stdout, stderr bytes.Buffer
	if err := r.command(&stdout, &stderr).Run(); err == nil {
		t.Error("a process without the token was let in")
	}
	conn, err := net.Dial("tcp", r.Args[len(r.Args)-1])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() // it says nothing
	c.ok("threads", "")
	disconnect := c.Request("disconnect", "")
	for range 2 {
		m := c.next()
		if *m.Success != (*m.RequestSeq == disconnect) {
			t.Errorf("%v, launch is request %d", m, launch)
		}
	}
	c.ExpectEnd()
}

func TestTerminalUnsupported(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	c.ok("initialize", `{"adapterID":"x"}`)
	m := c.fails("launch", launchText(b.file("main.star", "a = 1"),
		`"console":"externalTerminal"`), "cannot run programs in a terminal")
	type body struct {
		Error struct {
			ID       int
			ShowUser bool
		}
	}
	if got := daptest.Decode[body](t, m).Error; got.ID != idTerminal || !got.ShowUser {
		t.Errorf("the error is %+v", got)
	}
}
