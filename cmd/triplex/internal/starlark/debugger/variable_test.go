package debugger

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

const values = `load("lib.star", "helper")
numbers = [1, 2, 3]
nested = {"a": [1, 2], 2: (3,), "k" * 300: None}
big = 1 << 100
huge = int("f" * 5000, 16)
text = "x" * 1000 + "é"
raw = b"\x00\xff"
pair = struct(x = 1, y = [2])
unique = set([1, 2])
many = range(1000000)
million = list(many)
cyclic = []
cyclic.append(cyclic)
flag, nothing, real = True, None, 1.5

def outer(p, q = 7):
    kept = p + 1
    def inner(r):
        later = [x * kept for x in [r]]
        return later
    if False:
        never = 1
    return inner(10)

outer(1)
after = 1
`

// stopInside runs values until the return statement in inner.
func stopInside(t *testing.T) *session {
	t.Helper()
	s := prepare(t, Config{
		Args: []string{"one"},
		Predeclared: starlark.StringDict{
			"struct": starlark.NewBuiltin("struct", starlarkstruct.Make),
			"fields": fieldsValue{starlark.StringDict{"f": starlark.MakeInt(1)}},
		},
	}, map[string]string{"main.star": values, "lib.star": "def helper():\n    return 1\n"})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 20}})
	s.start()
	s.stopped()
	return s
}

// scope returns the variables of a scope of the i'th frame as "name=value", sorted by name.
func (s *session) scope(i int, name string) ([]Variable, int) {
	s.Helper()
	frames, _, err := s.run.Frames(s.ctx(), i, 1)
	if err != nil {
		s.Fatal(err)
	}
	scopes, err := s.run.Scopes(s.ctx(), frames[0].ID)
	if err != nil {
		s.Fatal(err)
	}
	for _, scope := range scopes {
		if scope.Name == name {
			return s.variables(scope.Ref, Page{}), scope.Ref
		}
	}
	s.Fatalf("no scope %s among %+v", name, scopes)
	return nil, 0
}

func (s *session) variables(ref int, page Page) []Variable {
	s.Helper()
	vars, err := s.run.Variables(s.ctx(), ref, page)
	if err != nil {
		s.Fatal(err)
	}
	return vars
}

func named(t *testing.T, vars []Variable, name string) Variable {
	t.Helper()
	i := slices.IndexFunc(vars, func(v Variable) bool { return v.Name == name })
	if i < 0 {
		t.Fatalf("no variable %s among %+v", name, vars)
	}
	return vars[i]
}

func show(vars []Variable) string {
	var parts []string
	for _, v := range vars {
		parts = append(parts, v.Name+"="+v.Value)
	}
	return strings.Join(parts, " ")
}

func TestScopes(t *testing.T) {
	s := stopInside(t)
	for _, test := range []struct {
		frame      int
		name, want string
	}{
		{0, "Locals", "r=10 later=[20]"},
		{0, "Free variables", "kept=2"},
		{1, "Locals", "p=1 q=7 kept=2 inner=<function inner>"},
		{1, "Free variables", ""},
		{2, "Locals", "helper=<function helper>"},
		{2, "Predeclared",
			`args=["one"] fields=hasfields struct=<built-in function struct>`},
	} {
		vars, _ := s.scope(test.frame, test.name)
		wantText(t, fmt.Sprintf("%s of frame %d", test.name, test.frame), show(vars), test.want)
	}
	globals, _ := s.scope(0, "Globals")
	if len(globals) != 15 {
		t.Errorf("globals %s", show(globals))
	}
}

func TestValues(t *testing.T) {
	s := stopInside(t)
	vars, _ := s.scope(0, "Globals")
	for _, test := range []struct{ name, kind, value, inside string }{
		{"numbers", "list", "[1, 2, 3]", "[0]=1 [1]=2 [2]=3"},
		{"big", "int", "1267650600228229401496703205376", ""},
		{"huge", "int", "(an integer of 20000 bits)", ""},
		{"raw", "bytes", `b"\x00\xff"`, "[0]=b\"\\x00\" [1]=b\"\\xff\""},
		{"pair", "struct", "struct(x = 1, y = [2])", "x=1 y=[2]"},
		{"unique", "set", "set([1, 2])", "[0]=1 [1]=2"},
		{"flag", "bool", "True", ""},
		{"nothing", "NoneType", "None", ""},
		{"real", "float", "1.5", ""},
		{"outer", "function", "<function outer>", "(default) q=7"},
	} {
		v := named(t, vars, test.name)
		if v.Type != test.kind || v.Value != test.value || (v.Ref != 0) != (test.inside != "") {
			t.Errorf("%s is %+v, want %+v", test.name, v, test)
		}
		if v.Ref != 0 {
			wantText(t, "inside "+test.name, show(s.variables(v.Ref, Page{})), test.inside)
		}
	}
	text := named(t, vars, "text")
	if len(text.Value) > maxValue+len("…") || !strings.HasSuffix(text.Value, "xx…") {
		t.Errorf("a long string is shown as %s", text.Value)
	}
	if cyclic := named(t, vars, "cyclic"); !strings.Contains(cyclic.Value, "...") {
		t.Errorf("a list in itself is shown as %s", cyclic.Value)
	}
}

func TestPaths(t *testing.T) {
	s := stopInside(t)
	globals, _ := s.scope(0, "Globals")
	queue := []Variable{
		named(t, globals, "nested"), named(t, globals, "pair"), named(t, globals, "numbers"),
	}
	checked := 0
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		if v.Ref != 0 {
			queue = append(queue, s.variables(v.Ref, Page{})...)
		}
		if v.Path == "" {
			continue
		}
		checked++
		wantText(t, v.Path, s.eval(v.Path), v.Value)
	}
	if checked != 14 {
		t.Errorf("%d values have a path, want 14", checked)
	}
}

// A variable that another of its name hides cannot be had by its name. It used to be given as the
// variable's path.
func TestHiddenVariablesHaveNoPath(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "x, args, z = 1, 2, 3\ndef f(x):\n    return x\nf(4)\n",
	})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 3}})
	s.start()
	s.stopped()
	for scope, want := range map[string]string{
		"Locals": "x=x", "Globals": "args=args f=f x= z=z", "Predeclared": "args=",
	} {
		var got []string
		vars, _ := s.scope(0, scope)
		for _, v := range vars {
			got = append(got, v.Name+"="+v.Path)
		}
		wantText(t, scope, strings.Join(got, " "), want)
	}
}

func TestPages(t *testing.T) {
	s := stopInside(t)
	vars, _ := s.scope(0, "Globals")
	for _, name := range []string{"million", "many"} {
		v := named(t, vars, name)
		if v.Indexed != 1_000_000 || v.Named != 0 {
			t.Errorf("%s has %d elements and %d fields", name, v.Indexed, v.Named)
		}
		page := Page{Kind: Indexed, Start: 999_990, Count: 3}
		wantText(t, name, show(s.variables(v.Ref, page)),
			"[999990]=999990 [999991]=999991 [999992]=999992")
		all := s.variables(v.Ref, Page{})
		wantText(t, "the last", show(all[len(all)-1:]), "…=990000 more; ask for them in pages")
		wantText(t, "fields", show(s.variables(v.Ref, Page{Kind: Named})), "")
	}
	nested := named(t, vars, "nested")
	wantText(t, "a page of a dict", show(s.variables(nested.Ref, Page{Start: 1, Count: 1})),
		"2=(3,)")
	wantText(t, "beyond", show(s.variables(nested.Ref, Page{Start: 7, Count: 1})), "")
	frames, total, err := s.run.Frames(s.ctx(), 1, 1)
	if err != nil || total != 3 || len(frames) != 1 || frames[0].Name != "outer" {
		t.Errorf("a page of frames is %+v of %d, %v", frames, total, err)
	}
}

func TestSetVariable(t *testing.T) {
	s := stopInside(t)
	globals, globalsRef := s.scope(0, "Globals")
	_, localsRef := s.scope(0, "Locals")
	ref := func(name string) int { return named(t, globals, name).Ref }
	predeclared, _ := s.scope(0, "Predeclared")
	const fixed = " is a variable of the program and cannot be assigned while debugging;" +
		" the elements and fields of its value can"
	const nothing = "got end of file, want primary expression"
	for _, test := range []struct {
		what              string
		ref               int
		name, value, want string // the value, or the error
	}{
		{"numbers", ref("numbers"), "[1]", "r + 1", "11"},
		{"nested", ref("nested"), `"a"`, "[r]", "[10]"},
		{"fields.f", named(t, predeclared, "fields").Ref, "f", "2", "2"},
		{"a global", globalsRef, "big", "1", "big" + fixed},
		{"a local", localsRef, "r", "1", "r" + fixed},
		{"no element", ref("numbers"), "[3]", "1", "no element [3], want [0] to [2]"},
		{"no key", ref("nested"), `"b"`, "1", `no key "b" in the dict`},
		{"a struct", ref("pair"), "x", "1", "the fields of a struct cannot be assigned"},
		{"a range", ref("many"), "[0]", "1", "the elements of a range cannot be assigned"},
		{"a set", ref("unique"), "[0]", "1", "the elements of a set cannot be assigned"},
		{"a bad value", ref("numbers"), "[0]", "1 +", nothing},
		// These used to assign an empty tuple.
		{"no value", ref("numbers"), "[0]", "", nothing},
		{"a comment", ref("numbers"), "[0]", "# 1", nothing},
		{"a statement", ref("numbers"), "[0]", "x = 1", "got '=' after expression, want EOF"},
		{"lines", ref("numbers"), "[0]", "(\n1\n)", "1"},
		{"an undefined value", ref("numbers"), "[0]", "what", "undefined: what"},
	} {
		v, err := s.run.SetVariable(s.ctx(), test.ref, test.name, test.value)
		if err != nil {
			v.Value = errOf(err)
		}
		wantText(t, test.what, v.Value, test.want)
	}
	wantText(t, "numbers", s.eval("numbers"), "[1, 11, 3]")
	wantText(t, "nested", s.eval(`nested["a"]`), "[10]")
	wantText(t, "fields", s.eval("fields.f"), "2")
}

func TestSetExpression(t *testing.T) {
	s := stopInside(t)
	for _, test := range []struct{ target, value, want string }{
		{"numbers[-1]", "0", "0"},
		{`nested["new"]`, "1", "1"},
		{"fields.g", "numbers", "[1, 2, 0]"},
		{"r", "1", notAssignable("r").Error()},
		{"pair.x", "1", "the fields of a struct cannot be assigned"},
		{"numbers[7]", "1", "index 7 is out of range, the list has 3 elements"},
		{"args[0]", "1", "cannot assign to element of frozen list"},
		{"(3,)[0]", "1", "the elements of a tuple cannot be assigned"},
		{"1 + 1", "2", "only an element x[i] or a field x.f can be assigned"},
	} {
		v, err := s.run.SetExpression(s.ctx(), 0, test.target, test.value)
		if err != nil {
			v.Value = errOf(err)
		}
		wantText(t, test.target, v.Value, test.want)
	}
	wantText(t, "the new field", s.eval("fields.g"), "[1, 2, 0]")
}

func TestEvaluate(t *testing.T) {
	s := stopInside(t)
	for _, test := range []struct {
		src     string
		purpose Purpose
		want    string
		output  string
	}{
		{"r + kept", Watch, "12", ""},
		{"  len(numbers)  ", Watch, "3", ""},
		{"[x for x in numbers if x > 1]", Watch, "[2, 3]", ""},
		{"outer(5)", Watch, "[60]", ""},
		{"print('hi') or 1", Watch, "1", "hi\n"},
		{"p", Watch, "error: undefined: p", ""},
		{"x = 1", Watch, "error: got '=' after expression, want EOF", ""},
		{"numbers[9]", Watch, "error: list index 9 out of range [-3:2]", ""},
		{"load('x', 'y')", Repl, `error: cannot load x: "x" cannot be loaded` +
			" while the program is stopped", ""},
		{"mine = [r]", Repl, "None", ""},
		{"mine[0] + 1", Repl, "11", ""},
		{"mine", Watch, "error: undefined: mine", ""},
		{"for i in range(2):\n    print(i)", Repl, "None", "0\n1\n"},
		{"def f(x): return x + r", Repl, "None", ""},
		{"f(1)", Repl, "11", ""},
		{"r = 1", Repl, "error: " + notAssignable("r").Error(), ""},
		{"kept, z = 1, 2", Repl, "error: " + notAssignable("kept").Error(), ""},
		{"[z, (kept)] = 1, 2", Repl, "error: " + notAssignable("kept").Error(), ""},
		{"def outer(): pass", Repl, "error: " + notAssignable("outer").Error(), ""},
		{"if r:\n  for big in []: pass", Repl, "error: " + notAssignable("big").Error(), ""},
		{"while r: r = 0", Repl, "error: " + notAssignable("r").Error(), ""},
		{"for i in range(20000): print('x' * 100)", Repl, "error: Starlark computation" +
			" cancelled: output limit of 1048576 bytes exceeded", "skip"},
		{strings.Repeat(" ", maxCode) + "1", Repl,
			"error: text of 65537 bytes is too long to evaluate, want at most 65536", ""},
		{"numbers.append(4)", Repl, "None", ""},
		{"numbers", Watch, "[1, 2, 3, 4]", ""},
		{"while True: pass", Repl, "error: Starlark computation cancelled: too many steps", ""},
		{"text[:3] * 1000", Clipboard, `"` + strings.Repeat("x", 3000) + `"`, ""},
	} {
		v, err := s.run.Evaluate(s.ctx(), 0, test.src, test.purpose)
		if err != nil {
			v.Value = "error: " + errOf(err)
		}
		wantText(t, test.src, v.Value, test.want)
		if test.output != "skip" {
			wantText(t, "output of "+test.src, v.Output, test.output)
		}
	}
	frames, _, _ := s.run.Frames(s.ctx(), 0, 0)
	v, err := s.run.Evaluate(s.ctx(), frames[1].ID, "p + q", Watch)
	if err != nil || v.Value != "8" {
		t.Errorf("in the second frame: %+v, %v", v, err)
	}
}

func TestEvaluateCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	leave := func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (
		starlark.Value, error,
	) {
		cancel()
		runtime.Gosched() // to what the context has set going
		return starlark.None, nil
	}
	s := prepare(t, Config{
		StopOnEntry: true,
		Predeclared: starlark.StringDict{"leave": starlark.NewBuiltin("leave", leave)},
	}, map[string]string{"main.star": "x = 1\n"})
	s.start()
	s.stopped()
	_, err := s.run.Evaluate(ctx, 0, "[leave() for _ in range(1 << 40)]", Watch)
	if got := errOf(err); !strings.Contains(got, "the request was cancelled") {
		t.Errorf("error %q", got)
	}
}

func TestComplete(t *testing.T) {
	s := stopInside(t)
	if _, err := s.run.Evaluate(s.ctx(), 0, "mine = {}", Repl); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text, want string
		start      int
	}{
		{"numb", "numbers", 1},
		{"1 + ke", "kept", 5},
		{"la", "lambda later", 1},
		{"pair.", "x y", 6},
		{"x(pair.y.ex", "extend", 10},
		{"mine.po", "pop popitem", 6},
		{"nowhere.", "", 9},
		{"pri", "print", 1},
	} {
		found, err := s.run.Complete(s.ctx(), 0, test.text, len(test.text)+1)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range found {
			names = append(names, c.Name)
			if c.Start != test.start || c.Start+c.Length != len(test.text)+1 {
				t.Errorf("%s: %+v, want a start of %d", test.text, c, test.start)
			}
		}
		wantText(t, test.text, strings.Join(names, " "), test.want)
	}
}

// A variable that inner functions share has a value, not the box it is shared in; and the variable
// of a comprehension is one only while the comprehension runs.
func TestLocals(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": `
def f(x):
    shared = x
    get = lambda: shared
    y = [g(x) for x in [x, x + 1]]
    return y

def g(n):
    return n

f(1)
`})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 6}, {Line: 9}})
	s.start()
	for _, want := range []string{
		"shared=1 get=<function lambda> x=1", "shared=1 get=<function lambda> x=2",
	} {
		s.stopped()
		vars, _ := s.scope(1, "Locals")
		wantText(t, "locals in the comprehension", show(vars), want)
		frames, _, _ := s.run.Frames(s.ctx(), 1, 1)
		v, err := s.run.Evaluate(s.ctx(), frames[0].ID, "x", Watch)
		if err != nil || !strings.HasSuffix(want, "x="+v.Value) {
			t.Errorf("x is %s, %v, want %s", v.Value, err, want)
		}
		s.resume(Continue)
	}
	s.stopped()
	vars, _ := s.scope(0, "Locals")
	wantText(t, "locals after it", show(vars), "x=1 shared=1 get=<function lambda> y=[1, 2]")
}

// A client cannot make the references of one stop grow without bound.
func TestReferencesAreBounded(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "x = [[1]] * 10000\ny = 1\n"})
	s.run.SetBreakpoints("me", "main.star", []Breakpoint{{Line: 2}})
	s.start()
	s.stopped()
	globals, _ := s.scope(0, "Globals")
	x := named(t, globals, "x")
	for range maxRefs / 10_000 {
		s.variables(x.Ref, Page{})
	}
	for _, v := range s.variables(x.Ref, Page{Start: 1, Count: 3}) {
		if v.Value != "[1]" || v.Ref != 0 {
			t.Errorf("got %+v, want no more references", v)
		}
	}
}

// A value of an embedder's type has fields, elements, or both, as its methods say.
func TestEmbeddersValues(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true, Predeclared: starlark.StringDict{
		"bag": bag{starlark.MakeInt(1), starlark.String("two")},
	}}, map[string]string{"main.star": "x = bag\n"})
	s.start()
	s.stopped()
	vars, _ := s.scope(0, "Predeclared")
	v := named(t, vars, "bag")
	if v.Named != 1 || v.Indexed != 2 {
		t.Errorf("the bag is %+v", v)
	}
	wantText(t, "all", show(s.variables(v.Ref, Page{})), `size=2 [0]=1 [1]="two"`)
	wantText(t, "a page of both", show(s.variables(v.Ref, Page{Start: 1, Count: 1})), "[0]=1")
	if _, err := s.run.SetVariable(s.ctx(), v.Ref, "[0]", "1"); err == nil {
		t.Error("set an element that cannot be set")
	}
}

// A bag is a sequence without an index, and with a field.
type bag starlark.Tuple

func (b bag) String() string             { return "bag" }
func (b bag) Type() string               { return "bag" }
func (b bag) Freeze()                    {}
func (b bag) Truth() starlark.Bool       { return true }
func (b bag) Hash() (uint32, error)      { return 0, nil }
func (b bag) Len() int                   { return len(b) }
func (b bag) Iterate() starlark.Iterator { return starlark.Tuple(b).Iterate() }
func (b bag) AttrNames() []string        { return []string{"size"} }

func (b bag) Attr(string) (starlark.Value, error) { return starlark.MakeInt(len(b)), nil }
