package dapface

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"triplex/dap/daptest"
)

// nested is a program with calls in calls.
var nested = []string{
	"def f(n):",           // 1
	"    return n + 1",    // 2
	"def g(n):",           // 3
	"    m = f(n) * f(n)", // 4
	"    return m",        // 5
	"a = g(f(1))",         // 6
	"b = a",               // 7
}

func TestSteps(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", nested...)
	for _, test := range []struct {
		name   string
		steps  []string
		places []int
	}{
		{"in", []string{"stepIn", "stepIn", "stepIn", "stepIn", "stepIn"}, []int{2, 4, 2, 2, 5}},
		{"over", []string{"next"}, []int{7}},
		{"out", []string{"stepIn", "stepIn", "stepIn", "stepOut", "stepOut"}, []int{2, 4, 2, 5, 7}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b.t = t
			c := b.connect()
			c.ok("initialize", everything)
			c.lines(program, 6)
			c.launch(program, "")
			c.stops("breakpoint", "main.star:6")
			for i, step := range test.steps {
				c.ok(step, `{"threadId":1}`)
				c.stops("step", fmt.Sprintf("main.star:%d", test.places[i]))
			}
			c.ok("continue", `{"threadId":1}`)
			c.ends(0)
			if slices.Contains(c.trace, "event continued") {
				t.Error("the response says that the program goes on, no event does")
			}
		})
	}
}

// TestStopAfterResponse: what a step leads to comes after its response (microsoft/vscode#8646).
func TestStopAfterResponse(t *testing.T) {
	b := newBench(t)
	c := b.debug(b.file("main.star", slices.Repeat([]string{"a = 1"}, 100)[0], "b = 1", "c = 1"),
		`"stopOnEntry":true`)
	c.stops("entry", "main.star:1")
	for _, place := range []string{"main.star:2", "main.star:3"} {
		mark := len(c.trace)
		c.ok("next", `{"threadId":1}`)
		c.stops("step", place)
		if got := c.trace[mark]; got != "next ok" {
			t.Errorf("%q came before the response", got)
		}
	}
}

func TestStepInTargets(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", nested...)
	c := b.connect()
	c.ok("initialize", everything)
	c.lines(program, 6)
	c.launch(program, "")
	c.stops("breakpoint", "main.star:6")
	type target struct {
		ID     int
		Label  string
		Column int
	}
	type body struct{ Targets []target }
	frame := c.stack()[0].ID
	got := daptest.Decode[body](t, c.ok("stepInTargets", fmt.Sprintf(`{"frameId":%d}`, frame))).Targets
	want := []target{{1, "g(f(1))", 5}, {2, "f(1)", 7}}
	if !slices.Equal(got, want) {
		t.Fatalf("targets are %+v, want %+v", got, want)
	}
	c.fails("stepIn", `{"threadId":1,"targetId":9}`, "target id 9")
	c.ok("stepIn", `{"threadId":1,"targetId":1}`)
	c.stops("step", "main.star:4")
	outer := c.stack()[1].ID
	if got := daptest.Decode[body](t, c.ok("stepInTargets",
		fmt.Sprintf(`{"frameId":%d}`, outer))).Targets; len(got) != 0 {
		t.Errorf("targets of an outer frame are %+v", got)
	}
}

func TestStack(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", `load("lib.star", "apply")`, "def f(n):", "    return n",
		"apply(f)")
	b.file("lib.star", "def apply(f):", "    return sorted([1], key = f)")
	c := b.connect()
	c.ok("initialize", everything)
	c.lines(program, 3)
	c.launch(program, "")
	c.stops("breakpoint", "main.star:3")
	var got []string
	for _, f := range c.stack() {
		got = append(got, fmt.Sprintf("%s %s %v", f.Name, f.place(), f.CanRestart))
	}
	want := []string{"f main.star:3 false", "sorted builtin false", "apply lib.star:2 false",
		"<toplevel> main.star:4 true"}
	if !slices.Equal(got, want) {
		t.Errorf("the stack is\n%q, want\n%q", got, want)
	}
	type page struct {
		StackFrames []stackFrame
		TotalFrames int
	}
	p := daptest.Decode[page](t, c.ok("stackTrace", `{"threadId":1,"startFrame":2,"levels":1}`))
	if p.TotalFrames != 4 || len(p.StackFrames) != 1 || p.StackFrames[0].Name != "apply" {
		t.Errorf("the page is %+v", p)
	}
	p = daptest.Decode[page](t, c.ok("stackTrace", `{"threadId":1,"startFrame":-1,"levels":99}`))
	if len(p.StackFrames) != 4 || !p.StackFrames[3].CanRestart {
		t.Errorf("the page is %+v", p)
	}
	type threads struct{ Threads []struct{ Name string } }
	if th := daptest.Decode[threads](t, c.ok("threads", "")).Threads; len(th) != 1 ||
		th[0].Name != "main.star" {
		t.Errorf("threads are %+v", th)
	}
	type modules struct {
		Modules      []struct{ Name string }
		TotalModules int
	}
	m := daptest.Decode[modules](t, c.ok("modules", `{"startModule":1,"moduleCount":5}`))
	if m.TotalModules != 2 || len(m.Modules) != 1 || m.Modules[0].Name != "lib.star" {
		t.Errorf("modules are %+v", m)
	}
}

// endless runs until somebody ends it.
var endless = []string{
	"def spin():",                     // 1
	"    n = 0",                       // 2
	"    for _ in range(1000000000):", // 3
	"        n += 1",                  // 4
	"spin()",                          // 5
}

func TestPause(t *testing.T) {
	for name, text := range map[string][]string{
		"statements":    endless,
		"comprehension": {"x = [0 for _ in range(1000000000) if False]"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			c := b.debug(b.file("main.star", text...), "")
			c.event("module")
			for range 3 {
				c.ok("pause", `{"threadId":1}`)
				c.event("stopped")
				c.ok("pause", `{"threadId":1}`) // again, which changes nothing
				c.ok("continue", `{"threadId":1}`)
			}
			c.ok("terminate", "")
			c.ends(1)
			c.leave()
		})
	}
}

// TestNoDebug runs a program that nothing stops but its end.
func TestNoDebug(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", endless...)
	c := b.connect()
	c.ok("initialize", everything)
	c.lines(program, 4)
	c.launch(program, `"noDebug":true,"stopOnEntry":true`)
	c.fails("pause", `{"threadId":1}`, "without debugging")
	c.ok("terminate", "")
	c.ends(1)
}

func TestRestart(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = 1", "print(args)", "b = 2")
	c := b.connect()
	c.ok("initialize", everything)
	id := c.breakpoints(program, `{"line":3}`)[0].ID
	c.launch(program, `"args":["one"]`)
	hit := func() {
		t.Helper()
		if s := c.stops("breakpoint", "main.star:3"); !slices.Equal(s.Hits, []int{id}) {
			t.Errorf("hit %v, want %d", s.Hits, id)
		}
	}
	hit()
	c.ok("restart", `{"arguments":null}`)
	c.event("continued")
	hit()
	c.ok("restart", fmt.Sprintf(`{"arguments":%s}`, launchText(program,
		`"args":["one"],"__sessionId":"x"`)))
	c.event("continued")
	hit()
	if got := c.output("stdout"); got != strings.Repeat("[\"one\"]\n", 3) {
		t.Errorf("printed %q", got)
	}
	// The client has changed its configuration.
	c.ok("restart", fmt.Sprintf(`{"arguments":%s}`, launchText(program, `"args":["two"]`)))
	c.event("continued")
	hit()
	if got := c.output("stdout"); !strings.HasSuffix(got, "[\"two\"]\n") {
		t.Errorf("printed %q", got)
	}
	c.fails("restart", `{"arguments":{"program":"/none.star"}}`, "none.star")
	c.fails("restart", `{"arguments":[]}`, "restart: the value is a list, want an object")
	if n := len(b.runs.List()); n != 1 {
		t.Errorf("%d programs run", n)
	}
	c.ok("continue", `{"threadId":1}`)
	c.ends(0)
	if n := strings.Count(strings.Join(c.trace, "\n"), "event terminated"); n != 1 {
		t.Errorf("%d events terminated", n)
	}
}

func TestRestartFrame(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", nested...)
	c := b.connect()
	c.ok("initialize", everything)
	c.lines(program, 2)
	c.launch(program, "")
	c.stops("breakpoint", "main.star:2")
	stack := c.stack()
	c.fails("restartFrame", fmt.Sprintf(`{"frameId":%d}`, stack[0].ID), "outermost")
	c.ok("restartFrame", fmt.Sprintf(`{"frameId":%d}`, stack[len(stack)-1].ID))
	c.stops("entry", "main.star:1")
	c.ok("continue", `{"threadId":1}`)
	c.stops("breakpoint", "main.star:2")
}

func TestTerminate(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", endless...)
	t.Run("running", func(t *testing.T) {
		b.t = t
		c := b.debug(program, "")
		c.ok("terminate", "")
		c.ends(1)
		c.ok("terminate", "")
		c.leave()
	})
	t.Run("stopped", func(t *testing.T) {
		b.t = t
		c := b.debug(program, `"stopOnEntry":true`)
		c.stops("entry", "main.star:1")
		c.ok("terminate", "")
		c.ends(1)
		c.leave()
	})
	t.Run("before launch", func(t *testing.T) {
		b.t = t
		c := b.connect()
		c.ok("initialize", everything)
		c.ok("terminate", "")
		c.event("terminated")
		c.fails("launch", launchText(program, ""), "ended before")
		c.leave()
	})
	t.Run("while launch waits", func(t *testing.T) {
		b.t = t
		c := b.connect()
		c.ok("initialize", everything)
		launch := c.Request("launch", launchText(program, ""))
		terminate := c.Request("terminate", "")
		for range 2 {
			m := c.next()
			for m.Type == "event" {
				c.stash = append(c.stash, m)
				m = c.next()
			}
			if want := *m.RequestSeq == terminate; *m.Success != want {
				t.Errorf("%v; launch is request %d", m, launch)
			}
		}
		c.event("terminated")
		c.leave()
	})
}
