package debugger

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

// glutton is a function that doubles a list until it is larger than the tests allow, and then takes
// its time, in few steps, to be ended.
const glutton = "def f():\n    x = [0]\n    for i in range(1 << 40):\n" +
	"        x = x + x if i < 22 else sorted(x)\n"

// greedy are programs that take more memory than the tests allow, and then go on for ever.
var greedy = map[string]string{
	"appending": "x = []\nwhile True:\n    if len(x) < 100000: x.append(str(len(x)) * 1000)\n",
	"doubling":  glutton + "f()\n",
	"condition": glutton + "x = 1\n",
}

// A program that took all memory there was used to take the host with it, and every session.
func TestMemoryOfPrograms(t *testing.T) {
	for name, program := range greedy {
		for _, plain := range []bool{false, true} {
			cfg := Config{NoDebug: plain, MaxMemory: 32 << 20}
			s := prepare(t, cfg, map[string]string{"main.star": program})
			if name == "condition" {
				if plain {
					continue
				}
				s.run.SetBreakpoints("me", "main.star", []Breakpoint{
					{Line: 5, Conditions: Conditions{Condition: "f()"}},
				})
			}
			s.start()
			result := s.ended()
			if !errors.Is(result.Err, ErrMemory) || result.ExitCode != 1 {
				t.Errorf("%s: ended with %+v", name, result)
			}
			if !strings.Contains(result.Backtrace, "grew by more than 32 MiB") {
				t.Errorf("%s: backtrace %s", name, result.Backtrace)
			}
			if s.run.Globals() != nil {
				t.Errorf("%s: the globals are kept", name)
			}
		}
	}
}

func TestMemoryOfEvaluations(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true, MaxMemory: 32 << 20}, map[string]string{
		"main.star": glutton + "x = 1\n",
	})
	s.start()
	s.stopped()
	s.resume(StepOver)
	s.stopped()
	if got := s.eval("f()"); !strings.Contains(got, "grew by more than 32 MiB") {
		t.Errorf("evaluated to %s", got)
	}
	wantText(t, "afterwards", s.eval("1 + 1"), "2")
	s.resume(Continue)
	if result := s.ended(); result.Err != nil {
		t.Errorf("the program ended with %v", result.Err)
	}
}

// The one that the memory grew under is ended: neither who stands still nor who came later.
func TestMeterEndsTheGreediest(t *testing.T) {
	synctest.Test(t, testMeter) // in which the meter has no time to look by itself
}

func testMeter(t *testing.T) {
	var ended []string
	m := new(Meter)
	load := func(name string) *load {
		return &load{limit: 100, end: func() { ended = append(ended, name) }}
	}
	still, greedy, modest := load("still"), load("greedy"), load("modest")
	m.enter(still)
	m.leave(still)
	m.enter(greedy)
	look := func(live uint64) {
		m.mu.Lock()
		worst := m.charge(live)
		m.mu.Unlock()
		if worst != nil {
			worst.end()
		}
	}
	start := m.live
	look(start + 90)
	m.enter(modest)
	m.live = start + 90
	look(start + 195) // both are over the limit
	look(start + 300)
	m.leave(greedy)
	m.finish(greedy)
	m.live = start + 300
	look(start + 20) // its memory is free
	m.leave(modest)
	if got := strings.Join(ended, " "); got != "greedy" {
		t.Errorf("ended %s, want greedy", got)
	}
}
