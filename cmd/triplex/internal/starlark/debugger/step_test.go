package debugger

import (
	"strings"
	"testing"
)

const calls = `def add(a, b):
    "Adds."
    c = a + b
    return c

def twice(x):
    y = add(x, x)
    return y

z = twice(2) + add(1, 1)
for i in range(2):
    pass
print(z)
`

func TestSteps(t *testing.T) {
	for _, test := range []struct {
		name string
		move Move
		want string
	}{
		{"in", StepIn, "1 6 10 7 3 4 8 3 4 11 12 12 13"},
		{"over", StepOver, "1 6 10 11 12 12 13"},
		{"out", StepOut, "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := prepare(t, Config{StopOnEntry: true}, map[string]string{"main.star": calls})
			s.start()
			places, result := s.steps(test.move)
			got := strings.ReplaceAll(strings.Join(places, " "), "main.star:", "")
			wantText(t, "lines", got, test.want)
			wantText(t, "output", s.output.String(), "6\n")
			if result.Err != nil {
				t.Error(result.Err)
			}
		})
	}
}

// A step over the end of a function goes to its caller's next statement, not into another call of
// the caller's statement.
func TestStepOverEnd(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": calls})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 8}})
	s.start()
	wantText(t, "stop", s.stopped().place(), "main.star:8:5 breakpoint")
	s.resume(StepOver)
	wantText(t, "stop", s.stopped().place(), "main.star:11:1 step")
}

func TestStepInTargets(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": calls})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 10}})
	s.start()
	s.stopped()
	targets, err := s.run.StepInTargets(s.ctx())
	want := []Target{{1, "twice(2)", 10, 5}, {2, "add(1, 1)", 10, 16}}
	if err != nil || len(targets) != 2 || targets[0] != want[0] || targets[1] != want[1] {
		t.Fatalf("targets %+v, %v, want %+v", targets, err, want)
	}
	if err := s.run.Resume(Resume{Move: StepIn, Target: 3}); err == nil {
		t.Error("stepped into a call that is not there")
	}
	if err := s.run.Resume(Resume{Move: StepIn, Target: 2}); err != nil {
		t.Fatal(err)
	}
	s.stopped()
	wantText(t, "stack", s.stack(), "add main.star:3, <toplevel> main.star:10")
	wantText(t, "argument", s.eval("a"), "1")
}

// Whatever stands above, the innermost statement is found. Behind an if without else this used to
// panic.
func TestStatementAt(t *testing.T) {
	l, err := parse("main.star", "if a: b()\nfor x in a:\n    if x: b()\n    elif a: b()\n"+
		"while a: b()\ndef f():\n    'Doc.'\ndef g(*, x):\n    if x: return\nload('m', 'c')\n"+
		"x = [\n  1]\nif a:\n    b()\nelse:\n    pass\nlambda: 1\n", everything)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range l.stmts {
		if found := l.at(placeOf(s.pos)); found != s {
			t.Errorf("at %v is the statement of %v", s.pos, found.pos)
		}
	}
	if found := l.at(place{12, 4}); found == nil || found.pos.Line != 11 {
		t.Errorf("in the second line of a statement is %+v", found)
	}
}

func TestCallsOfAStatement(t *testing.T) {
	for _, test := range []struct{ stmt, want string }{
		{"if a(): b()", "a()"},
		{"while a() or not b(): c()", "a() b()"},
		{"for x in a(b()): c()", "a(b()) b()"},
		{"def f(x, y = a(), *z): b()", "a()"},
		{"x = lambda: a()", ""},
		{"x[a()].y = [b() for c in d()]", "a() b() d()"},
		{"a(\n  1)", "a(…"},
		{"load('m', 'a')", ""},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)",
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(bbbbbbbbbbbbbbbbbbbbbbbbbbbbb…"},
	} {
		l, err := parse("main.star", test.stmt, everything)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, call := range callsIn(l.stmts[0].node) {
			got = append(got, l.excerpt(call))
		}
		wantText(t, test.stmt, strings.Join(got, " "), test.want)
	}
}

// A call that a built-in function makes is stepped into by way of the built-in's call.
func TestStepIntoCallback(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true}, map[string]string{
		"main.star": "def key(x):\n    return -x\n\nprint(sorted([1, 2], key = key))\n",
	})
	s.start()
	s.stopped()
	s.resume(StepOver)
	s.stopped()
	targets, err := s.run.StepInTargets(s.ctx())
	if err != nil || len(targets) != 2 || targets[1].Label != "sorted([1, 2], key = key)" {
		t.Fatalf("targets %+v, %v", targets, err)
	}
	if err := s.run.Resume(Resume{Move: StepIn, Target: 2}); err != nil {
		t.Fatal(err)
	}
	s.stopped()
	wantText(t, "stack", s.stack(), "key main.star:2, sorted :0, <toplevel> main.star:4")
	s.resume(StepOut)
	s.ended()
	wantText(t, "output", s.output.String(), "[2, 1]\n")
}
