package debugger

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A call that fails before it begins is reported at the first instruction of the function. With a
// hook there, it used to be reported at the hook.
func TestFailedCallIsReportedAsPlain(t *testing.T) {
	for _, body := range []string{
		"return a", "return (a)", "return 1", "return", "pass", "'Doc.'", "'Doc.'\n    return a",
		"pass\n    return a", "return len(a)", "return a.b", "return a[0]", "return a[1:]",
		"return 'x'[1:]", "return -a", "return a + 1", "return 'x' + 'y' + a", "return not a",
		"return a if a else 1", "return 1 if 2 else a", "return a or 1", "return [a]", "return []",
		"return (1, a)", "return {a: 1}", "return [x for x in a]", "return lambda: a",
		"return lambda x = a: x", "return lambda *, x: x", "x = a", "x = 1", "x = fail",
		"a += 1", "(a) += 1", "a.b += 1", "a[0] = 1", "a[0] += 1", "print(a)", "'x'.join(a)",
		"if a: pass", "if 1: return a", "while a: break", "for x in a: pass", "for x in [1]: pass",
		"def g(): pass", "def g(x = a): pass", "def g(x = 1): pass", "def g(*, x): pass",
		"def g(*, x, y = a): pass", "x = lambda *x, y = a: x",
	} {
		t.Run(body, func(t *testing.T) {
			c := chunk{text: "def f(a):\n    " + body + "\n\nf()\n", options: everything}
			got, _ := c.debugged(t, false)
			wantText(t, "backtrace", got.failed, c.plain().failed)
		})
	}
}

// The legacy dialect makes the probes globals of their file. They used to be loadable from there.
func TestLoadBindsGlobally(t *testing.T) {
	s := prepare(t, Config{Options: &syntax.FileOptions{LoadBindsGlobally: true}},
		map[string]string{
			"main.star": "load('lib.star', 'f')\nx = f()\n",
			"lib.star":  "def f():\n    return 1\n",
		})
	s.run.SetBreakpoints("me", "lib.star", []Breakpoint{{Line: 2}})
	s.start()
	s.stopped()
	for i, want := range []string{"f=<function f>", "f=<function f>"} {
		globals, _ := s.scope(i, "Globals")
		wantText(t, "globals", show(globals), want)
	}
	s.resume(Continue)
	s.ended()
	names := strings.Join(s.run.exec.units["lib.star"].globals.Keys(), " ")
	wantText(t, "what can be loaded", names, "f")
}

// An embedder's own fail stops the program like that of the language.
func TestEmbeddersFail(t *testing.T) {
	own := starlark.NewBuiltin("fail", func(*starlark.Thread, *starlark.Builtin, starlark.Tuple,
		[]starlark.Tuple,
	) (starlark.Value, error) {
		return nil, errOwn
	})
	s := prepare(t, Config{Predeclared: starlark.StringDict{"fail": own}},
		map[string]string{"main.star": "x = 1\nfail()\n"})
	s.run.SetFilters("me", Filters{Raised: true})
	s.start()
	stop := s.stopped()
	wantText(t, "stop", stop.place(), "main.star:2:5 exception")
	wantText(t, "text", stop.Text, errOwn.Error())
}

// Docstrings are those of the text, and what a builtin can see of the stack has no hooks in it.
func TestNoTraceOfHooks(t *testing.T) {
	look := func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		_ []starlark.Tuple,
	) (starlark.Value, error) {
		doc := starlark.String(args[0].(*starlark.Function).Doc())
		stack := starlark.String(thread.CallStack().String())
		return starlark.Tuple{doc, stack}, nil
	}
	program := "'Of the file.'\ndef f():\n    'Of f.'\n    return look(f)\n\nprint(f())\n"
	s := prepare(t, Config{
		StopOnEntry: true,
		Predeclared: starlark.StringDict{"look": starlark.NewBuiltin("look", look)},
	}, map[string]string{"main.star": program})
	s.start()
	places, _ := s.steps(StepIn)
	wantText(t, "stops", strings.Join(places, " "), "main.star:2 main.star:6 main.star:4")
	wantText(t, "what is seen", s.output.String(), `("Of f.", "Traceback (most recent call last)`+
		`:\n  main.star:6:8: in <toplevel>\n  main.star:4:16: in f\n  <builtin>: in look\n")`+"\n")
}

// A byte order mark is not part of the program. It used to be a syntax error, which editors did
// not show.
func TestByteOrderMark(t *testing.T) {
	for _, plain := range []bool{false, true} {
		s := prepare(t, Config{NoDebug: plain}, map[string]string{
			"main.star": "\uFEFFload('lib.star', 'f'); print(f())\n",
			"lib.star":  "\uFEFFdef f():\n    return 1\n",
		})
		status := s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 1, Column: 2}})
		if !status[0].Verified || status[0].Column != 24 {
			t.Errorf("the second statement is at %+v", status[0])
		}
		s.start()
		if !plain {
			s.stopped()
			s.resume(Continue)
		}
		s.ended()
		wantText(t, "output", s.output.String(), "1\n")
	}
}
