package workspace

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func TestCompletions(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string // among the labels
		not       []string
	}{
		{"scope", "x = 1\ndef f(p):\n  loc = 1\n  for v in p:\n    ^\n",
			[]string{"p", "loc", "v", "x", "f", "len", "for"}, []string{"set"}},
		{"outside of the function", "def f(p):\n  loc = 1\n\n^", []string{"f"}, []string{"p", "loc"}},
		{"at the end of the function", "def f(p):\n  loc = 1\n\n  ^", []string{"p", "loc"}, nil},
		{"nested at the end", "def f(p):\n  def g(q):\n    pass\n  ^", []string{"p", "g"}, []string{"q"}},
		{"the word being written", "xylo^", nil, []string{"xylo"}},
		{"attributes of a string", "\"\".^", []string{"join", "upper"}, []string{"append", "len"}},
		{"attributes in a call", "d = {}\nprint(d.^)\n", []string{"items"}, []string{"join"}},
		{"attributes with a part written", "x = []\nx.app^\ny = 1\n", []string{"append"}, []string{"x"}},
		{"attributes of a struct", "s = struct(a = 1)\ns.^", []string{"a"}, nil},
		{"attributes of a result", "def f(): return {}\nf().^", []string{"keys"}, nil},
		{"attributes of a struct that is returned",
			"def f():\n  s = struct(a1 = 1)\n  return s\nx = f()\nx.^", []string{"a1"}, []string{"x"}},
		{"attributes of an element", "x = [s.^ for s in [\"\"]]", []string{"join"}, []string{"x"}},
		{"arguments", "def f(one, *, two = 2): return one + two\nf(^)",
			[]string{"one =", "two =", "f"}, nil},
		{"second argument", "def f(one, two): return one + two\nf(1, t^)", []string{"two ="}, nil},
		{"value of an argument", "def f(one): return one\nf(one = ^)", []string{"f"}, []string{"one ="}},
		// Arguments that the call has already were offered again, and those of the call around a list.
		{"arguments that are missing", "def f(a1, b1, c1, *, d1): pass\nf(1, c1 = 2, ^)",
			[]string{"b1 =", "d1 ="}, []string{"a1 =", "c1 ="}},
		{"the argument being written", "def f(a1, b1): pass\nf(a^, b1 = 2)", []string{"a1 ="},
			[]string{"b1 ="}},
		{"element of an argument", "def f(a1): pass\nf([1, ^])", []string{"f"}, []string{"a1 ="}},
		{"behind a comment", "def f(a1): pass\nf(  # why\n    ^\n)", []string{"a1 ="}, nil},
		// Names of all kinds were offered where only a new one can stand.
		{"parameter", "def f(^): pass", nil, []string{"f", "len"}},
		{"second parameter", "def f(a1, *^): pass", nil, []string{"f", "a1"}},
		{"variable of a loop", "def f():\n  for ^ in []: pass", nil, []string{"f", "len"}},
		{"variable of a comprehension", "x = [1 for ^]", nil, []string{"x", "len"}},
		{"module of a load", "load(^", nil, []string{"len", "if"}},
		{"name of a load", "load(\"a\", ^)", nil, []string{"len", "if"}},
		// The parameters were offered, though only what is around the function is known there.
		{"default value", "x = 1\ndef f(p, q = ^): pass", []string{"x"}, []string{"p", "q"}},
		{"default value in an open header", "x = 1\ndef f(p, q = ^", []string{"x"}, []string{"p", "q"}},
		{"body of a lambda", "x = lambda z1: ^", []string{"z1", "x"}, nil},
		{"behind a lambda", "x = lambda z1: z1\n^", []string{"x"}, []string{"z1"}},
		{"string", "x = \"l^\"", nil, []string{"len"}},
		{"unclosed string", "x = \"l^", nil, []string{"len"}},
		{"comment", "# l^", nil, []string{"len"}},
		{"name of a function", "def ^", nil, []string{"len"}},
		{"number", "x = 12^", nil, []string{"len"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, off := at(t, tt.src)
			var labels []string
			for _, c := range buffer(t, src).Completions(off) {
				labels = append(labels, c.Label)
				if !c.Edit.Touches(off) {
					t.Errorf("the edit of %s is at %v, away from %d", c.Label, c.Edit.Span, off)
				}
			}
			for _, want := range tt.want {
				if !slices.Contains(labels, want) {
					t.Errorf("%s is missing in %v", want, labels)
				}
			}
			for _, not := range tt.not {
				if slices.Contains(labels, not) {
					t.Errorf("%s is offered", not)
				}
			}
		})
	}
}

func TestCompletionsInLoads(t *testing.T) {
	for _, tt := range []struct{ name, src, want, result string }{
		{"files", "load(\"^", "lib.star main.star.bzl sub", "load(\"lib.star"},
		{"with a part written", "load(\"li^\", \"x\")", "lib.star main.star.bzl sub",
			"load(\"lib.star\", \"x\")"},
		{"below a folder", "load(\"sub/^\")", "deep.bzl", "load(\"sub/deep.bzl\")"},
		{"from a label", "load(\"//sub:^\")", "deep.bzl", "load(\"//sub:deep.bzl\")"},
		{"names", "load(\"lib.star\", \"^\")", "CONST fn", "load(\"lib.star\", \"CONST\")"},
		{"names with a part written", "load(\"lib.star\", x = \"f^", "CONST fn",
			"load(\"lib.star\", x = \"CONST"},
		{"names of a missing file", "load(\"nope.star\", \"^\")", "", ""},
		{"external", "load(\"@x//^\")", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src, off := at(t, tt.src)
			dir := tree(t, map[string]string{
				"lib.star":     "def fn(a):\n  \"\"\"Doc.\"\"\"\n  return a\nCONST = 1\n_private = 2\n",
				"sub/deep.bzl": "", "notes.txt": "", ".hidden.star": "", "main.star": src,
				"main.star.bzl": "",
			})
			f := open(t, view(t, Options{Roots: []string{dir}}), filepath.Join(dir, "main.star"))
			list := f.Completions(off)
			var labels []string
			for _, c := range list {
				labels = append(labels, c.Label)
			}
			if got := strings.Join(labels, " "); got != tt.want {
				t.Fatalf("completions = %s, want %s", got, tt.want)
			}
			if len(list) == 0 {
				return
			}
			if got, err := source.Apply(src, []source.Edit{list[0].Edit}); err != nil || got != tt.result {
				t.Errorf("the text becomes %q, %v, want %q", got, err, tt.result)
			}
		})
	}
}

// unfinished are statements in the middle of being written, within a function. Where a bracket was
// not closed yet, or a conditional expression had no else, the value before the dot used to be
// unknown.
var unfinished = []string{
	"s.^", "return s.^", "x = s.^", "x += s.^", "x, y = s.^", "s.up^", "s.upper().^", "s .^", "s. ^",
	"x = -s.^", "x = not s.^", "x = s + s.^", "x = s.^ + s", "lambda: s.^", "s.^()", "s.^.upper()",
	"if s.^", "if s.^:", "if not s.^:", "if s == s.^:", "while s.^:", "for a in s.^", "for a in s.^:",
	"if s:\n        s.^", "if s:\n        pass\n    elif s.^", "if s:\n        pass\n    elif f(s.^",
	"if s:\n        pass\n    else:\n        s.^", "def g():\n        s.^", "def g(x = f(s.^",
	"f(s.^", "f(s.^)", "f(1, s.^", "f(a = s.^", "f(s)(s.^", "f(*s.^", "f(**s.^", "f('a' + s.^",
	"f(\n        s.^\n    )", "f(\n        s.^,\n        1,\n    )", "if f(s.^", "for a in f(s.^",
	"[s.^", "[s.^]", "[a for a in s.^", "[s.^ for a in s]", "[[s.^", "x = s[s.^", "x = (s.^",
	"{s.^", "{s.^}", "{'a': s.^", "{'a': s.^}", "x = {\n        'a': s.^,\n    }",
	"x = 1 if s.^", "x = 1 if s.^ else 2", "x = 1 if s else s.^", "f(1 if s.^", "f(1 if s.^, 2)",
	"x = [1 if s.^]", "if 1 if s.^:", "x = s.\\\n  ^",
}

func TestCompletionsWhileTyping(t *testing.T) {
	rest := []string{"", "\n", "\ndef other():\n    pass\n", "\n    return s\n\nx = 1\n"}
	for _, statement := range unfinished {
		t.Run(statement, func(t *testing.T) {
			for _, after := range rest {
				src, off := at(t, "def f(x):\n    s = ''\n    "+statement+after)
				var labels []string
				for _, c := range buffer(t, src).Completions(off) {
					labels = append(labels, c.Label)
				}
				if !slices.Contains(labels, "upper") || slices.Contains(labels, "len") {
					t.Errorf("before %q there is no attribute of a string in %v", after, labels)
				}
			}
		})
	}
}
