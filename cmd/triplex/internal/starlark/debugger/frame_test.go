package debugger

import (
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// A function that does not use a loaded name itself used to stand where it meant nothing.
func TestLoadedNamesMeanSomethingInTheWholeFile(t *testing.T) {
	builtin := func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
		if module == "@math" {
			return starlark.StringDict{"pi": starlark.MakeInt(3)}, nil
		}
		return nil, nil
	}
	s := prepare(t, Config{Builtin: builtin}, map[string]string{
		"main.star": "load('@math', 'pi')\nload('lib.star', 'plain', two = 'twice')\n" +
			"def f(plain):\n    return plain\nf(1)\nplain()\n",
		"lib.star": "load('@math', tau = 'pi')\ndef twice(x): return 2 * x\n" +
			"def plain():\n    return 1\n",
	})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 4}})
	s.run.SetBreakpoints("me", "lib.star", []Breakpoint{{Line: 4}})
	s.start()
	s.stopped()
	wantText(t, "function", s.eval("two(21) + pi"), "45")
	wantText(t, "a variable in front of it", s.eval("plain"), "1")
	wantText(t, "another file's name", s.eval("tau"), "error: undefined: tau")
	if _, err := s.run.Evaluate(s.ctx(), 0, "pi = 4", Repl); err == nil {
		t.Error("assigned a loaded name")
	}
	found, err := s.run.Complete(s.ctx(), 0, "tw", 3)
	names := slices.Collect(func(yield func(string) bool) {
		for _, c := range found {
			yield(c.Name)
		}
	})
	wantText(t, "completions", strings.Join(names, " ")+errOf(err), "two")
	s.resume(Continue)
	s.stopped()
	wantText(t, "in a file that has ended", s.eval("twice(tau)"), "6")
}

// What a comprehension goes through used to be looked at with the comprehension's own variables:
// those of the last time, or none, in the place of those outside.
func TestVariablesOfComprehensions(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": `
def f():
    x = [[1], [2]]
    for _ in range(2):
        a = [g(x) for x in g(x) if g(x) for x in g(x) if g(x) == 2]
    b = {g(x): x for x in g(x)[1]}

def g(n):
    return n

f()
`})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 9}})
	s.start()
	const once = "[[1], [2]] [1] [1] 1 [2] [2] 2 2 "
	got := ""
	for range 2*8 + 2 {
		s.stopped()
		frames, _, err := s.run.Frames(s.ctx(), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.run.Evaluate(s.ctx(), frames[0].ID, "x", Watch)
		got += v.Value + errOf(err) + " "
		wantText(t, "what g was given", s.eval("n"), v.Value)
		s.resume(Continue)
	}
	wantText(t, "x", got, once+once+"[[1], [2]] 2 ")
}
