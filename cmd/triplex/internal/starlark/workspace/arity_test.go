package workspace

import (
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TestCallsFitAsTheInterpreterHasIt makes calls of all shapes to functions of all shapes: there is
// a problem exactly where the interpreter fails.
func TestCallsFitAsTheInterpreterHasIt(t *testing.T) {
	params := []string{
		"", "a", "a = 0", "a, b", "a, b = 0", "*a", "**a", "*, a", "*, a = 0", "a, *b", "a, *, b",
		"a = 0, *, b", "a, *b, c", "a, **b", "*a, **b", "a, b = 0, *c, d, e = 0, **f",
	}
	args := []string{
		"", "1", "1, 2", "1, 2, 3", "a = 1", "b = 1", "z = 1", "1, a = 1", "1, b = 1", "a = 1, b = 1",
		"1, d = 1", "1, 2, d = 1", "1, 2, 3, d = 1, z = 1", "*[]", "**{}", "1, *[], **{}",
	}
	for _, p := range params {
		for _, a := range args {
			src := fmt.Sprintf("def f(%s): pass\nf(%s)\n", p, a)
			var got []string
			problems, err := buffer(t, src).Problems(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range problems {
				if problem.Severity == Error {
					got = append(got, problem.Msg)
				}
			}
			_, fails := starlark.ExecFileOptions(new(syntax.FileOptions), new(starlark.Thread), "a.star",
				src, nil)
			open := strings.Contains(a, "*") // what it passes on is not known
			if (len(got) > 0) != (fails != nil) && !(open && len(got) == 0) {
				t.Errorf("%q: problems %q, the interpreter says %v", src, got, fails)
			}
		}
	}
}
