package workspace

import (
	"slices"
	"testing"
)

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
