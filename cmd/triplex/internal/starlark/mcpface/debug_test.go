package mcpface

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

var program = map[string]string{
	"main.star": "def f(n):\n    print(\"f\", n)\n    m = n + 1\n    return m\n\n" +
		"a = f(1)\nb = f(a)\nprint(\"end\")\n",
	"loop.star": "def f():\n    for i in range(1 << 60):\n        pass\n\nf()\n",
	"fail.star": "def f():\n    return 1 // 0\n\nf()\n",
}

// at renders where and why a program stands.
func (s Snapshot) at() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %d", s.State, s.Reason, s.Line))
}

// A program whose agent had left used to run for ever.
func TestDebugStepLimit(t *testing.T) {
	a := newBench(t, program).agent(false, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "loop.star", "max_steps": 1000})
	if s.State != "ended" || s.Failure == nil || s.Failure.Code != codeSteps {
		t.Errorf("%+v", s)
	}
}

func TestDebug(t *testing.T) {
	eachEra(t, program, func(t *testing.T, a *agent) {
		s := invoke[Snapshot](a, "debug_start", args{"file": "main.star", "breakpoints": []int{3, 99}})
		if s.at() != "stopped breakpoint 3" || s.File != a.path("main.star") || s.Output != "f 1\n" {
			t.Errorf("%+v", s)
		}
		if len(s.Breakpoints) != 2 || s.Breakpoints[0] != (Breakpoint{3, true, ""}) ||
			s.Breakpoints[1].Verified || s.Breakpoints[1].Message == "" {
			t.Errorf("breakpoints %v", s.Breakpoints)
		}
		if fmt.Sprint(s.Locals) != "[{n int 1}]" || len(s.Source) != 7 || !s.Source[2].Current ||
			s.Source[2].Text != "    m = n + 1" {
			t.Errorf("%+v", s)
		}
		if len(s.Stack) != 2 || s.Stack[0].Function != "f" || s.Stack[1].Line != 6 ||
			s.Stack[1].Frame != 1 {
			t.Errorf("stack %+v", s.Stack)
		}
		session := args{"session": s.Session}
		s = invoke[Snapshot](a, "debug_step", session)
		if s.at() != "stopped step 4" || len(s.Locals) != 2 {
			t.Errorf("%+v", s)
		}
		s = invoke[Snapshot](a, "debug_step", with(session, "kind", "out"))
		if s.at() != "stopped step 7" || fmt.Sprint(s.Locals[0]) != "{a int 2}" {
			t.Errorf("%+v", s)
		}
		s = invoke[Snapshot](a, "debug_step", with(session, "kind", "in"))
		if s.at() != "stopped step 2" {
			t.Errorf("%+v", s)
		}
		out := invoke[breakpointsOut](a, "debug_breakpoints",
			with(with(session, "file", "main.star"), "lines", []int{}))
		if len(out.Breakpoints) != 0 {
			t.Errorf("%+v", out)
		}
		s = invoke[Snapshot](a, "debug_continue", session)
		if s.at() != "ended  0" || *s.ExitCode != 0 || s.Failure != nil || s.Output != "f 2\nend\n" {
			t.Errorf("%+v", s)
		}
		a.failsWith(codeNotFound, "debug_continue", session)
	})
}

func TestDebugEvaluate(t *testing.T) {
	a := newBench(t, program).agent(false, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "main.star", "stop_on_entry": true})
	if s.at() != "stopped entry 1" || s.Driver != "agent tester" {
		t.Errorf("%+v", s)
	}
	invoke[breakpointsOut](a, "debug_breakpoints", args{"file": "main.star", "lines": []int{4}})
	invoke[Snapshot](a, "debug_continue", args{})
	eval := func(expression string, frame int) evaluateOut {
		t.Helper()
		return invoke[evaluateOut](a, "debug_evaluate", args{"expression": expression, "frame": frame})
	}
	if e := eval("n + m", 0); e.Value != "3" || e.Type != "int" {
		t.Errorf("%+v", e)
	}
	if e := eval("f", 1); e.Value != "<function f>" {
		t.Errorf("%+v", e)
	}
	e := eval("list(range(1000))", 0)
	if len(e.Elements) != maxLocals || e.Omitted != 1000-maxLocals || e.Elements[1].Value != "1" {
		t.Errorf("%+v", e)
	}
	if e := eval("print('out')", 0); e.Output != "out\n" {
		t.Errorf("%+v", e)
	}
	for name, c := range map[string]struct {
		in   args
		code string
	}{
		"undefined": {args{"expression": "nothing"}, codeRuntime},
		"panic":     {args{"expression": "set().difference()"}, codeRuntime},
		"frame":     {args{"expression": "1", "frame": 2}, codeArguments},
		"negative":  {args{"expression": "1", "frame": -1}, codeArguments},
		"session":   {args{"expression": "1", "session": "99"}, codeNotFound},
	} {
		if f := a.failing("debug_evaluate", c.in); f.Code != c.code {
			t.Errorf("%s: %+v", name, *f)
		}
	}
	for name, c := range map[string]struct {
		tool string
		in   args
	}{
		"line": {"debug_breakpoints", args{"file": "main.star", "lines": []int{0}}},
		"lines": {"debug_breakpoints",
			args{"file": "main.star", "lines": make([]int, maxBreakpoints+1)}},
		"at once": {"debug_start", args{"file": "main.star", "breakpoints": []int{-1}}},
		"kind":    {"debug_step", args{"kind": "sideways"}},
	} {
		if f := a.failing(c.tool, c.in); f.Code != codeArguments {
			t.Errorf("%s: %+v", name, *f)
		}
	}
	s = invoke[Snapshot](a, "debug_stop", args{})
	if s.State != "ended" || s.Failure.Code != "terminated" || *s.ExitCode != 1 {
		t.Errorf("%+v", s)
	}
	if list := invoke[sessionsOut](a, "debug_sessions", args{}); len(list.Sessions) != 0 {
		t.Errorf("%+v", list)
	}
}

// A program that does not stop in time is waited for by the next call, and can always be ended.
func TestDebugRunaway(t *testing.T) {
	a := newBench(t, program).agent(false, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "loop.star", "timeout_seconds": 0.01})
	if s.State != "running" || len(s.Stack) > 0 {
		t.Errorf("%+v", s)
	}
	short := args{"session": s.Session, "timeout_seconds": 0.01}
	if s := invoke[Snapshot](a, "debug_continue", short); s.State != "running" {
		t.Errorf("%+v", s)
	}
	a.failsWith(codeState, "debug_step", short)
	a.failsWith(codeState, "debug_evaluate", with(args{"session": s.Session}, "expression", "1"))
	s = invoke[Snapshot](a, "debug_pause", args{})
	for s.State == "stopped" && s.Stack[0].Function != "f" { // it has not come so far yet
		invoke[Snapshot](a, "debug_continue", short)
		s = invoke[Snapshot](a, "debug_pause", args{})
	}
	if s.State != "stopped" || s.Reason != "pause" {
		t.Errorf("%+v", s)
	}
	if again := invoke[Snapshot](a, "debug_pause", args{}); again.at() != s.at() {
		t.Errorf("paused twice: %+v", again)
	}
	e := invoke[evaluateOut](a, "debug_evaluate", args{"expression": "i"})
	if e.Type != "int" {
		t.Errorf("%+v", e)
	}
	if s := invoke[Snapshot](a, "debug_stop", args{}); s.State != "ended" {
		t.Errorf("%+v", s)
	}
}

func TestDebugFailure(t *testing.T) {
	a := newBench(t, program).agent(true, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "fail.star"})
	if s.State != "ended" || *s.ExitCode != 1 || s.Failure.Code != codeRuntime ||
		s.Failure.Line != 2 || !strings.Contains(s.Failure.Backtrace, "fail.star:4") {
		t.Errorf("%+v", s)
	}
}

// Agents had to guess at the values with which a program fails.
func TestDebugStopsAtFailure(t *testing.T) {
	a := newBench(t, map[string]string{
		"raise.star":  "def f(n):\n    fail('no', n)\n\nf(1)\n",
		"divide.star": "def f(n):\n    return 1 // n\n\nx = 3\nf(0)\n",
	}).agent(false, nil)
	for file, c := range map[string]struct{ text, values string }{
		"raise.star":  {"no 1", "{n int 1}"},
		"divide.star": {"division by zero", "{x int 3}"}, // the frame of f is gone
	} {
		s := invoke[Snapshot](a, "debug_start", args{"file": file, "stop_on_failure": true})
		if s.at() != "stopped exception 2" || !strings.Contains(s.Text, c.text) ||
			!strings.Contains(fmt.Sprint(s.Locals), c.values) || len(s.Stack) != 2 {
			t.Errorf("%s: %+v", file, s)
		}
		if s := invoke[Snapshot](a, "debug_continue", args{}); s.Failure == nil {
			t.Errorf("%s: %+v", file, s)
		}
	}
}

// The debugger runs what the editor has not saved.
func TestDebugUnsaved(t *testing.T) {
	b := newBench(t, program)
	b.editor(`{}`).open(uriOf(b.path("main.star")), "unsaved = 1\nprint(unsaved)\n")
	a := b.agent(false, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "main.star", "breakpoints": []int{2}})
	if s.at() != "stopped breakpoint 2" || s.Source[1].Text != "print(unsaved)" {
		t.Errorf("%+v", s)
	}
}

func TestDebugClientJoinsAgent(t *testing.T) {
	b := newBench(t, program)
	a := b.agent(false, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "main.star", "breakpoints": []int{3}})
	client := b.debugger()
	client.request("configurationDone", `{}`)
	client.request("attach", fmt.Sprintf(`{"session":%q}`, s.Session))
	if body := client.event("stopped"); body["reason"] != "breakpoint" {
		t.Errorf("%v", body)
	}
	list := invoke[sessionsOut](a, "debug_sessions", args{})
	if len(list.Sessions) != 1 || list.Sessions[0].Driver != "agent tester" ||
		list.Sessions[0].Place != a.path("main.star")+":3" || list.Sessions[0].State != "stopped" {
		t.Errorf("%+v", list)
	}
	invoke[Snapshot](a, "debug_step", args{})
	client.event("continued")
	if body := client.event("stopped"); body["reason"] != "step" {
		t.Errorf("%v", body)
	}
	client.request("next", `{"threadId":1}`)
	client.event("stopped")
	list = invoke[sessionsOut](a, "debug_sessions", args{})
	if !strings.HasPrefix(list.Sessions[0].Driver, "Tester") ||
		list.Sessions[0].StartedBy != "agent tester" {
		t.Errorf("%+v", list)
	}
	if e := invoke[evaluateOut](a, "debug_evaluate", args{"expression": "a"}); e.Value != "2" {
		t.Errorf("%+v", e)
	}
	if s := invoke[Snapshot](a, "debug_stop", args{}); s.State != "ended" {
		t.Errorf("%+v", s)
	}
	client.event("terminated")
}

func TestAgentJoinsDebugClient(t *testing.T) {
	b := newBench(t, program)
	client := b.debugger()
	client.Sendf(`{"seq":90,"type":"request","command":"launch","arguments":`+
		`{"program":%q,"stopOnEntry":true}}`, b.path("main.star"))
	client.event("initialized")
	client.request("setBreakpoints", fmt.Sprintf(`{"source":{"path":%q},"breakpoints":[{"line":4}]}`,
		b.path("main.star")))
	client.request("configurationDone", `{}`)
	client.event("stopped")
	a := b.agent(true, nil)
	s := invoke[Snapshot](a, "debug_continue", args{})
	if s.at() != "stopped breakpoint 4" || s.Locals[1].Value != "2" {
		t.Errorf("%+v", s)
	}
	client.event("continued")
	client.event("stopped")
	client.request("disconnect", `{"terminateDebuggee":false}`)
	if s := invoke[Snapshot](a, "debug_step", args{"kind": "out"}); s.at() != "stopped step 7" {
		t.Errorf("%+v", s)
	}
}

// A call that is cancelled leaves the program as it is.
func TestDebugCancelled(t *testing.T) {
	b := newBench(t, program)
	a := b.agent(false, nil)
	s := invoke[Snapshot](a, "debug_start", args{"file": "loop.star", "timeout_seconds": 0.01})
	run, err := b.programs.Find(s.Session)
	if err != nil {
		t.Fatal(err)
	}
	of, err := b.face.follows.of(run, b.programs)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (call{Face: b.face}).wait(ctx, of, 0, Wait{}); err == nil {
		t.Error("the wait went on")
	}
	if phase := run.State().Phase; phase != debugger.PhaseRunning {
		t.Errorf("the program is %v", phase)
	}
}
