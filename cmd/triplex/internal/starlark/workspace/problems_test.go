package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// problemsOf renders the problems of a file, each as severity code line:col-line:col message.
func problemsOf(t testing.TB, f *File) string {
	t.Helper()
	problems, err := f.Problems(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "%s %s %s %s\n", [...]string{"error", "warning", "hint"}[p.Severity], p.Code,
			show(f.Text(), p.Span), p.Msg)
	}
	return b.String()
}

func TestProblems(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"clean", "def f(a, _b, *, c = 1):\n    return a + c\n\nf(1, 2)\n", ""},
		{"syntax hides the rest of its statement", "x = undefined +\ny = x\n",
			"error syntax 0:15-0:15 unexpected end of line, expected an expression\n"},
		{"unused", "def f(a, b):\n    c = 1\n    def g(): pass\n    for i in a: pass\n    d, e = a\n",
			"hint unused-parameter 0:9-0:10 the parameter b is not used\n" +
				"hint unused-variable 1:4-1:5 c is not used\n" +
				"hint unused-variable 2:8-2:9 g is not used\n"},
		{"unreachable", "def f(x):\n    if x:\n        return 1\n        x()\n        x()\n" +
			"    else:\n        fail(x)\n    x()\n",
			"warning unreachable 3:8-4:11 this is never reached\n" +
				"warning unreachable 7:4-7:7 this is never reached\n"},
		{"behind a loop's end", "def f(x):\n    for y in x:\n        continue\n        y()\n    pass\n",
			"warning unreachable 3:8-3:11 this is never reached\n"},
		{"duplicate keys", "x = {\"a\": 1, 1: 2, 'a': 3, 1.0: 4, b\"a\": 5, \"a\" + \"\": 6}\n",
			"error duplicate-key 0:19-0:22 the key 'a' is in this dict already\n"},
		{"too many arguments", "def f(a): return a\nf(1, 2, 3)\nlen([], 1)\n\"\".upper(1)\n",
			"error too-many-arguments 1:5-1:6 f takes at most 1 positional argument\n" +
				"error too-many-arguments 2:8-2:9 len takes at most 1 positional argument\n" +
				"error too-many-arguments 3:9-3:10 upper takes no positional arguments\n"},
		{"missing arguments", "def f(a, b, *, c): return a + b + c\nf(1)\nf(*[1])\nf(1, b = 2, **{})\n",
			"error missing-argument 1:0-1:1 f needs the argument b, c\n"},
		{"unknown argument", "f = lambda a: a\nf(a = 1, b = 2)\nprint(end = 1)\nlen(x = 1)\n",
			"error unknown-argument 1:9-1:10 f has no parameter b that can be given by name\n" +
				"error unknown-argument 2:6-2:9 print has no parameter end that can be given by name\n" +
				"error missing-argument 3:0-3:3 len needs the argument x\n" +
				"error unknown-argument 3:4-3:5 len has no parameter x that can be given by name\n"},
		{"given twice", "def f(a, **kw): return a, kw\nf(1, a = 2)\nf(1, z = 2)\n",
			"error duplicate-argument 1:5-1:6 the argument a is given by position already\n"},
		// Was said to be given by position, too.
		{"given twice by name", "def f(a): return a\nf(a = 1, a = 2)\n",
			"error duplicate-argument 1:9-1:10 the argument a is given twice\n"},
		{"functions of unknown signature",
			"def f(): pass\ndef g(h):\n    h(1)\n    h = f\n    h(2)\n", ""},
		{"early", "f()\ndef f(): pass\n",
			"warning used-before-assignment 0:0-0:1 f is used before it has a value\n"},
		{"loads of a buffer", "load(\"nowhere.star\", \"a\")\na()\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := problemsOf(t, buffer(t, tt.src)); got != tt.want {
				t.Errorf("problems:\n%swant:\n%s", got, tt.want)
			}
		})
	}
}

func TestLoadProblems(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"fine", map[string]string{"main.star": "load(\"lib.star\", \"a\")\na()\n",
			"lib.star": "def a(): pass\n"}, ""},
		{"missing file", map[string]string{"main.star": "load(\"lib.star\", \"a\")\na()\n"},
			"error load-file 0:6-0:14 \"lib.star\" does not exist in DIR\n"},
		{"module of the application", map[string]string{"main.star": "load(\"json\", \"a\")\na()\n"},
			"warning load-file 0:6-0:10 \"json\" does not exist in DIR\n"},
		{"external", map[string]string{
			"main.star": "load(\"@lib//:a.bzl\", \"a\")\nload(\"ext://b\", \"b\")\na(b)\n"}, ""},
		{"missing name", map[string]string{"main.star": "load(\"lib.star\", \"a\", b = \"c\")\na(b)\n",
			"lib.star": "load(\"other.star\", \"a\")\na()\n", "other.star": "def a(): pass\n"},
			"error load-name 0:18-0:19 \"lib.star\" only loads a itself: load it from \"other.star\"\n" +
				"error load-name 0:27-0:28 \"lib.star\" does not define c\n"},
		{"name in a broken part", map[string]string{"main.star": "load(\"lib.star\", \"a\")\na()\n",
			"lib.star": "import a\n"}, ""},
		// Used to be two problems, although a load hides a global only from its own file.
		{"name that is assigned and loaded", map[string]string{
			"main.star": "load(\"lib.star\", \"a\")\na()\n",
			"lib.star":  "a = len\nload(\"other.star\", \"a\")\na()\n", "other.star": "a = len\n"},
			""},
		{"private", map[string]string{"main.star": "load(\"lib.star\", a = \"_a\")\na()\n",
			"lib.star": "def _a(): pass\n_a()\n"},
			"error load-private 0:22-0:24 _a is private to \"lib.star\": " +
				"its name begins with an underscore\n"},
		{"cycle", map[string]string{"main.star": "load(\"lib.star\", \"a\")\na()\n",
			"lib.star":   "load(\"other.star\", \"b\")\na = b\n",
			"other.star": "load(\"main.star\", \"c\")\nb = c\n"},
			"error load-cycle 0:6-0:14 the file loads itself: " +
				"DIR/main.star -> DIR/lib.star -> DIR/other.star -> DIR/main.star\n"},
		{"itself", map[string]string{"main.star": "load(\"main.star\", \"a\")\na()\n"},
			"error load-cycle 0:6-0:15 the file loads itself: DIR/main.star -> DIR/main.star\n"},
		{"unused", map[string]string{"main.star": "load(\"lib.star\", \"a\", \"_b\")\n",
			"lib.star": "def a(): pass\n"},
			"warning unused-load 0:18-0:19 a is loaded but not used\n" +
				"error load-private 0:23-0:25 _b is private to \"lib.star\": " +
				"its name begins with an underscore\n"},
		{"arguments of a loaded function", map[string]string{
			"main.star": "load(\"lib.star\", f = \"a\")\nf()\n", "lib.star": "def a(x): return x\n"},
			"error missing-argument 1:0-1:1 a needs the argument x\n"},
		{"label", map[string]string{
			"main.star": "load(\"//lib:a.bzl\", \"a\")\nload(\":b.bzl\", \"b\")\n" +
				"load(\"//:c.bzl\", \"c\")\na(b, c)\n",
			"WORKSPACE": "", "lib/a.bzl": "def a(*x): return x\n", "b.bzl": "b = 1\n"},
			"warning load-file 2:6-2:14 \"//:c.bzl\" does not exist in DIR\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, tt.files)
			// A folder that is in question for several reasons was named as often.
			f := open(t, view(t, Options{Roots: []string{dir}}), filepath.Join(dir, "main.star"))
			if got := strings.ReplaceAll(problemsOf(t, f), dir, "DIR"); got != tt.want {
				t.Errorf("problems:\n%swant:\n%s", got, tt.want)
			}
		})
	}
}

func TestPredeclared(t *testing.T) {
	v := view(t, Options{
		Dialect:     syntax.FileOptions{Set: true},
		Predeclared: []string{"glob(include, exclude = []) -> list", "ctx.file(path)", "native"},
	})
	v.Open("untitled:1", "glob()\nctx.file(1, 2)\nnative.x\nset()\nother\n")
	want := "error missing-argument 0:0-0:4 glob needs the argument include\n" +
		"error undefined 4:0-4:5 undefined: other\n"
	f := open(t, v, "untitled:1")
	if got := problemsOf(t, f); got != want {
		t.Errorf("problems:\n%swant:\n%s", got, want)
	}
	if h := f.Hover(7 + 5); h == nil || h.Code != "ctx.file(path)" {
		t.Errorf("hover = %+v", h)
	}
	if _, err := New().View(Options{Predeclared: []string{"a b", "f("}}); err == nil ||
		!strings.Contains(err.Error(), `"a b"`) || !strings.Contains(err.Error(), `"f("`) {
		t.Errorf("error = %v, want both entries named", err)
	}
}

func TestProblemsStopWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := buffer(t, "x = 1\n")
	if _, err := f.Problems(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Problems = %v", err)
	}
	if _, err := f.Lint(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Lint = %v", err)
	}
}

func TestLint(t *testing.T) {
	for _, tt := range []struct{ name, file, src, want string }{
		{"any file", "a.star", "def f(x):\n    x += [1]\n    x == 1\n    return 3 / 2\n",
			"list-append 1:4-1:12, no-effect 2:4-2:10, integer-division 3:11-3:16"},
		{"behind a byte order mark", "a.star", "\uFEFFdef f(x):\n    x == 1\n", "no-effect 1:4-1:10"},
		{"Bazel", "a.bzl", "\"\"\"Doc.\"\"\"\n\ndef f(x):\n    print(x)\n", "print 3:4-3:12"},
		{"broken", "a.star", "x = = 1\n", ""},
		{"disabled", "a.star", "def f(x):\n    x == 1  # buildifier: Disable=no-effect\n    x == 2\n",
			"no-effect 2:4-2:10"},
		{"disabled for a function", "a.star", "# buildozer: disable=no-effect\ndef f(x):\n    x == 1\n",
			""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, Options{})
			v.Open(tt.file, tt.src)
			f := open(t, v, tt.file)
			problems, err := f.Lint(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range problems {
				got = append(got, p.Code+" "+show(f.Text(), p.Span))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("lint = %v, want %s", got, tt.want)
			}
		})
	}
}

func TestActions(t *testing.T) {
	for _, tt := range []struct{ name, src, title, want string }{
		{"remove the only item", "load(\"lib.star\", \"a\")\nx = 1\n", "Remove the load of a", "x = 1\n"},
		{"remove the first", "load(\"lib.star\", \"a\", c = \"b\")\nc()\n", "Remove the load of a",
			"load(\"lib.star\", c = \"b\")\nc()\n"},
		{"remove the last", "load(\n    \"lib.star\",\n    \"b\",\n    c = \"a\",\n)\nb()\n",
			"Remove the load of c", "load(\n    \"lib.star\",\n    \"b\",\n)\nb()\n"},
		{"add to a load", "load(\"lib.star\", \"b\")\nb()\na()\n", "Load a from \"lib.star\"",
			"load(\"lib.star\", \"b\", \"a\")\nb()\na()\n"},
		{"add behind the loads", "load(\"sub/more.star\", \"m\")\nm()\na()\n", "Load a from \"lib.star\"",
			"load(\"sub/more.star\", \"m\")\nload(\"lib.star\", \"a\")\nm()\na()\n"},
		{"add behind the documentation", "\"\"\"Doc.\"\"\"\nm()\n", "Load m from \"sub/more.star\"",
			"\"\"\"Doc.\"\"\"\nload(\"sub/more.star\", \"m\")\nm()\n"},
		// The comment about the name before went, too.
		{"remove behind a comment", "load(\n    \"lib.star\",\n    \"b\",  # why\n    \"a\",\n)\nb()\n",
			"Remove the load of a", "load(\n    \"lib.star\",\n    \"b\",  # why\n    \n)\nb()\n"},
		// The load was put before what must be the first line.
		{"add below a first line", "#!/bin/star\na()\n", "Load a from \"lib.star\"",
			"#!/bin/star\nload(\"lib.star\", \"a\")\na()\n"},
		{"add below a head", "# Head.\n# More.\n\na()\n", "Load a from \"lib.star\"",
			"# Head.\n# More.\n\nload(\"lib.star\", \"a\")\na()\n"},
		{"add above a comment", "# Call.\na()\n", "Load a from \"lib.star\"",
			"load(\"lib.star\", \"a\")\n# Call.\na()\n"},
		// An empty line came before the load, or lines ended in two ways.
		{"add behind a byte order mark", source.BOM + "a()\n", "Load a from \"lib.star\"",
			source.BOM + "load(\"lib.star\", \"a\")\na()\n"},
		{"add between other line ends", "a()\r\n", "Load a from \"lib.star\"",
			"load(\"lib.star\", \"a\")\r\na()\r\n"},
		{"add to an empty file", "a", "Load a from \"lib.star\"", "load(\"lib.star\", \"a\")\na"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := tree(t, map[string]string{"main.star": tt.src,
				"lib.star": "def a(): pass\n\ndef b(): pass\n", "sub/more.star": "def m(): pass\n"})
			f := open(t, view(t, Options{Roots: []string{dir}}), filepath.Join(dir, "main.star"))
			actions, err := f.Actions(t.Context(), source.Span{Start: 0, End: f.Text().Len()})
			if err != nil || len(actions) != 1 || actions[0].Title != tt.title {
				t.Fatalf("actions = %+v, %v, want %s", actions, err, tt.title)
			}
			got, err := source.Apply(tt.src, actions[0].Edits)
			if err != nil || got != tt.want {
				t.Errorf("the text becomes %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestActionsThatCloseACycle wants no offer to load a name from a file that loads this one: it used
// to be made, and the file loaded itself then.
func TestActionsThatCloseACycle(t *testing.T) {
	dir := tree(t, map[string]string{"main.star": "a()\ndef b(): pass\n",
		"lib.star": "load(\"mid.star\", \"c\")\ndef a(): c()\n",
		"mid.star": "load(\"main.star\", \"b\")\nc = b\n"})
	f := open(t, view(t, Options{Roots: []string{dir}}), filepath.Join(dir, "main.star"))
	actions, err := f.Actions(t.Context(), source.Span{Start: 0, End: f.Text().Len()})
	if err != nil || len(actions) > 0 {
		t.Errorf("actions = %+v, %v, want none", actions, err)
	}
}

// TestActionsThatLeaveGaps wants no offer to remove a load whose removal used to break the syntax.
func TestActionsThatLeaveGaps(t *testing.T) {
	for _, src := range []string{
		"def f():\n    load(\"lib.star\", \"a\")\n", "load(\"lib.star\", \"a\"); x = 1\n",
	} {
		f := buffer(t, src)
		actions, err := f.Actions(t.Context(), source.Span{Start: 0, End: f.Text().Len()})
		if err != nil || len(actions) > 0 {
			t.Errorf("actions in %q = %+v, %v, want none", src, actions, err)
		}
	}
}

func TestOrganizeLoads(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"sorted and merged",
			"load(\"b\", \"y\", \"x\")\nload(\"a\", q = \"p\", \"r\")\nload(\"b\", \"w\")\n" +
				"z = [w, x, y, q, r]\n",
			"load(\"a\", \"r\", q = \"p\")\nload(\"b\", \"w\", \"x\", \"y\")\nz = [w, x, y, q, r]\n"},
		{"unused", "load(\"a\", \"b\")\nload(\"c\", \"d\", \"e\")\nd()\n", "load(\"c\", \"d\")\nd()\n"},
		{"all unused", "load(\"a\", \"b\")\nx = 1\n", "x = 1\n"},
		{"in order", "load(\"a\", \"b\")\nb()\n", "load(\"a\", \"b\")\nb()\n"},
		{"runs apart", "load(\"b\", \"x\")\nx()\nload(\"a\", \"y\")\ny()\n",
			"load(\"b\", \"x\")\nx()\nload(\"a\", \"y\")\ny()\n"},
		{"twice", "load(\"a\", \"b\")\nload(\"a\", \"b\")\nb()\n", "load(\"a\", \"b\")\nb()\n"},
		// Comments were lost.
		{"comment behind", "load(\"b\", \"x\")  # c\nload(\"a\", \"y\")\nx(y)\n", ""},
		{"comment between", "load(\"b\", \"x\")\n# c\nload(\"a\", \"y\")\nx(y)\n", ""},
		{"comment within", "load(\n    \"b\",\n    \"y\",  # c\n    \"x\",\n)\nx(y)\n", ""},
		{"other statements beside a comment",
			"load(\"c\", \"z\")  # c\nload(\"b\", \"x\")\nload(\"a\", \"y\")\nx(y, z)\n",
			"load(\"c\", \"z\")  # c\nload(\"a\", \"y\")\nload(\"b\", \"x\")\nx(y, z)\n"},
		// The line end behind a bracket that is not closed was lost.
		{"broken", "load(\"b\", \"x\")\nload(\"a\", \"y\"\nx(y)\n", ""},
		{"in a block", "def f():\n    load(\"a\", \"y\", \"x\")\n", ""},
		// The other name of what could not be loaded was lost, and a name in escapes was cut.
		{"half written", "load(\"a\", y = \"\", x = \"x\")\nx()\n",
			"load(\"a\", x = \"x\", y = \"\")\nx()\n"},
		{"escapes", "load(\"a\", \"\\u0062\", \"a\")\na(b)\n", "load(\"a\", \"\\u0062\", \"a\")\na(b)\n"},
		{"line ends", "load(\"b\", \"x\")\r\nload(\"a\", \"y\")\r\nx(y)\r\n",
			"load(\"a\", \"y\")\r\nload(\"b\", \"x\")\r\nx(y)\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := source.Apply(tt.src, buffer(t, tt.src).OrganizeLoads())
			if want := cmp.Or(tt.want, tt.src); err != nil || got != want {
				t.Errorf("the text becomes %q, %v, want %q", got, err, want)
			}
		})
	}
}
