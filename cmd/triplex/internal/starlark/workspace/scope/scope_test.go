package scope

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func resolveText(src string, options syntax.FileOptions) *File {
	known := func(names string) func(string) bool {
		return func(name string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }
	}
	return Resolve(parse.Parse(source.New(src)), Env{
		Options:     options,
		Predeclared: known("glob"),
		Universal:   known("None len print range set"),
	})
}

// problems renders what is wrong, each as code line:col-col message.
func problems(f *File) string {
	var b strings.Builder
	for _, p := range f.Problems {
		start, end := f.Tree.Text.Position(p.Span.Start), f.Tree.Text.Position(p.Span.End)
		fmt.Fprintf(&b, "%s %d:%d-%d %s\n", p.Code, start.Line, start.Col, end.Col, p.Msg)
	}
	return b.String()
}

func TestProblems(t *testing.T) {
	all := syntax.FileOptions{
		Set: true, While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true,
	}
	for _, tt := range []struct {
		name, src string
		options   syntax.FileOptions
		want      string
	}{
		{name: "fine", src: "load('m', 'a', b = 'c')\nx = [a(y) for y in b]\ndef f(): return g()\n" +
			"def g(): return x + len(glob())\n"},
		{name: "each use of an undefined name",
			src:  "def f():\n  return foo + [foo for _ in range(2)][0]\n",
			want: "undefined 1:9-12 undefined: foo\nundefined 1:16-19 undefined: foo\n"},
		{name: "spelling", src: "value = 1\nprint(vlaue, valu)\n",
			want: "undefined 1:6-11 undefined: vlaue\n" +
				"undefined 1:13-17 undefined: valu (did you mean value?)\n"},
		{name: "reassigned", src: "x = 1\ndef x(): pass\nload('m', 'x')\n",
			want: "reassigned 1:4-5 cannot assign to x again: it was declared at line 1\n"},
		{name: "reassigned in a dialect", src: "x = 1\nx = 2\nx += 1\n", options: all},
		{name: "augmented global", src: "x = 1\nx += 1\n",
			want: "reassigned 1:0-1 cannot assign to x again: it was declared at line 1\n"},
		{name: "control", src: "if 1:\n  pass\nelif 2:\n  pass\nfor x in []: pass\nwhile 1: pass\n",
			want: "dialect 0:0-2 if outside a function\ndialect 4:0-3 for outside a function\n" +
				"dialect 5:0-5 this dialect of Starlark has no while loops\n"},
		{name: "control in a dialect", src: "if 1: pass\nfor x in set(): break\nwhile x: continue\n",
			options: all},
		{name: "sets", src: "set()\n", want: "dialect 0:0-3 this dialect of Starlark has no sets\n"},
		{name: "misplaced", src: "def f():\n  load('m', 'a')\n  break\n  print(a)\nreturn f\n",
			want: "misplaced 1:2-6 load within a function\nmisplaced 2:2-7 break outside a loop\n" +
				"misplaced 4:0-6 return outside a function\n"},
		{name: "targets", src: "f() = 1\nx, (y, 1) = 1, 2\n[z, z2] += 1\n",
			want: "bad-target 0:0-3 cannot assign to this expression\n" +
				"undefined 0:0-1 undefined: f\n" +
				"bad-target 1:7-8 cannot assign to this expression\n" +
				"bad-target 2:0-7 += needs a single variable on its left\n"},
		{name: "loads", src: "load('m', '_a', b = 'x y', c = r'''d''')\n",
			want: "load-private 0:11-13 _a is private to \"m\": its name begins with an underscore\n" +
				"load-name 0:21-24 \"x y\" is no name that can be loaded\n"},
		{name: "parameters", src: "def f(a, b = 1, c, *, **d): pass\ndef g(a, a, *b, *c, **d, e): pass\n",
			want: "parameters 0:16-17 a required parameter may not follow one with a default value\n" +
				"parameters 0:19-20 a parameter must follow the *\n" +
				"parameters 1:9-10 duplicate parameter: a\n" +
				"parameters 1:16-18 a second * is not allowed\n" +
				"parameters 1:25-26 no parameter may follow **kwargs\n"},
		{name: "arguments", src: "print(a = 1, a = 2, 3, *[], b = 1, **{}, *[], **{})\n",
			want: "duplicate-argument 0:13-14 the argument a is given twice\n" +
				"arguments 0:20-21 a positional argument may not follow a named one, *args or **kwargs\n" +
				"arguments 0:28-33 a named argument may not follow *args or **kwargs\n" +
				"arguments 0:41-44 *args may not follow **kwargs\n" +
				"arguments 0:46-50 a second **kwargs is not allowed\n"},
		{name: "early", src: "print(x)\nx = 1\ndef f():\n  print(x, y, g)\n  y = 2\ndef g(): pass\n",
			want: "used-before-assignment 0:6-7 x is used before it has a value\n" +
				"used-before-assignment 3:11-12 y is used before it has a value\n"},
		{name: "later in a loop", src: "def f():\n  for i in range(3):\n    if i: print(y)\n    y = i\n"},
		{name: "predeclared until bound", src: "len([])\nlen = 1\n", options: all},
		// Used to be a mere warning, although such a program does not even begin to run.
		{name: "too early in a dialect", src: "print(x)\nx = 1\n", options: all,
			want: "undefined-yet 0:6-7 undefined: x, which gets its value later\n"},
		{name: "names that were lost", src: "import y\nprint(y)\n",
			want: ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := problems(resolveText(tt.src, tt.options)); got != tt.want {
				t.Errorf("problems:\n%swant:\n%s", got, tt.want)
			}
		})
	}
}

// TestBindings checks which occurrence refers to which declaration: the offset of the reference,
// then that of the declaration.
func TestBindings(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		ref, decl int
	}{
		{"comprehension variable", "x = 1\ny = [x for x in [x]]\n", 11, 17},
		{"first sequence is outside", "x = 1\ny = [x for x in [x]]\n", 23, 0},
		{"parameter", "x = 1\ndef f(x): return x\n", 23, 12},
		{"default value is outside", "x = 1\ndef f(x = x): pass\n", 16, 0},
		{"enclosing function", "def f(x):\n  def g(): return x\n", 28, 6},
		{"lambda", "f = lambda x: x\n", 14, 11},
		{"alias", "load('m', a = 'b')\na\n", 19, 10},
		{"loaded", "load('m', 'b')\nb\n", 15, 11},
		{"assigned, then loaded", "b = 1\nload('m', 'b')\nb\n", 21, 17},
		{"global that a load hides", "b = 1\nload('m', 'b')\n", 0, 0},
		{"later global", "def f(): return y\ny = 1\n", 16, 18},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := resolveText(tt.src, syntax.FileOptions{})
			ref := f.RefAt(tt.ref)
			if ref == nil || ref.Binding == nil {
				t.Fatalf("no binding at %d", tt.ref)
			}
			if got := ref.Binding.Declaration().Start; got != tt.decl {
				t.Errorf("declared at %d, want %d", got, tt.decl)
			}
		})
	}
}
