package debugger

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"go.starlark.net/starlark"
)

// runaways are programs that never end, in ways that offer a hook less and less often.
var runaways = map[string]string{
	"loop":          "i = 0\nwhile True:\n    i += 1\n",
	"empty loop":    "while True:\n    pass\n",
	"comprehension": "x = [0 for i in range(1 << 30) for j in range(1 << 30) if False]\n",
	"lambda":        "f = lambda: [0 for i in range(1 << 30) for j in range(1 << 30) if j < 0]\nf()\n",
	"recursion":     "def f():\n    while True:\n        g()\ndef g():\n    return 1\nf()\n",
}

func TestPauseRunaway(t *testing.T) {
	for name, program := range runaways {
		t.Run(name, func(t *testing.T) {
			s := prepare(t, Config{}, map[string]string{"main.star": program})
			s.start()
			for range 3 {
				if err := s.run.Pause(); err != nil {
					t.Fatal(err)
				}
				if stop := s.stopped(); stop.Reason != ReasonPause || stop.Line == 0 {
					t.Errorf("stop %+v", stop)
				}
				wantText(t, "evaluation", s.eval("1 + 1"), "2")
				s.resume(Continue)
			}
		})
	}
}

// stopAtEntry runs a program up to its first statement.
func stopAtEntry(t *testing.T, program string) *session {
	t.Helper()
	s := prepare(t, Config{StopOnEntry: true}, map[string]string{"main.star": program})
	s.start()
	s.stopped()
	return s
}

func TestTerminate(t *testing.T) {
	scenes := map[string]func(*testing.T) *session{
		"ready": func(t *testing.T) *session { return prepare(t, Config{}, nil) },
		"stopped": func(t *testing.T) *session {
			return stopAtEntry(t, "x = 1")
		},
		"evaluating": func(t *testing.T) *session {
			s := stopAtEntry(t, "x = 1")
			var group sync.WaitGroup
			group.Go(func() {
				if got := s.eval(runawayExpression); !strings.HasPrefix(got, "error: ") {
					t.Errorf("the evaluation returned %s", got)
				}
			})
			t.Cleanup(group.Wait)
			runtime.Gosched()
			return s
		},
		"without debugging": func(t *testing.T) *session {
			s := prepare(t, Config{NoDebug: true}, map[string]string{"main.star": runaways["loop"]})
			s.start()
			if err := s.run.Pause(); !errors.Is(err, ErrNoDebug) {
				t.Errorf("pause: %v", err)
			}
			return s
		},
		"printing to nobody who reads": func(t *testing.T) *session {
			s := prepare(t, Config{}, map[string]string{
				"main.star": "while True:\n    print('x' * 1000)\n",
			})
			s.start()
			for !s.obs.full() {
				runtime.Gosched()
			}
			return s
		},
	}
	for name, program := range runaways {
		scenes[name] = func(t *testing.T) *session {
			s := prepare(t, Config{}, map[string]string{"main.star": program})
			s.start()
			return s
		}
	}
	for name, scene := range scenes {
		t.Run(name, func(t *testing.T) {
			s := scene(t)
			s.run.Terminate()
			<-s.run.Done()
			s.wantTerminated()
		})
	}
}

func (s *session) wantTerminated() {
	s.Helper()
	s.run.Terminate() // again
	if result := s.ended(); !errors.Is(result.Err, ErrTerminated) || result.ExitCode != 1 {
		s.Errorf("ended with %+v", result)
	}
	if state := s.run.State(); state.Phase != PhaseEnded || len(s.run.Threads()) != 0 {
		s.Errorf("state %+v", state)
	}
	for _, err := range []error{s.run.Start(), s.run.Restart()} {
		if err == nil {
			s.Error("begun again after its end")
		}
	}
}

// full reports whether output has to wait for the observer.
func (o *Observer) full() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue) >= maxQueuedEvents
}

var errOwn = errors.New("our own failure")

const runawayExpression = "[0 for i in range(1 << 30) for j in range(1 << 30) if False]"

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name, program, want string
		cfg                 Config
	}{
		{"steps", runaways["loop"], "Starlark computation cancelled: too many steps",
			Config{MaxSteps: 1000}},
		{"steps without debugging", runaways["loop"],
			"Starlark computation cancelled: too many steps",
			Config{MaxSteps: 1000, NoDebug: true}},
		{"output", "while True:\n    print('x')\n",
			"Starlark computation cancelled: output limit of 100 bytes exceeded",
			Config{MaxOutput: 100}},
		{"cycle", "load('main.star', 'x')",
			"cannot load main.star: cycle of loads: main.star -> main.star", Config{}},
		{"missing module", "load('none.star', 'x')",
			"cannot load none.star: no file none.star", Config{}},
		{"missing name", "load('lib.star', 'no')",
			"load: name no not found in module lib.star", Config{}},
		{"a name of ours", "load('lib.star', x = '0')",
			"load: name 0 not found in module lib.star", Config{}},
		{"syntax", "x = ", "main.star:1:5: got end of file, want primary expression", Config{}},
		{"size", strings.Repeat("#", maxText+1),
			"main.star has 2097153 bytes, more than the 2097152 that can be debugged", Config{}},
		{"undefined", "x = y", "main.star:1:5: undefined: y", Config{}},
		// A megabyte of these used to keep a CPU busy for minutes, and nothing could end that.
		{"depth", "if 0: pass\n" + strings.Repeat("elif 0: pass\n", maxDepth),
			"main.star:10000:1: the statement is nested too deeply to be run", Config{}},
		{"panic", "boom()", "panic in a built-in function: at the disco", Config{
			Predeclared: starlark.StringDict{"boom": starlark.NewBuiltin("boom", boom)},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"main.star": test.program, "lib.star": "y = 1"}
			s := prepare(t, test.cfg, files)
			s.start()
			wantText(t, "error", errOf(s.ended().Err), test.want)
		})
	}
}

func boom(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (
	starlark.Value, error,
) {
	panic("at the disco")
}

// Runs at the same time have nothing in common.
func TestSeveralRuns(t *testing.T) {
	var group sync.WaitGroup
	for n := range 8 {
		s := prepare(t, Config{Args: []string{fmt.Sprint(n)}}, map[string]string{
			"main.star": "n = int(args[0])\ntotal = 0\nfor i in range(n * 10):\n    total += 1\n" +
				"print(total)\n",
		})
		group.Go(func() {
			s.run.SetBreakpoints("me", "main.star", []Breakpoint{
				{Line: 4, Conditions: Conditions{Hit: fmt.Sprintf("%%%d", n+1)}},
			})
			if err := s.run.Start(); err != nil {
				t.Error(err)
			}
			places, _ := s.steps(Continue)
			if want := n * 10 / (n + 1); len(places) != want {
				t.Errorf("run %d stopped %d times, want %d", n, len(places), want)
			}
			wantText(t, "output", s.output.String(), fmt.Sprintf("%d\n", n*10))
		})
	}
	group.Wait()
}

// Two clients look at one program, and each learns what the other does.
func TestTwoClients(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true}, map[string]string{"main.star": "x = 1\ny = 2\n"})
	s.start()
	s.stopped()
	second := s.run.Observe()
	defer second.Close()
	if err := s.run.Resume(Resume{Move: StepOver, By: "first"}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for range 3 {
		ev, err := second.Next(s.ctx())
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%T %+v", ev, ev))
	}
	for i, want := range []string{"main.star Line:1", "By:first", "main.star Line:2"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("event %d is %s, want %s", i, got[i], want)
		}
	}
}

// A client that asks while another makes the program go on gets an answer or a refusal.
func TestInspectWhileResuming(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true}, map[string]string{
		"main.star": "i = 0\nwhile i < 300:\n    i += 1\n",
	})
	s.start()
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			frames, _, err := s.run.Frames(s.ctx(), 0, 0)
			if err == nil {
				_, err = s.run.Scopes(s.ctx(), frames[0].ID)
			}
			if err != nil && !errors.Is(err, ErrNotStopped) &&
				!strings.Contains(err.Error(), "not one of the present stop") {
				t.Error(err)
			}
		}
	})
	places, _ := s.steps(StepIn)
	close(stop)
	group.Wait()
	if len(places) != 302 {
		t.Errorf("%d stops, want 302", len(places))
	}
}

// TestRestartStopped begins anew at the first statement, also with a run that did not stop there
// the first time, and with one that failed.
func TestRestartStopped(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "a = 1\nfail(a)\n"})
	s.run.SetFilters("me", Filters{Uncaught: true})
	s.start()
	for range 2 {
		if stop := s.stopped(); stop.Reason != ReasonException {
			t.Errorf("stopped for %s", stop.Reason)
		}
		if err := s.run.RestartStopped(); err != nil {
			t.Fatal(err)
		}
		if ev := s.next(); ev != (Restarted{}) {
			t.Fatalf("%#v, want a restart", ev)
		}
		if stop := s.stopped(); stop.Reason != ReasonEntry || stop.Line != 1 {
			t.Errorf("stopped for %s in line %d", stop.Reason, stop.Line)
		}
		s.resume(Continue)
	}
	s.stopped()
	if err := s.run.Restart(); err != nil {
		t.Fatal(err)
	}
	s.next()
	if stop := s.stopped(); stop.Reason != ReasonException {
		t.Errorf("a restart that is not to stop stopped for %s", stop.Reason)
	}
}

// A pause that the program has not got to when it is begun anew is due in the new one. It used to
// be forgotten, though the client had been told that it would come.
func TestPauseOutlivesRestart(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": runaways["loop"]})
	s.start()
	for range 20 {
		if err := s.run.Restart(); err != nil {
			t.Fatal(err)
		}
		if err := s.run.Pause(); err != nil {
			t.Fatal(err)
		}
		ev := s.next()
		if ev == (Restarted{}) {
			ev = s.next()
		}
		if stop, ok := ev.(Stopped); !ok || stop.Stop.Reason != ReasonPause {
			t.Fatalf("%#v, want the pause", ev)
		}
		s.resume(Continue)
	}
}
