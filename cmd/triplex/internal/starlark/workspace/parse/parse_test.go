package parse

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// errorsOf renders the errors of a text, each as line:col-line:col message.
func errorsOf(t *Tree) []string {
	var got []string
	for _, e := range t.Errors {
		a, b := t.Text.Position(e.Span.Start), t.Text.Position(e.Span.End)
		got = append(got, fmt.Sprintf("%d:%d-%d:%d %s", a.Line, a.Col, b.Line, b.Col, e.Msg))
	}
	return got
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"clean", "x = 1\n", nil},
		{"newline", "print(1)\n\nx++\n\nprint(2)\n", []string{
			"2:3-2:3 unexpected end of line, expected an expression"}},
		{"adjacent strings", "x = (\"a\"\n     \"b\")\ny = 1\n", []string{
			"1:5-1:8 adjacent strings are not joined: write + between them"}},
		{"dot", "x = foo.\ny = 1\n", []string{"0:8-0:8 unexpected end of line, expected a name"}},
		{"missing value", "x =\ny = 1\n", []string{
			"0:3-0:3 unexpected end of line, expected an expression"}},
		{"unclosed call", "x = f(1,\ny = 2\nz = 3\n", []string{`0:5-0:6 "(" is never closed`}},
		{"unclosed in a function", "def f():\n    x = g(1,\n    y = 2\n    return y\n", []string{
			`1:9-1:10 "(" is never closed`}},
		{"stray bracket", "x = 1)\n", []string{`0:5-0:6 ")" closes no bracket`}},
		{"wrong bracket", "x = f([1, 2)\ny = 1\n", []string{`0:6-0:7 "[" is never closed`}},
		{"unclosed string", "x = f(\"a)\ny = 2\n", []string{"0:6-0:9 the string is not closed"}},
		{"bad character", "x = 1 ? 2\n", []string{`0:6-0:7 unexpected character "?"`}},
		{"missing colon", "def f()\n    return 1\n", []string{
			"0:7-0:7 unexpected end of line, expected ':'"}},
		{"missing block", "def f():\n\n\nx = 1\n", []string{
			"0:8-0:8 expected an indented block after this line"}},
		{"missing block in a function", "def f():\n    if x:\n    y = 1\n    return y\n", []string{
			"1:9-1:9 expected an indented block after this line"}},
		{"missing block at the end", "def f():", []string{
			"0:8-0:8 expected an indented block after this line"}},
		{"unexpected indent", "x = 1\n  y = 2\n  z = 3\nw = 4\n", []string{
			"1:2-1:3 unexpected indentation"}},
		{"unindent", "def f():\n    x = 1\n  y = 2\n    return x\n", []string{
			"2:2-2:3 unindent does not match any outer indentation level"}},
		{"assignment in a condition", "def f(x):\n    if x = 3:\n        return x\n", []string{
			"1:9-1:10 unexpected '=': compare with =="}},
		{"import", "import os\nx = 1\n", []string{
			`0:0-0:6 Starlark has no import: use load("file.star", "name")`}},
		{"block of a word that is reserved", "with a as b:\n    c()\n    d()\ntry:\n    e()\n", []string{
			"0:0-0:4 with is a reserved word", "3:0-3:3 Starlark has no try: errors cannot be caught"}},
		{"backslash at the end", "x = 1 \\", []string{"0:6-0:7 unexpected character \"\\\\\""}},
		{"missing comma in a load", "load('a' 'b')\n", []string{
			"0:9-0:12 unexpected string literal, expected ','"}},
		{"missing comma", "x = [\n    1\n    2,\n]\n", []string{
			"2:4-2:5 unexpected int literal, expected ']'"}},
		{"two errors", "x = (1\ndef f(:\n    return 1\ny = = 2\n", []string{
			`0:4-0:5 "(" is never closed`, `1:5-1:6 "(" is never closed`,
			"3:4-3:5 unexpected '=', expected an expression"}},
		{"beyond the BMP", "s = \"😀é\"; t = )\n", []string{`0:18-0:19 ")" closes no bracket`}},
		{"tab", "def f():\n\treturn 1 +\n", []string{
			"1:11-1:11 unexpected end of line, expected an expression"}},
		{"byte order mark", "\uFEFFx = 1\ny = \n", []string{
			"1:3-1:3 unexpected end of line, expected an expression"}},
		{"NUL", "x = 1\x00\ny = z.\n", []string{
			"0:5-0:6 unexpected NUL character", "1:6-1:6 unexpected end of line, expected a name"}},
		{"else without if", "else:\n    x = 1\ny = 2\n", []string{
			"0:0-0:4 unexpected else, expected an expression"}},
		{"CRLF", "x = (\r\ndef f():\r\n    pass\r\n", []string{`0:4-0:5 "(" is never closed`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := errorsOf(Parse(source.New(tt.src)))
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("errors of %q:\n%s\nwant:\n%s", tt.src,
					strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// names renders the identifiers of a tree with their place in the text.
func names(t *Tree) string {
	var got []string
	for _, stmt := range t.File.Stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok && id.Name != Hole {
				got = append(got, t.Text.Slice(t.Span(id)))
			}
			return true
		})
	}
	return strings.Join(got, " ")
}

// TestPatchesAtOnePlace parses a text for which an insertion in front of a character that was
// blanked out used to panic.
func TestPatchesAtOnePlace(t *testing.T) {
	if got := errorsOf(Parse(source.New("00!if 00A000000000000000000"))); len(got) != 1 {
		t.Errorf("errors = %v, want one", got)
	}
}

func TestRecoveryKeepsTheRest(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"attribute being typed", "a = 1\nb = a.\nc = b\n", "a b a c b"},
		{"argument missing", "f(\n  a = 1,\n  b = ,\n  c = d,\n)\n", "f a b c d"},
		{"body of a broken header", "def f(a b:\n    c = 1\n    return c\nd = 2\n", "f a b c c d"},
		{"behind an insertion", "x = [a b, c]; y = z\n", "x a b c y z"},
		{"behind a blank", "x = 1 1; y = 2\n", "x y"},
		{"after an unclosed string", "x = \"abc\ny = x\n", "x y x"},
		{"for without a sequence", "def f():\n  for x in\n    g(x)\n", "f x g x"},
		{"block of a word that is reserved", "def f():\n  with a as b:\n    c()\n  d()\n", "f c d"},
		{"if chain", "def f(x):\n  if x:\n    a()\n  elif :\n    b()\n  else\n    c()\n",
			"f x x a b c"},
		// These used to be lost while the rest is written.
		{"tuple being written", "x, y = a,\n", "x y a"},
		{"comprehension being written", "x = [a for\ny = [b for c\n", "x a y b c"},
		{"loop being written", "def f():\n    for a\n        b(a)\n", "f a b a"},
		// The names of a branch that is part of a block used to be lost with its error.
		{"branch in a block", "def f(x):\n    if x:\n        a()\n    elif g(x, b c):\n        d()\n",
			"f x x a g x b c d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := names(Parse(source.New(tt.src))); got != tt.want {
				t.Errorf("names of %q = %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

// TestParseHostile parses texts that used to overflow the stack or to take minutes.
func TestParseHostile(t *testing.T) {
	for _, tt := range []struct{ name, src string }{
		{"operators", "x = 1" + strings.Repeat("+1", MaxSize/2-10)},
		{"calls", "f" + strings.Repeat("()", MaxSize/2-10)},
		{"elif", "if 0:0\n" + strings.Repeat("elif 0:0\n", MaxSize/9-10)},
		{"parentheses", strings.Repeat("(", 1<<16)},
		{"unclosed calls", strings.Repeat("f(\n", 1<<14)},
		{"every other line wrong", strings.Repeat("a b\nx = 1\n", 1<<14)},
		{"a function of wrong lines", "def f():\n" + strings.Repeat("    a b\n", 1<<14)},
		{"one line of wrong characters", strings.Repeat("?", 1<<16)},
		{"one list of wrong elements", "x = [" + strings.Repeat("a b, ", 1<<14) + "]"},
		{"quotes", strings.Repeat("'\n", 1<<14)},
		{"large", strings.Repeat("\n", MaxSize+1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := Parse(source.New(tt.src))
			if len(tree.Errors) == 0 || len(tree.Errors) > maxErrors {
				t.Errorf("%d errors, want some and at most %d", len(tree.Errors), maxErrors)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"def f(a, b = 1, *c, **d):\n    if a:\n        return [x for x in b]\n    else:\n        pass\n",
		"load(\"a\", \"b\", c = \"d\")\nx = {1: 2}[3:4]\n", "x = \"\"\"a\n\"\"\" + r'b' \\\n+ 0x1F",
		"\uFEFFx = (\n\tlambda y: y.z", "x = [1, 2\n  y = 3\n", "if x:\n", "'\\", "é = 1\r\r\n",
		" \\\n", // used to have no error, though the interpreter does not run it
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		text := source.New(src)
		tree := Parse(text)
		_, err := portion{}.parse([]byte(strings.TrimPrefix(src, source.BOM)))
		if !strings.Contains(src, "\x00") && (err == nil) != (len(tree.Errors) == 0) {
			t.Errorf("parser says %v, Parse %v", err, tree.Errors)
		}
		end := 0
		for _, tok := range Tokens(text) {
			if tok.Start < end || tok.End < tok.Start || tok.End > len(src) {
				t.Fatalf("token %v overlaps another, or is outside of %q", tok, src)
			}
			end = tok.End
		}
		for _, stmt := range tree.File.Stmts {
			syntax.Walk(stmt, func(n syntax.Node) bool {
				if n != nil {
					text.Slice(tree.Span(n))
				}
				return true
			})
		}
	})
}
