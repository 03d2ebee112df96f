package mcpface

import (
	"strings"
	"testing"
	"time"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// started returns the follower of a program that an agent has started.
func (b *bench) started(a *agent, in args) *follower {
	b.Helper()
	s := invoke[Snapshot](a, "debug_start", in)
	run, err := b.programs.Find(s.Session)
	if err != nil {
		b.Fatal(err)
	}
	of, err := b.face.follows.of(run, b.programs)
	if err != nil {
		b.Fatal(err)
	}
	return of
}

// A program at which no agent looks any more goes on, unless somebody else does.
func TestIdleFollower(t *testing.T) {
	b := newBench(t, program)
	a := b.agent(false, nil)
	of := b.started(a, args{"file": "main.star", "stop_on_entry": true})
	of.idle.Reset(time.Nanosecond)
	<-of.run.Done()
	if result := of.run.State().Result; result.Err != nil {
		t.Errorf("the program ended with %v", result.Err)
	}
	a.failsWith(codeNotFound, "debug_continue", args{})
}

// Of what nobody asked for the end is kept.
func TestOutputOfAFollower(t *testing.T) {
	b := newBench(t, map[string]string{
		"a.star": "def f():\n    for i in range(20000): print(\"0123456\")\n\nf()\nprint('é')\n",
	})
	s := invoke[Snapshot](b.agent(false, nil), "debug_start", args{"file": "a.star"})
	if len(s.Output) != defaultOutput || s.OutputDropped != 20000*8+3-defaultOutput ||
		!strings.HasSuffix(s.Output, "0123456\né\n") {
		t.Errorf("%d bytes of output, %d dropped", len(s.Output), s.OutputDropped)
	}
}

// The registry ends all programs when it is closed, and none is begun any more.
func TestRegistryIsClosed(t *testing.T) {
	b := newBench(t, program)
	a := b.agent(false, nil)
	of := b.started(a, args{"file": "loop.star", "timeout_seconds": 0.01})
	b.programs.Close()
	if phase := of.run.State().Phase; phase != debugger.PhaseEnded {
		t.Errorf("the program is %v", phase)
	}
	a.failsWith(codeFailed, "debug_start", args{"file": "main.star"})
}
