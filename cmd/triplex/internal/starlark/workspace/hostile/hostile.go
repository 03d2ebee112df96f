// Package hostile makes texts for tests that cost whoever reads Starlark the most: each is one
// construct over and over.
package hostile

import (
	"fmt"
	"strings"
)

// A Text is a text and the name of what is in it.
type Text struct{ Name, Content string }

// Texts returns texts of about size bytes each.
func Texts(size int) []Text {
	var texts []Text
	for _, t := range repeated {
		n := (size - len(t.begin)) / len(t.again)
		texts = append(texts, Text{t.name, t.begin + strings.Repeat(t.again, n)})
	}
	for _, t := range balanced {
		n := size / len(t.open+t.end)
		name := fmt.Sprintf("%q and as many %q", t.open, t.end)
		texts = append(texts, Text{name, strings.Repeat(t.open, n) + strings.Repeat(t.end, n)})
	}
	for _, t := range deep {
		line := t.begin + strings.Repeat(t.again, t.n) + strings.Repeat(t.end, t.n) + "\n"
		texts = append(texts, Text{t.name, strings.Repeat(line, max(size/len(line), 1))})
	}
	for _, t := range numbered {
		var b strings.Builder
		b.WriteString(t.begin)
		for i := 0; b.Len() < size; i++ {
			b.WriteString(t.again(i))
		}
		texts = append(texts, Text{t.name, b.String()})
	}
	return texts
}

// repeated are texts that repeat the same bytes, some of them behind a beginning.
var repeated = []struct{ name, begin, again string }{
	{"open parentheses", "", "("},
	{"open brackets", "", "["},
	{"open braces", "", "{"},
	{"closing parentheses", "", ")"},
	{"pairs of brackets", "", "[]"},
	{"pairs of brackets in lines", "", "[\n]\n"},
	{"open brackets in lines", "", "[\n"},
	{"closing brackets in lines", "", "]\n"},
	{"closed brackets that do not match", "", "(]"},
	{"open brackets of two kinds", "", "(["},
	{"brackets that cross", "", "([)]"},
	{"brackets that cross in lines", "", "([\n)]\n"},
	{"a bracket within another", "(", "["},
	{"calls that are open", "", "f("},
	{"calls that are open in lines", "", "f(\n"},
	{"calls that are open in values", "", "x = f(\n"},
	{"calls with a name behind", "f(", "\nx = (y"},
	{"calls of calls", "f", "()"},
	{"dicts in dicts", "", "{1:"},
	{"indexes of indexes", "x", "[0]"},
	{"indexes in indexes", "", "x["},
	{"attributes", "x", ".x"},
	{"dots", "", "."},
	{"colons", "", ":"},
	{"commas", "", ","},
	{"semicolons", "", ";"},
	{"question marks", "", "?"},
	{"question marks in lines", "", "?\n"},
	{"backslashes", "", "\\"},
	{"backslashes at line ends", "", "\\\n"},
	{"comments", "", "#\n"},
	{"a comment", "", "#"},
	{"blanks", "", " "},
	{"line ends", "", "\n"},
	{"carriage returns", "", "\r"},
	{"NUL characters", "", "\x00"},
	{"bytes that are no text", "", "\xff"},
	{"byte order marks", "", "\uFEFF"},
	{"letters", "", "a"},
	{"digits", "x = ", "1"},
	{"letters beyond ASCII", "", "é"},
	{"names beyond ASCII", "x = [", "é, "},
	{"names beyond ASCII without commas", "x = [", "é "},
	{"names with blanks between", "", "a "},
	{"quotes", "", "'"},
	{"quotes in lines", "", "'\n"},
	{"long quotes in lines", "", "'''\n"},
	{"long quotes that are escaped", "", "\\'''\n"},
	{"bytes that are not closed", "", "b'\n"},
	{"strings side by side", "x = ", "''"},
	{"operators", "x = 1", "+1"},
	{"operators without operands", "x = ", "*"},
	{"comparisons", "x = 1", "<1"},
	{"minus signs", "x = ", "-"},
	{"negations", "x = ", "not "},
	{"equal signs", "x", "="},
	{"assignments in one", "x", " = x"},
	{"conditions", "x = 1", " if 1 else 1"},
	{"conditions without else", "x = 1", " if 1"},
	{"conditions in conditions", "x = ", "1 if "},
	{"functions in functions", "x = ", "lambda:"},
	{"functions with parameters", "x = ", "lambda x=x:"},
	{"loops of a comprehension", "[x", " for x in x"},
	{"conditions of a comprehension", "[x for x in x", " if x"},
	{"comprehensions in comprehensions", "", "[x for x in "},
	{"bodies of comprehensions", "", "[["},
	{"words", "", "for in "},
	{"statements in a line", "", "x;"},
	{"assignments in lines", "", "x = x\n"},
	{"values that are missing", "", "x =\n"},
	{"lines that are wrong", "", "a b\n"},
	{"every other line wrong", "", "a b\nx = 1\n"},
	{"a function of wrong lines", "def f():\n", " a b\n"},
	{"a list of wrong elements", "x = [", "a b, "},
	{"names of the language", "x = [", "None, "},
	{"arguments", "f(", "x = x, "},
	{"parameters", "def f(", "x, "},
	{"functions of one name", "", "def f(): pass\n"},
	{"functions without bodies", "", "def f():\n"},
	{"functions that are open", "", "def f(\n"},
	{"headers without bodies in one", "def f():\n", " if x:\n"},
	{"headers in a line", "", "if x: "},
	{"elif", "if x:x\n", "elif x:x\n"},
	{"elif without if", "", "elif x:x\n"},
	{"else", "if x:x\n", "else:x\n"},
	{"load", "", "load('x', 'x')\n"},
	{"load without end", "", "load('x',\n"},
	{"names of one load", "load('x', ", "'x', "},
	{"import", "", "import x\n"},
	{"return", "def f():\n", " return\n"},
	{"fields of a struct", "x = struct(", "x = struct(), "},
	{"dict", "x = {", "1: 1, "},
	{"formats", "x = ", "'%s' % "},
	{"indents and outdents", "if x:\n x\n", "  if x:\n    x\n"},
}

// balanced are texts that repeat some bytes, and then as often what closes them.
var balanced = []struct{ open, end string }{
	{"(", ")"}, {"[", "]"}, {"{", "}"}, {"([{", "}])"}, {"f(", ")"}, {"{1:", "}"}, {"(\n", ")\n"},
	{"[x for x in ", "]"}, {"([", ")]"},
}

// deep are texts of many lines that each are about as deep as the parser and the analysis bear, or
// deeper. Again and end come n times.
var deep = []struct {
	name, begin, again, end string
	n                       int
}{
	{"lists as deep as may be", "", "[", "]", 300},
	{"lists that are too deep", "x = ", "[", "]", 1200},
	{"calls as deep as may be", "f", "()", "", 990},
	{"operators as deep as may be", "1", "+x", "", 990},
	{"fields as deep as may be", "x", ".x", "", 990},
	{"elif as deep as may be", "if x:x\n", "elif x:x\n", "", 990},
}

// numbered are texts of many parts that all differ.
var numbered = []struct {
	name, begin string
	again       func(i int) string
}{
	{"names that are not known", "", func(i int) string { return fmt.Sprintf("a%d = b%d\n", i, i) }},
	{"names of each other", "", func(i int) string { return fmt.Sprintf("a%d = a%d\n", i+1, i) }},
	{"functions that call another", "", func(i int) string {
		return fmt.Sprintf("def a%d(): return a%d()\n", i+1, i)
	}},
	{"parameters of all names", "def f(", func(i int) string { return fmt.Sprintf("a%d, ", i) }},
	{"names that are loaded", "load('x', ", func(i int) string { return fmt.Sprintf("'a%d', ", i) }},
	{"deeper and deeper", "", func(i int) string { return strings.Repeat(" ", i) + "if x:\n" }},
	{"deeper in tabs", "", func(i int) string { return strings.Repeat("\t", i) + "def f():\n" }},
	{"less and less deep", "", func(i int) string {
		return strings.Repeat(" ", max(0, 1000-i)) + "x\n"
	}},
}
