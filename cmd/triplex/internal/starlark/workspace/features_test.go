package workspace

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func TestHover(t *testing.T) {
	for _, tt := range []struct{ name, src, kind, code, doc string }{
		{"built-in", "l^en([])", "built-in function", "len(x, /) -> int",
			"The number of elements of a collection, or of bytes of a string."},
		{"constant of the language", "x = Non^e", "built-in", "None: NoneType",
			"The value that stands for the absence of one."},
		{"method", "\"a\".jo^in([])", "string method", "string.join(iterable, /) -> string",
			"The strings of the iterable in a row, with this string between them."},
		{"method of a variable", "d = dict()\nd.g^et(1)",
			"dict method", "dict.get(key, default = None, /)",
			"The value of the key, or the default if there is none."},
		{"constant", "^LIMIT = 10", "constant", "LIMIT: int = 10", ""},
		{"variable", "x = [1] + [2]\n^x", "variable", "x: list", ""},
		{"assigned twice", "def f():\n  y = 1\n  y = \"\"\n  return ^y", "variable", "y", ""},
		{"function", "def f(a, *b): return a.x\n^f(1)", "function", "def f(a, *b)", ""},
		{"result type", "def ^f(a):\n  if a: return \"\"\n  return str(a)", "function",
			"def f(a) -> string", ""},
		// Said to be a string, whether it is None or not.
		{"result that may be None", "def ^f(a):\n  if a: return \"\"\n", "function", "def f(a)", ""},
		{"struct that is returned", "def f(): return struct(a = [1])\nf().^a", "field", "a: list", ""},
		{"function that is returned", "def f():\n  def g(x): return x\n  return g\n^h = f()",
			"function", "def h(x)", ""},
		{"element", "def f():\n  for x in [\"a\", \"b\"]: ^x", "variable", "x: string", ""},
		{"elements of several types", "y = [^x for x in (\"a\", 1)]", "variable", "x", ""},
		{"lambda", "f = lambda x, y = 2: x\n^f(1)", "function", "def f(x, y = 2)", ""},
		{"parameter", "def f(a = (1, 2)):\n  return ^a", "parameter", "a = (1, 2)", ""},
		{"argument by name",
			"def f(a):\n  '''F.\n\n  Args:\n    a (int): the\n      number\n  '''\nf(^a = 1)",
			"parameter", "a", "the number"},
		{"struct field", "s = struct(a = 1, b = lambda: 2)\ns.^a", "field", "a: int", ""},
		// Said to be a field, and True was explained.
		{"field that a struct lacks", "s = struct(a = 1)\ns.^b", "", "", ""},
		{"alias of a constant", "t = True\n^t", "variable", "t: bool", ""},
		{"numbers of both types", "x = 3 // 2.0\n^x", "variable", "x: float", ""},
		{"repetition", "x = 2 * [None]\n^x", "variable", "x: list", ""},
		{"comment above", "#!/bin/star\n# The most,\n#   by far.\nLIMIT = 10\n^LIMIT", "constant",
			"LIMIT: int = 10", "The most,\n  by far."},
		{"comment of another", "# Other.\n\ny = 1\n^y", "variable", "y: int = 1", ""},
		{"comment", "# l^en", "", "", ""},
		{"unknown attribute", "def f(x): return x.^y", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, off := at(t, tt.src)
			h := buffer(t, src).Hover(off)
			if h == nil {
				h = new(Hover)
			}
			if h.Kind != tt.kind || h.Code != tt.code || h.Doc != tt.doc {
				t.Errorf("hover = %q %q %q, want %q %q %q", h.Kind, h.Code, h.Doc, tt.kind, tt.code, tt.doc)
			}
		})
	}
}

func TestCall(t *testing.T) {
	def := "def f(a, b = 1, *args, c = 2, **kw): return (a, b, args, c, kw)\n"
	for _, tt := range []struct{ name, src, want string }{
		{"first", "f(^)", "f 0"},
		{"second", "f(1, ^)", "f 1"},
		{"within the first", "f(1^, 2)", "f 0"},
		{"rest", "f(1, 2, 3, ^4)", "f 2"},
		{"by name", "f(1, c = ^3)", "f 3"},
		{"other name", "f(1, zz = 3^)", "f 4"},
		{"unclosed", "f(1, ^\nx = 1\n", "f 1"},
		// The missing value was put behind the bracket that was added, and the call was lost.
		{"unclosed behind a name", "f(1, c = ^\nx = 1\n", "f 3"},
		{"unclosed behind an operator", "x = f(1, 2 + ^", "f 1"},
		{"unclosed in a header", "if f(1, ^\n", "f 1"},
		// The colon was missing behind the same token as the value, and the call was lost.
		{"unclosed behind a name in a header", "def g():\n    if f(1, c = ^", "f 3"},
		{"in the header of a loop", "def g():\n    for i in f(1, c = ^\n        pass\n", "f 3"},
		{"in the header of a function", "def g(x = f(1, c = ^", "f 3"},
		{"in a list in a header", "def g():\n    while [f(1, c = ^", "f 3"},
		{"in the block of a header", "def g():\n    if True: f(1, c = ^", "f 3"},
		// A branch in a block was parsed as if at the margin, and what its errors told was nowhere.
		{"in another branch", "def g():\n    if 1:\n        pass\n    elif f(1, c = ^", "f 3"},
		// The call ended for it where the comment does.
		{"unclosed behind a comment", "x = f(1, # one\n  ^", "f 1"},
		{"nested", "f(len(^), 2)", "len 0"},
		{"behind a nested call", "f(len([1, 2]), ^)", "f 1"},
		{"method", "\"\".join(^)", "join 0"},
		{"too many", "len(1, ^2)", "len -1"},
		{"before the parentheses", "^f(1)", ""},
		{"behind the parentheses", "f(1) ^", ""},
		{"unknown", "g(^)", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, off := at(t, def+tt.src)
			got := ""
			if c := buffer(t, src).Call(off); c != nil {
				got = fmt.Sprint(c.Signature.Name, " ", c.Active)
			}
			if got != tt.want {
				t.Errorf("call = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRename(t *testing.T) {
	lib := "def fn(arg):\n    return arg\n\nother = fn(1)\n"
	for _, tt := range []struct{ name, file, at, to, want string }{
		{"parameter with calls by name", "lib.star", "arg", "n",
			"alias.star: load(\"lib.star\", q = \"fn\")\\nq(n = 2)\\n; " +
				"lib.star: def fn(n):\\n    return n\\n\\nother = fn(1)\\n; " +
				"main.star: load(\"lib.star\", \"fn\")\\nfn(n = 1)\\ntaken = fn\\n"},
		{"function", "lib.star", "fn", "go",
			"alias.star: load(\"lib.star\", q = \"go\")\\nq(arg = 2)\\n; " +
				"lib.star: def go(arg):\\n    return arg\\n\\nother = go(1)\\n; " +
				"main.star: load(\"lib.star\", \"go\")\\ngo(arg = 1)\\ntaken = go\\n"},
		{"name taken in a loader", "lib.star", "fn", "taken",
			"alias.star: load(\"lib.star\", q = \"taken\")\\nq(arg = 2)\\n; " +
				"lib.star: def taken(arg):\\n    return arg\\n\\nother = taken(1)\\n; " +
				"main.star: load(\"lib.star\", fn = \"taken\")\\nfn(arg = 1)\\ntaken = fn\\n"},
		{"alias", "alias.star", "q", "z", "alias.star: load(\"lib.star\", z = \"fn\")\\nz(arg = 2)\\n"},
		{"name in a load of an alias", "alias.star", "fn", "go",
			"alias.star: load(\"lib.star\", q = \"go\")\\nq(arg = 2)\\n; " +
				"lib.star: def go(arg):\\n    return arg\\n\\nother = go(1)\\n; " +
				"main.star: load(\"lib.star\", \"go\")\\ngo(arg = 1)\\ntaken = go\\n"},
		{"of a missing file", "lost.star", "gone", "found",
			"lost.star: load(\"nowhere.star\", found = \"gone\")\\nfound()\\n"},
		{"private though loaded", "lib.star", "fn", "_fn", "error: _fn would be private"},
		{"taken", "lib.star", "fn", "other", "error: other is already the name"},
		{"captured", "lib.star", "other", "arg",
			"lib.star: def fn(arg):\\n    return arg\\n\\narg = fn(1)\\n"},
		{"shadowing unused", "lib.star", "arg", "fn",
			"alias.star: load(\"lib.star\", q = \"fn\")\\nq(fn = 2)\\n; " +
				"lib.star: def fn(fn):\\n    return fn\\n\\nother = fn(1)\\n; " +
				"main.star: load(\"lib.star\", \"fn\")\\nfn(fn = 1)\\ntaken = fn\\n"},
		// Its loader was told of in two parts, and clients that take one for each file lost the first.
		{"loaded twice", "twice.star", "two", "deux",
			"again.star: load(\"twice.star\", \"deux\", b = \"deux\")\\ndeux(b)\\n; " +
				"twice.star: def deux(x): return x\\n"},
		// The call kept the old name.
		{"parameter of a lambda", "lambda.star", "par", "p1",
			"lambda.star: f = lambda p1: p1\\nf(p1 = 1)\\n"},
		{"argument of a lambda", "lambda.star", "par = 1", "p1",
			"lambda.star: f = lambda p1: p1\\nf(p1 = 1)\\n"},
		{"built-in", "calls.star", "len", "size", "error: len is predeclared"},
		{"of a built-in used here", "calls.star", "mine", "len",
			"error: len has another meaning in line 2"},
		{"nothing", "calls.star", "1", "x", "error: there is no name here"},
		{"attribute", "calls.star", "upper", "x", "error: only names that a file defines"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{
				"lib.star":    lib,
				"main.star":   "load(\"lib.star\", \"fn\")\nfn(arg = 1)\ntaken = fn\n",
				"alias.star":  "load(\"lib.star\", q = \"fn\")\nq(arg = 2)\n",
				"lost.star":   "load(\"nowhere.star\", \"gone\")\ngone()\n",
				"twice.star":  "def two(x): return x\n",
				"again.star":  "load(\"twice.star\", \"two\", b = \"two\")\ntwo(b)\n",
				"lambda.star": "f = lambda par: par\nf(par = 1)\n",
				"calls.star":  "mine = 1\nlen([mine])\n\"\".upper()\n",
			}
			dir := tree(t, files)
			f := open(t, view(t, Options{Roots: []string{dir}}), filepath.Join(dir, tt.file))
			off := strings.Index(f.Text().String(), tt.at)
			edits, err := f.Rename(t.Context(), off, tt.to)
			if message, ok := strings.CutPrefix(tt.want, "error: "); ok {
				if err == nil || !strings.Contains(err.Error(), message) {
					t.Fatalf("error = %v, want %s", err, message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range edits {
				text, err := source.Apply(e.Text.String(), e.Edits)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.Base(e.Name)+": "+strings.ReplaceAll(text, "\n", "\\n"))
			}
			slices.Sort(got)
			if joined := strings.Join(got, "; "); joined != tt.want {
				t.Errorf("rename gives\n%s\nwant\n%s", joined, tt.want)
			}
		})
	}
}

func TestHighlights(t *testing.T) {
	src, off := at(t, "x = 1\ny = x + [x for x in [^x]][0]\n")
	f := buffer(t, src)
	var got []string
	for _, o := range f.Highlights(off) {
		got = append(got, fmt.Sprint(show(f.Text(), o.Span), " ", o.Write))
	}
	if want := "0:0-0:1 true, 1:4-1:5 false, 1:21-1:22 false"; strings.Join(got, ", ") != want {
		t.Errorf("highlights = %v, want %s", got, want)
	}
}

func TestCallHierarchy(t *testing.T) {
	dir := tree(t, map[string]string{
		"lib.star":  "def leaf(): pass\n\ndef mid():\n    leaf()\n    return [leaf() for _ in [1]]\n",
		"main.star": "load(\"lib.star\", m = \"mid\")\n\ndef top():\n    m()\n    len([])\n\nm()\n",
	})
	v := view(t, Options{Roots: []string{dir}})
	lib := open(t, v, filepath.Join(dir, "lib.star"))
	main := open(t, v, filepath.Join(dir, "main.star"))
	render := func(f *File, edges []CallEdge) string {
		var list []string
		for _, e := range edges {
			entry := filepath.Base(e.Function.Name)
			for _, c := range e.Calls {
				entry += " " + show(f.Text(), c)
			}
			list = append(list, entry)
		}
		return strings.Join(list, ", ")
	}
	incoming, err := lib.IncomingCalls(t.Context(), strings.Index(lib.Text().String(), "mid"))
	if err != nil {
		t.Fatal(err)
	}
	if got := render(main, incoming); got != "top 3:4-3:5, main.star 6:0-6:1" {
		t.Errorf("incoming calls = %s", got)
	}
	if got := render(main, main.OutgoingCalls(strings.Index(main.Text().String(), "top"))); got !=
		"mid 3:4-3:5" {
		t.Errorf("outgoing calls = %s", got)
	}
	outgoing := lib.OutgoingCalls(strings.Index(lib.Text().String(), "mid"))
	if got := render(lib, outgoing); got != "leaf 3:4-3:8 4:12-4:16" {
		t.Errorf("outgoing calls = %s", got)
	}
	fn := main.Function(strings.Index(main.Text().String(), "m()"))
	if fn == nil || fn.Name != "mid" || filepath.Base(fn.Location.Name) != "lib.star" {
		t.Errorf("function = %+v", fn)
	}
	if fn := main.Function(strings.Index(main.Text().String(), "len")); fn != nil {
		t.Errorf("len is %+v, want no function of a file", fn)
	}
}

func TestLinksAndDeclaration(t *testing.T) {
	dir := tree(t, map[string]string{"lib.star": "def a(): pass\n",
		"main.star": "load(\"lib.star\", \"a\")\nload(\"nope.star\", \"b\")\na(b)\n"})
	f := open(t, view(t, Options{}), filepath.Join(dir, "main.star"))
	links := f.Links()
	if len(links) != 1 || show(f.Text(), links[0].Span) != "0:6-0:14" ||
		links[0].Target != filepath.Join(dir, "lib.star") {
		t.Errorf("links = %v", links)
	}
	use := strings.Index(f.Text().String(), "a(b)")
	if got := showAt(f.Declaration(use)); got != "main.star 0:18-0:19" {
		t.Errorf("declaration = %s", got)
	}
	if got := showAt(f.Definition(use)); got != "lib.star 0:4-0:5" {
		t.Errorf("definition = %s", got)
	}
	if got := showAt(f.Definition(use + 2)); got != "" {
		t.Errorf("definition of a missing name = %s", got)
	}
}

func TestFoldsSelectionsAndHints(t *testing.T) {
	src := "# one\n# two\nload(\"a\", \"b\")\nload(\"c\", \"d\")\n\ndef f(x, y):\n    if x:\n" +
		"        return [\n            b,\n        ]\n    else:\n        d(\n            y)\n\n" +
		"f(1, y = 2)\nx = 3\nf(x, 4)\n"
	f := buffer(t, src)
	var folds []string
	for _, fold := range f.Folds() {
		folds = append(folds, fmt.Sprint(show(f.Text(), fold.Span), " ", fold.Kind))
	}
	want := "0:0-1:5 1, 2:0-3:14 2, 5:0-12:14 0, 6:4-9:9 0, 7:15-9:9 0, 10:4-12:14 0, 11:9-12:14 0"
	if got := strings.Join(folds, ", "); got != want {
		t.Errorf("folds = %s, want %s", got, want)
	}
	var spans []string
	for _, s := range f.Selections(f.Text().Offset(source.Position{Line: 8, Col: 12})) {
		spans = append(spans, show(f.Text(), s))
	}
	want = "8:12-8:13, 7:15-9:9, 7:8-9:9, 6:4-12:14, 5:0-12:14, 0:0-17:0"
	if got := strings.Join(spans, ", "); got != want {
		t.Errorf("selections = %s, want %s", got, want)
	}
	var hints []string
	for _, h := range f.InlayHints(source.Span{Start: 0, End: len(src)}) {
		p := f.Text().Position(h.Offset)
		hints = append(hints, fmt.Sprintf("%d:%d %s", p.Line, p.Col, h.Label))
	}
	if got := strings.Join(hints, ", "); got != "14:2 x =, 16:5 y =" {
		t.Errorf("hints = %s", got)
	}
}

// A branch written as elif used to hide the branches behind it when it was folded.
func TestFoldsOfBranches(t *testing.T) {
	src := "def f(x):\n  if x:\n    x()\n  elif f:\n    x()\n  else:\n    x()\n"
	f := buffer(t, src)
	var folds []string
	for _, fold := range f.Folds() {
		folds = append(folds, show(f.Text(), fold.Span))
	}
	want := "0:0-6:7, 1:2-2:7, 3:2-4:7, 5:2-6:7"
	if got := strings.Join(folds, ", "); got != want {
		t.Errorf("folds = %s, want %s", got, want)
	}
}

func TestTokens(t *testing.T) {
	src := "\"\"\"Doc\nmore\"\"\"\ndef f(a): # c\n    return a.b(k = A, l = len(f)) + 1\nA = \"é\"\n"
	f := buffer(t, src)
	var got []string
	for _, tok := range f.Tokens(source.Span{Start: 0, End: len(src)}) {
		if tok.Kind != OperatorToken {
			got = append(got, fmt.Sprint(f.Text().Slice(tok.Span), "/", tok.Kind, "/", tok.Mods))
		}
	}
	want := `"""Doc/2/8 more"""/2/8 def/1/0 f/7/1 a/6/1 # c/0/0 return/1/0 a/6/0 b/8/0 k/6/0 A/5/2 ` +
		`l/6/0 len/7/4 f/7/0 1/3/0 A/5/3 "é"/2/0`
	if strings.Join(got, " ") != want {
		t.Errorf("tokens = %s\nwant %s", strings.Join(got, " "), want)
	}
	line := f.Text().LineSpan(2)
	for _, tok := range f.Tokens(line) {
		if !tok.Span.Overlaps(line) {
			t.Errorf("the token %q is not in the line", f.Text().Slice(tok.Span))
		}
	}
}

func TestWorkspaceSymbols(t *testing.T) {
	dir := tree(t, map[string]string{"a.star": "def build_all(): pass\nALL = 1\n_all = 2\n",
		"sub/b.bzl": "def ball(): pass\n", "c.txt": "all = 1\n"})
	v := view(t, Options{Roots: []string{dir}})
	found, err := v.Symbols(t.Context(), "all")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		got = append(got, s.Name)
	}
	if want := "ALL _all ball build_all"; strings.Join(got, " ") != want {
		t.Errorf("symbols = %v, want %s", got, want)
	}
	if found, err = v.Symbols(t.Context(), "bdl"); err != nil || len(found) != 1 {
		t.Errorf("symbols with b, d and l = %v, %v, want build_all", found, err)
	}
}

func TestDialect(t *testing.T) {
	v := view(t, Options{Dialect: syntax.FileOptions{TopLevelControl: true, GlobalReassign: true}})
	v.Open("untitled:1", "if 1:\n    x = 1\nelse:\n    x = 2\nfor y in [x]:\n    print(y)\n")
	f := open(t, v, "untitled:1")
	if got := problemsOf(t, f); got != "" {
		t.Errorf("problems:\n%s", got)
	}
	if got := fmt.Sprint(symbolNames(f.Symbols())); got != "[x y]" {
		t.Errorf("symbols = %s", got)
	}
}
