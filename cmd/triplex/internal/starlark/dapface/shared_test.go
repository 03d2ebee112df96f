package dapface

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/framing"
	"triplex/host/hosttest"
)

// attach starts a session that joins a run.
func (b *bench) attach(id string) *client {
	b.t.Helper()
	c := b.connect()
	c.ok("initialize", `{"adapterID":"x","clientName":"Second"}`)
	c.event("initialized")
	c.ok("configurationDone", "")
	c.ok("attach", fmt.Sprintf(`{"session":%q}`, id))
	return c
}

// TestAttach has two clients look at one program, and each drive it.
func TestAttach(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = 1", "b = 2", "print(b)", "d = 4")
	first := b.debug(program, `"stopOnEntry":true`)
	first.stops("entry", "main.star:1")
	run := b.runs.List()[0]
	second := b.attach(run.ID)
	second.stops("entry", "main.star:1")

	second.ok("next", `{"threadId":1}`)
	second.stops("step", "main.star:2")
	first.event("continued") // it was not the first who said so
	first.stops("step", "main.star:2")
	if got := run.Driver(); !strings.HasPrefix(got, "Second (session ") {
		t.Errorf("%s drives", got)
	}

	// Breakpoints have ids of the client that set them, and are the program's.
	id := second.breakpoints(program, `{"line":4}`)[0].ID
	first.ok("continue", `{"threadId":1}`)
	if s := second.stops("breakpoint", "main.star:4"); !slices.Equal(s.Hits, []int{id}) {
		t.Errorf("hit %v, want %d", s.Hits, id)
	}
	if s := first.stops("breakpoint", "main.star:4"); len(s.Hits) != 0 {
		t.Errorf("the first client has no breakpoints and hit %v", s.Hits)
	}
	for _, c := range []*client{first, second} {
		if got := c.output("stdout"); got != "2\n" {
			t.Errorf("printed %q", got)
		}
	}
	first.ok("continue", `{"threadId":1}`)
	for _, c := range []*client{first, second} {
		c.ends(0)
		c.leave()
	}
}

// TestAttachLeaves takes back what the client that leaves has set to stop the program.
func TestAttachLeaves(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = 1", "b = 2", "c = 3", "fail(c)")
	first := b.debug(program, `"stopOnEntry":true`)
	first.stops("entry", "main.star:1")
	second := b.connect()
	second.ok("initialize", everything)
	second.lines(program, 2)
	second.ok("setFunctionBreakpoints", `{"breakpoints":[{"name":"f"}]}`)
	second.ok("setExceptionBreakpoints", `{"filters":["uncaught"]}`)
	second.ok("configurationDone", "")
	second.ok("attach", "{}") // there is only one
	second.stops("entry", "main.star:1")
	second.leave()
	if n := len(b.runs.List()); n != 1 {
		t.Fatalf("%d programs run", n)
	}
	first.ok("continue", `{"threadId":1}`)
	first.ends(1)
}

// TestOwnBreakpoints has the breakpoints of two clients in one file. Those of the client that set
// its own last used to be all there were, while the other still showed its own as set.
func TestOwnBreakpoints(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "def f():", "    return 1", "a = 1", "b = 2", "f()", "fail(a)")
	first := b.connect()
	first.ok("initialize", everything)
	first.ok("setFunctionBreakpoints", `{"breakpoints":[{"name":"f"}]}`)
	first.ok("setExceptionBreakpoints", `{"filters":["raised"]}`)
	mine := first.breakpoints(program, `{"line":4}`)[0].ID
	first.launch(program, `"stopOnEntry":true`)
	first.stops("entry", "main.star:1")
	second := b.attach(b.runs.List()[0].ID)
	second.stops("entry", "main.star:1")
	second.ok("setFunctionBreakpoints", `{"breakpoints":[]}`)
	second.ok("setExceptionBreakpoints", `{"filters":[]}`)
	second.lines(program, 3, 4, 5)
	for _, want := range []struct {
		place string
		hits  []int
	}{{"main.star:3", nil}, {"main.star:4", []int{mine}}} {
		first.ok("continue", `{"threadId":1}`)
		if s := first.stops("breakpoint", want.place); !slices.Equal(s.Hits, want.hits) {
			t.Errorf("at %s the first client's breakpoints %v, want %v", want.place, s.Hits, want.hits)
		}
	}
	second.leave() // with what it has set, and nothing else
	for _, want := range []struct{ reason, place string }{
		{"function breakpoint", "main.star:2"}, {"exception", "main.star:6"},
	} {
		first.ok("continue", `{"threadId":1}`)
		first.stops(want.reason, want.place)
	}
}

func TestAttachRefused(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	c.ok("initialize", everything)
	c.ok("configurationDone", "")
	c.fails("attach", `{"session":"1"}`, "no program runs in this host")
	program := b.file("main.star", "a = 1")
	other := b.debug(program, `"stopOnEntry":true`)
	other.stops("entry", "main.star:1")
	c.fails("attach", `{"session":"nine"}`,
		`no run "nine", but 1 (main.star, stopped, started by test`)
	b.debug(program, `"stopOnEntry":true`).stops("entry", "main.star:1")
	c.fails("attach", `{"session":null}`, "name one of the programs")
	// A failure leaves nothing behind, and the next answer names its own request
	// (microsoft/ptvsd#1904).
	c.ok("attach", `{"session":2}`)
	c.stops("entry", "main.star:1")
}

// TestDisconnect ends the program or not: absent, false and true are three things
// (ruby/debug#630, ballerina-platform/ballerina-lang#34828).
func TestDisconnect(t *testing.T) {
	for _, test := range []struct {
		arguments                string
		endsLaunched, endsJoined bool
	}{
		{"", true, false},
		{"{}", true, false},
		{`{"terminateDebuggee":null}`, true, false},
		{`{"terminateDebuggee":false}`, false, false},
		{`{"terminateDebuggee":true}`, true, true},
	} {
		t.Run("launched "+test.arguments, func(t *testing.T) {
			b := newBench(t)
			c := b.debug(b.file("main.star", endless...), `"stopOnEntry":true`)
			c.stops("entry", "main.star:1")
			run := b.runs.List()[0]
			c.ok("disconnect", test.arguments)
			c.ExpectEnd()
			// A program that is left alone goes on.
			want := debugger.PhaseRunning
			if test.endsLaunched {
				want = debugger.PhaseEnded
			}
			if got := run.State().Phase; got != want {
				t.Errorf("the program is %v, want %v", got, want)
			}
		})
		t.Run("attached "+test.arguments, func(t *testing.T) {
			b := newBench(t)
			owner := b.debug(b.file("main.star", endless...), `"stopOnEntry":true`)
			owner.stops("entry", "main.star:1")
			run := b.runs.List()[0]
			c := b.attach(run.ID)
			c.stops("entry", "main.star:1")
			c.ok("disconnect", test.arguments)
			c.ExpectEnd()
			want := debugger.PhaseStopped
			if test.endsJoined {
				want = debugger.PhaseEnded
				owner.ends(1)
			}
			if got := run.State().Phase; got != want {
				t.Errorf("the program is %v, want %v", got, want)
			}
		})
	}
}

// TestDisconnectAnywhere leaves in every state within 100 ms.
func TestDisconnectAnywhere(t *testing.T) {
	states := map[string]func(c *client, program string){
		"before initialize": func(*client, string) {},
		"before launch":     func(c *client, _ string) { c.ok("initialize", everything) },
		"launch waits": func(c *client, program string) {
			c.ok("initialize", everything)
			c.Request("launch", launchText(program, ""))
		},
		"running": func(c *client, program string) {
			c.ok("initialize", everything)
			c.launch(program, "")
		},
		"stopped": func(c *client, program string) {
			c.ok("initialize", everything)
			c.launch(program, `"stopOnEntry":true`)
			c.event("stopped")
		},
		"evaluating": func(c *client, program string) {
			c.ok("initialize", everything)
			c.launch(program, `"stopOnEntry":true`)
			c.event("stopped")
			c.Request("evaluate", evaluateText("[0 for _ in range(1000000000) if False]", "watch"))
		},
		"waiting for a terminal": func(c *client, program string) {
			c.launchInTerminal(program, "")
		},
		"ended": func(c *client, program string) {
			c.ok("initialize", everything)
			c.launch(program, "")
			c.ok("terminate", "")
			c.ends(1)
		},
	}
	for name, reach := range states {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			program := b.file("main.star", endless...)
			c := b.connect()
			reach(c, program)
			c.disconnect()
			if got := b.runs.List(); len(got) != 0 {
				t.Errorf("%v still runs", got)
			}
		})
	}
}

// disconnect ends the session whatever else its server says meanwhile.
func (c *client) disconnect() {
	seq := c.Request("disconnect", "")
	for m := c.next(); m.Type != "response" || *m.RequestSeq != seq; m = c.next() {
	}
	c.Close()
	<-c.Session.Done()
}

// TestDisconnectBuiltin leaves a program to itself that is in a built-in function and cannot be
// interrupted there. It ends as soon as it can.
func TestDisconnectBuiltin(t *testing.T) {
	b := newBench(t)
	c := b.debug(b.file("main.star", "x = all(range(1, 5000000))", "print(x)"), "")
	c.event("loadedSource")
	run := b.runs.List()[0]
	c.ok("disconnect", "")
	<-run.Done()
	if err := run.State().Result.Err; !errors.Is(err, debugger.ErrTerminated) {
		t.Errorf("the program ended with %v", err)
	}
}

// TestVanished ends the program of a client that is gone, however it went, and serves the next one
// (field case h07: vadimcn/codelldb#701).
func TestVanished(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", endless...)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- b.host.Serve(ln) }()
	defer func() {
		b.host.Shutdown(context.Background())
		<-served
	}()
	for _, last := range []string{"", "Content-Length: 100\r\n\r\n{\"seq\":1,"} {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c := b.client(hosttest.NewPeer(t, conn, framing.ContentLength))
		c.ok("initialize", everything)
		c.event("initialized")
		c.launch(program, "")
		c.event("module")
		run := b.runs.List()[0]
		c.SendRaw(last)
		conn.(*net.TCPConn).SetLinger(0) // the connection is reset
		conn.Close()
		<-run.Done()
	}
}

// TestHostEnds tells the client, and ends its program, when the host ends the session.
func TestHostEnds(t *testing.T) {
	b := newBench(t)
	c := b.debug(b.file("main.star", endless...), "")
	c.event("loadedSource")
	run := b.runs.List()[0]
	c.Session.End()
	c.event("terminated")
	<-run.Done()
	c.ExpectEnd()
}

// TestHostEndsEarly does not keep a host waiting that ends while launch waits for the client.
func TestHostEndsEarly(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	c.ok("initialize", everything)
	launch := c.Request("launch", launchText(b.file("main.star", "a = 1"), ""))
	c.ok("threads", "")
	c.Session.End()
	if m := c.response(launch); !strings.Contains(m.Message, "ended before the program began") {
		t.Errorf("launch: %v", m)
	}
	c.event("terminated")
	c.ExpectEnd()
}

// TestManySessions debugs several programs in one host, none of which disturbs another.
func TestManySessions(t *testing.T) {
	b := newBench(t)
	const sessions = 8
	clients := make([]*client, sessions)
	for i := range clients {
		program := b.file(fmt.Sprintf("p%d.star", i), "a = args[0]", "print(a)", "b = a")
		c := b.connect()
		c.ok("initialize", everything)
		c.lines(program, 3)
		c.launch(program, fmt.Sprintf(`"args":["%d"]`, i))
		clients[i] = c
	}
	for i, c := range clients {
		c.stops("breakpoint", fmt.Sprintf("p%d.star:3", i))
		if got, want := c.evaluate("a", "watch").Result, fmt.Sprintf(`"%d"`, i); got != want {
			t.Errorf("session %d has %s", i, got)
		}
		if i%2 == 0 {
			c.leave()
		}
	}
	for i, c := range clients {
		if i%2 == 1 {
			c.ok("continue", `{"threadId":1}`)
			c.ends(0)
			if got := c.output("stdout"); got != fmt.Sprintf("%d\n", i) {
				t.Errorf("session %d printed %q", i, got)
			}
		}
	}
}

// TestNoRunsLeft makes no program once the registry is closed.
func TestNoRunsLeft(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = 1")
	b.runs.Close()
	c := b.connect()
	c.ok("initialize", everything)
	c.ok("configurationDone", "")
	c.fails("launch", launchText(program, ""), "shuts down")
}
