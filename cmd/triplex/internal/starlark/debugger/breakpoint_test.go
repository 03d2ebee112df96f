package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

const loop = `def work(i):
    """Doubles."""
    # a comment

    return 2 * i

total = 0
for i in range(10):
    total += work(i); total += 0
print(total)
`

func TestSetBreakpoints(t *testing.T) {
	for _, test := range []struct {
		name string
		bp   Breakpoint
		want string
	}{
		{"a statement", Breakpoint{Line: 7}, "true 7:1 "},
		{"a docstring", Breakpoint{Line: 2}, "true 5:5 "},
		{"a comment", Breakpoint{Line: 3}, "true 5:5 "},
		{"a column", Breakpoint{Line: 9, Column: 6}, "true 9:23 "},
		{"below the end", Breakpoint{Line: 11}, "false 11:0 no statement at this line or below"},
		{"a line before the first", Breakpoint{Line: -5}, "true 1:1 "},
		{
			"a bad condition",
			Breakpoint{Line: 7, Conditions: Conditions{Condition: "1 +"}},
			"false 7:1 condition: got end of file, want primary expression",
		},
		{
			"a bad hit condition",
			Breakpoint{Line: 7, Conditions: Conditions{Hit: "often"}},
			`false 7:1 hit condition: "often" is not a count, want such as 3, >=3 or %3`,
		},
		{
			"an unknown operator",
			Breakpoint{Line: 7, Conditions: Conditions{Hit: "<>3"}},
			`false 7:1 hit condition: operator "<>" is unknown, want ==, !=, <, <=, >, >= or %`,
		},
		{
			"an open brace",
			Breakpoint{Line: 7, LogMessage: "x is {x"},
			`false 7:1 log message: no closing brace after "{x"`,
		},
		{
			"too long a condition",
			Breakpoint{Line: 7, Conditions: Conditions{Condition: strings.Repeat("1", 5000)}},
			"false 7:1 conditions and message are longer than 4096 bytes",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepare(t, Config{}, map[string]string{"main.star": loop})
			got := s.run.SetBreakpoints("me", "main.star", []Breakpoint{test.bp})[0]
			wantText(t, "status", fmt.Sprintf("%v %d:%d %s",
				got.Verified, got.Line, got.Column, got.Message), test.want)
		})
	}
}

func TestBreakpointsOfBrokenFile(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"bad.star": "x = ("})
	for path, want := range map[string]string{
		"bad.star":  "bad.star:1:6: got end of file, want primary expression",
		"none.star": "no file none.star",
	} {
		got := s.run.SetBreakpoints("me", path, []Breakpoint{{Line: 1}})[0]
		if got.Verified || got.Message != want {
			t.Errorf("%s: %+v, want message %q", path, got, want)
		}
	}
}

func TestConditions(t *testing.T) {
	for _, test := range []struct {
		name string
		bp   Breakpoint
		want string // the values of i at the stops
	}{
		{"none", Breakpoint{}, "0 1 2 3 4 5 6 7 8 9"},
		{"condition", Breakpoint{Conditions: Conditions{Condition: "i % 4 == 1"}}, "1 5 9"},
		{"plain hit", Breakpoint{Conditions: Conditions{Hit: "3"}}, "2"},
		{"equal hit", Breakpoint{Conditions: Conditions{Hit: " == 3 "}}, "2"},
		{"hits from", Breakpoint{Conditions: Conditions{Hit: ">= 9"}}, "8 9"},
		{"hits after", Breakpoint{Conditions: Conditions{Hit: ">9"}}, "9"},
		// These three used to be refused, though other debuggers know them.
		{"hits before", Breakpoint{Conditions: Conditions{Hit: "<3"}}, "0 1"},
		{"hits up to", Breakpoint{Conditions: Conditions{Hit: "<= 3"}}, "0 1 2"},
		{"hits but one", Breakpoint{Conditions: Conditions{Hit: "!=3", Condition: "i < 4"}}, "0 1 3"},
		{"each hit", Breakpoint{Conditions: Conditions{Hit: "%4"}}, "3 7"},
		{"both", Breakpoint{Conditions: Conditions{Condition: "i > 4", Hit: "2"}}, "6"},
		{"function call", Breakpoint{Conditions: Conditions{Condition: "work(i) == 8"}}, "4"},
		{"failing", Breakpoint{Conditions: Conditions{Condition: "i / 0"}}, ""},
		{"undefined", Breakpoint{Conditions: Conditions{Condition: "nothing"}}, ""},
		{"endless", Breakpoint{Conditions: Conditions{
			Condition: "[x for x in range(1000000000)]",
		}}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepare(t, Config{}, map[string]string{"main.star": loop})
			test.bp.Line = 9
			s.run.SetBreakpoints("me", "main.star", []Breakpoint{test.bp})
			s.start()
			var got []string
			for {
				ev, ok := s.next().(Stopped)
				if !ok {
					break
				}
				if ev.Stop.Reason != ReasonBreakpoint || len(ev.Stop.Hits) != 1 {
					t.Errorf("stop %+v, want one breakpoint hit", ev.Stop)
				}
				got = append(got, s.eval("i"))
				s.resume(Continue)
			}
			wantText(t, "stops at i =", strings.Join(got, " "), test.want)
			wantText(t, "output", s.output.String(), "90\n")
			broken := test.want == ""
			if broken != (len(s.said) == 1) {
				t.Errorf("the user was told %+v", s.said)
			}
		})
	}
}

func TestLogPoints(t *testing.T) {
	for _, test := range []struct{ name, message, want string }{
		{"text", "here", "here"},
		{"values", `{i}: {"str"} {[i]} {{i}}`, `9: str [9] {i}`},
		{"braces inside", `{ {"}": i}["}"] }!`, "9!"},
		{"failing", "x {i // 0} y", "x {i // 0} y"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepare(t, Config{}, map[string]string{"main.star": loop})
			s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 9, LogMessage: test.message}})
			s.start()
			s.ended()
			var logged []Output
			for _, out := range s.said {
				if out.Category == Console {
					logged = append(logged, out)
				}
			}
			if len(logged) != 10 {
				t.Fatalf("%d messages, want 10: %v", len(logged), s.said)
			}
			last := logged[9]
			wantText(t, "message", last.Text, test.want+"\n")
			if last.Path != "main.star" || last.Line != 9 {
				t.Errorf("message comes from %s:%d", last.Path, last.Line)
			}
		})
	}
}

func TestFunctionBreakpoints(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "load('lib.star', 'late')\nlate()\n",
		"lib.star":  "def late():\n    'Doc.'\n    return 1\n",
	})
	got := s.run.SetFunctionBreakpoints("me", []FunctionBreakpoint{
		{Name: "late"}, {Name: ""}, {Name: "none"},
	})
	if got[0].Verified || got[1].Verified || got[2].Verified {
		t.Errorf("verified before the file is known: %+v", got)
	}
	s.start()
	stop := s.stopped()
	wantText(t, "stop", stop.place(), "lib.star:3:5 function breakpoint")
	if !slices.Equal(stop.Hits, []int{got[0].ID}) {
		t.Errorf("hits %v, want the first of %+v", stop.Hits, got)
	}
	if len(s.moved) != 1 || !s.moved[0].Verified || s.moved[0].ID != got[0].ID {
		t.Errorf("changes %+v, want the first verified", s.moved)
	}
	s.resume(Continue)
	s.ended()
}

// Setting breakpoints anew replaces those of the file, also in one that runs.
func TestReplaceBreakpoints(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true}, map[string]string{"main.star": loop})
	s.start()
	s.stopped()
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 9}, {Line: 10}})
	s.resume(Continue)
	wantText(t, "stop", s.stopped().place(), "main.star:9:5 breakpoint")
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 10}})
	s.resume(Continue)
	wantText(t, "stop", s.stopped().place(), "main.star:10:1 breakpoint")
	s.run.SetBreakpoints("me", "main.star", nil)
	if err := s.run.Restart(); err != nil {
		t.Fatal(err)
	}
	if ev := s.next(); ev != (Restarted{}) {
		t.Fatalf("got %+v, want a restart", ev)
	}
	wantText(t, "stop", s.stopped().place(), "main.star:1:1 entry")
	s.resume(Continue)
	if result := s.ended(); result.Err != nil {
		t.Error(result.Err)
	}
}

// Clients set all breakpoints of a file again to add one: the others used to count from nothing.
func TestBreakpointsSetAgainGoOnCounting(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "def f(i):\n    return i\nfor i in range(10):\n    f(i)\n",
	})
	third := Breakpoint{Line: 4, Conditions: Conditions{Hit: "%3"}}
	fourth := FunctionBreakpoint{"f", Conditions{Hit: "4"}}
	before := s.run.SetBreakpoints("me", "main.star", []Breakpoint{third, third})
	s.run.SetFunctionBreakpoints("me", []FunctionBreakpoint{fourth})
	s.start()
	s.stopped()
	wantText(t, "i", s.eval("i"), "2")
	late := Breakpoint{Line: 4, Conditions: Conditions{Condition: "i == 4"}}
	after := s.run.SetBreakpoints("me", "main.star", []Breakpoint{late, third, third})
	if !slices.Equal(after[1:], before) {
		t.Errorf("%+v became %+v", before, after[1:])
	}
	s.run.SetFunctionBreakpoints("me", []FunctionBreakpoint{{Name: "g"}, fourth})
	for _, want := range []string{"3 function breakpoint", "4 breakpoint", "5 breakpoint"} {
		s.resume(Continue)
		stop := s.stopped()
		wantText(t, "stop", s.eval("i")+" "+string(stop.Reason), want)
	}
}

// A file that changes before it is loaded takes its breakpoints along.
func TestReverify(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "x = 1\n"})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 1}})
	s.source.set("main.star", "\n\nx = 1\n")
	s.run.Reverify("main.star")
	s.run.Reverify("main.star")
	s.source.set("main.star", "# nothing here\n\n\n\nx = 1\n")
	s.start()
	wantText(t, "stop", s.stopped().place(), "main.star:5:1 breakpoint")
	var lines []int
	for _, status := range s.moved {
		lines = append(lines, status.Line)
	}
	if !slices.Equal(lines, []int{3, 5}) {
		t.Errorf("moved to lines %v, want 3 then 5", lines)
	}
	s.source.set("main.star", "x = 1\n")
	s.run.Reverify("main.star") // it runs with another text
	if text, ok := s.run.Text("main.star"); !ok || !strings.HasPrefix(text, "# nothing") {
		t.Errorf("the text that runs is %q", text)
	}
}

func TestLocations(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": loop})
	got, err := s.run.Locations("main.star", Location{Line: 8}, Location{Line: 9})
	want := []Location{{8, 1}, {9, 5}, {9, 23}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("locations %v, %v, want %v", got, err, want)
	}
	if _, err := s.run.Locations("none.star", Location{Line: 1}, Location{Line: 1}); err == nil {
		t.Error("locations in a file that is not there")
	}
}

func TestFilters(t *testing.T) {
	const program = "def f(x):\n    y = x\n    fail('no', y)\n\nf(3)\n"
	const broken = "def f(x):\n    return 1 // x\n\nf(0)\n"
	for _, test := range []struct {
		name, program string
		filters       Filters
		want          string
		raised        bool
	}{
		{"raised", program, Filters{Raised: true}, "f main.star:3, <toplevel> main.star:5", true},
		{"fail", program, Filters{Uncaught: true}, "f main.star:3, <toplevel> main.star:5", true},
		{"uncaught", broken, Filters{Uncaught: true},
			"f main.star:2, <toplevel> main.star:4", false},
		{"not raised", broken, Filters{Raised: true}, "", false},
		{"none", program, Filters{}, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepare(t, Config{}, map[string]string{"main.star": test.program})
			s.run.SetFilters("me", test.filters)
			s.start()
			if test.want != "" {
				stop := s.stopped()
				wantText(t, "stack", s.stack(), test.want)
				x, err := s.run.Exception(s.ctx())
				if err != nil || stop.Reason != ReasonException || x.Raised != test.raised {
					t.Errorf("stop %+v at %+v, %v", stop, x, err)
				}
				if x.Message != stop.Text || !strings.Contains(x.Backtrace, x.Message) {
					t.Errorf("stop %+v at %+v", stop, x)
				}
				if test.raised {
					wantText(t, "a local", s.eval("y"), "3")
				}
				s.resume(Continue)
			}
			if result := s.ended(); result.ExitCode != 1 || result.Err == nil {
				t.Errorf("ended with %+v", result)
			}
		})
	}
}

func TestNotStopped(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "x = 1"})
	ctx := s.ctx()
	_, _, frames := s.run.Frames(ctx, 0, 0)
	_, scopes := s.run.Scopes(ctx, 0)
	_, variables := s.run.Variables(ctx, 1, Page{})
	_, eval := s.run.Evaluate(ctx, 0, "1", Watch)
	_, exception := s.run.Exception(ctx)
	resume := s.run.Resume(Resume{})
	for i, err := range []error{frames, scopes, variables, eval, exception, resume} {
		if !errors.Is(err, ErrNotStopped) {
			t.Errorf("request %d: %v, want %v", i, err, ErrNotStopped)
		}
	}
	if err := s.run.Pause(); !errors.Is(err, ErrNotRunning) {
		t.Errorf("pause: %v", err)
	}
}
