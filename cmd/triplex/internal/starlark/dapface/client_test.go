package dapface

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/dap/daptest"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// shared is where the material for tests is that is not the project's own.
const shared = "../../../../../../shared"

// A bench is a host with the debug adapter, and what its sessions share.
type bench struct {
	t         testing.TB
	host      *host.Host
	runs      *runs.Registry
	workspace *workspace.Workspace
	dir       string // of the files
}

// newBench returns a host whose programs have ended with the test.
func newBench(t testing.TB) *bench {
	b := &bench{t: t, runs: new(runs.Registry), workspace: workspace.New(), dir: t.TempDir()}
	t.Cleanup(b.runs.Close)
	b.host = &host.Host{
		Mounts: []host.MethodSet{New(b.workspace, b.runs)},
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	}
	return b
}

// testWriter logs to the test.
type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// file writes a file and returns its path.
func (b *bench) file(name string, lines ...string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// editor returns the view of somebody who has files open.
func (b *bench) editor() *workspace.View {
	b.t.Helper()
	view, err := b.workspace.View(workspace.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	return view
}

// A client drives the adapter.
type client struct {
	*daptest.Client
	t     testing.TB
	bench *bench
	trace []string           // all messages, in short
	stash []*daptest.Message // events and reverse requests that nobody asked for yet
}

// client returns the client that speaks as a peer.
func (b *bench) client(p *hosttest.Peer) *client {
	return &client{Client: daptest.NewClient(b.t, p, protocol()), t: b.t, bench: b}
}

// protocol is the schema that messages are checked against, nil where it is not at hand.
var protocol = sync.OnceValue(func() *daptest.Schema {
	s, err := daptest.ReadSchema(filepath.Join(shared, "schemas/dap-1.71.json"))
	if err != nil {
		panic(err)
	}
	return s
})

// connect starts a session that ends with the test.
func (b *bench) connect() *client {
	b.t.Helper()
	return b.client(hosttest.Start(b.t, b.host, framing.ContentLength))
}

// everything is what a capable client says of itself.
const everything = `{"adapterID":"starlark","clientID":"test","supportsVariableType":true,` +
	`"supportsVariablePaging":true,"supportsRunInTerminalRequest":true}`

// debug starts a session that debugs a program: more are members of the arguments of launch.
func (b *bench) debug(program, more string) *client {
	b.t.Helper()
	c := b.connect()
	c.ok("initialize", everything)
	c.event("initialized")
	c.launch(program, more)
	return c
}

// launch starts a program. The client's breakpoints are set.
func (c *client) launch(program, more string) {
	c.t.Helper()
	seq := c.Request("launch", launchText(program, more))
	c.ok("configurationDone", "")
	if m := c.response(seq); !*m.Success {
		c.t.Fatal(m)
	}
}

func launchText(program, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"program":%q%s}`, program, more)
}

// next reads a message.
func (c *client) next() *daptest.Message {
	c.t.Helper()
	m := c.Next()
	c.trace = append(c.trace, m.String())
	return m
}

// response returns the response to a request. What comes before it can be asked for later.
func (c *client) response(seq int) *daptest.Message {
	c.t.Helper()
	for {
		m := c.next()
		if m.Type != "response" {
			c.stash = append(c.stash, m)
			continue
		}
		if *m.RequestSeq != seq {
			c.t.Fatalf("response %v to request %d, not to %d", m, *m.RequestSeq, seq)
		}
		return m
	}
}

// ok sends a request that succeeds.
func (c *client) ok(command, arguments string) *daptest.Message {
	c.t.Helper()
	m := c.response(c.Request(command, arguments))
	if !*m.Success {
		c.t.Fatalf("%v\n%s", m, m.Body)
	}
	return m
}

// fails sends a request that fails with words about it.
func (c *client) fails(command, arguments, words string) *daptest.Message {
	c.t.Helper()
	m := c.response(c.Request(command, arguments))
	if *m.Success || !strings.Contains(m.Message, words) {
		c.t.Fatalf("%v, want a failure with %q\n%s", m, words, m.Body)
	}
	return m
}

// unasked returns the next message of the adapter's own accord that is described so.
func (c *client) unasked(want string) *daptest.Message {
	c.t.Helper()
	for i, m := range c.stash {
		if m.String() == want {
			c.stash = slices.Delete(c.stash, i, i+1)
			return m
		}
	}
	for {
		m := c.next()
		if m.String() == want {
			return m
		}
		if m.Type == "response" {
			c.t.Fatalf("%v, want %s", m, want)
		}
		c.stash = append(c.stash, m)
	}
}

// event returns the next event of a kind.
func (c *client) event(name string) *daptest.Message {
	c.t.Helper()
	return c.unasked("event " + name)
}

// A stop is the body of a stopped event.
type stop struct {
	Reason            string `json:"reason"`
	Text              string `json:"text"`
	ThreadID          int    `json:"threadId"`
	AllThreadsStopped bool   `json:"allThreadsStopped"`
	Hits              []int  `json:"hitBreakpointIds"`
}

// A stackFrame is one of the response to stackTrace.
type stackFrame struct {
	ID     int    `json:"id"`
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Source *struct {
		Path string `json:"path"`
	} `json:"source"`
	CanRestart bool `json:"canRestart"`
}

// stack returns the frames, innermost first.
func (c *client) stack() []stackFrame {
	c.t.Helper()
	type body struct {
		StackFrames []stackFrame `json:"stackFrames"`
	}
	return daptest.Decode[body](c.t, c.ok("stackTrace", `{"threadId":1}`)).StackFrames
}

// stops expects a stop for a reason, in a file at a line: base.star:7.
func (c *client) stops(reason, place string) stop {
	c.t.Helper()
	s := daptest.Decode[stop](c.t, c.event("stopped"))
	top := c.stack()[0]
	if got := top.place(); s.Reason != reason || got != place {
		c.t.Fatalf("stopped (%s) at %s, want (%s) at %s", s.Reason, got, reason, place)
	}
	return s
}

func (f stackFrame) place() string {
	if f.Source == nil {
		return "builtin"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(f.Source.Path), f.Line)
}

// ends expects the program to end with an exit code.
func (c *client) ends(code int) {
	c.t.Helper()
	type body struct{ ExitCode *int }
	if got := daptest.Decode[body](c.t, c.event("exited")); *got.ExitCode != code {
		c.t.Fatalf("exit code %d, want %d", *got.ExitCode, code)
	}
	c.event("terminated")
}

// leave ends the session.
func (c *client) leave() {
	c.t.Helper()
	c.ok("disconnect", "")
	c.ExpectEnd()
	c.Close()
	<-c.Session.Done()
}

// output returns the text of all output of a category so far.
func (c *client) output(category string) string {
	c.t.Helper()
	var text strings.Builder
	for _, m := range c.stash {
		if m.Event == "output" {
			if out := daptest.Decode[output](c.t, m); out.Category == category {
				text.WriteString(out.Output)
			}
		}
	}
	return text.String()
}

// An output is the body of an output event.
type output struct {
	Category string `json:"category"`
	Output   string `json:"output"`
	Line     int    `json:"line"`
	Source   *struct {
		Path string `json:"path"`
	} `json:"source"`
}

// lines sets line breakpoints in a file and returns what became of them, such as "7" and "4->5",
// and "4?" for one that is not verified.
func (c *client) lines(path string, lines ...int) []string {
	c.t.Helper()
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = fmt.Sprintf(`{"line":%d}`, line)
	}
	answer := c.breakpoints(path, strings.Join(text, ","))
	became := make([]string, len(answer))
	for i, b := range answer {
		became[i] = fmt.Sprint(lines[i])
		if !b.Verified {
			became[i] += "?"
		} else if b.Line != lines[i] {
			became[i] += fmt.Sprintf("->%d", b.Line)
		}
	}
	return became
}

// A bound is a breakpoint in an answer or an event.
type bound struct {
	ID       int    `json:"id"`
	Verified bool   `json:"verified"`
	Message  string `json:"message"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Source   *struct {
		Path string `json:"path"`
	} `json:"source"`
}

// breakpoints sets the breakpoints of a file, given as the members of a JSON array.
func (c *client) breakpoints(path, list string) []bound {
	c.t.Helper()
	type body struct{ Breakpoints []bound }
	return daptest.Decode[body](c.t, c.ok("setBreakpoints",
		fmt.Sprintf(`{"source":{"path":%q},"breakpoints":[%s]}`, path, list))).Breakpoints
}
