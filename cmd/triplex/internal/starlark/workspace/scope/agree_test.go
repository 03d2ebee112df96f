package scope

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// refused returns the lines, from 0, that the interpreter refuses.
func refused(t *testing.T, src string, options syntax.FileOptions) []int {
	t.Helper()
	f, err := options.Parse("x.star", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := func(name string) bool { return name == "print" || name == "len" }
	var lines []int
	var list resolve.ErrorList
	if err := resolve.File(f, func(string) bool { return false }, known); errors.As(err, &list) {
		for _, e := range list {
			lines = append(lines, int(e.Pos.Line)-1)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// complained returns the lines that have a problem which the interpreter would mind.
func complained(src string, options syntax.FileOptions) []int {
	f := resolveText(src, options)
	var lines []int
	for _, p := range f.Problems {
		if p.Code != "used-before-assignment" {
			lines = append(lines, f.Tree.Text.Position(p.Span.Start).Line)
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// TestStrictAsTheInterpreter resolves all programs of three statements out of some that give and
// take names in all ways. A name that was assigned and then loaded used to be a problem, which is
// fine with the interpreter.
func TestStrictAsTheInterpreter(t *testing.T) {
	statements := []string{
		"x = 1", "x = y", "x += 1", "y = x", "def x(): return x", "def f(): x = x; return y",
		"load('m', 'x')", "load('m', x = 'y')", "load('m', 'x', 'x')", "[x for x in [y]]",
		"(x, y) = (1, 2)", "print(x)", "for x in []: print(x)", "if y: x = 2", "x.y = len",
	}
	for _, options := range []syntax.FileOptions{
		{}, {GlobalReassign: true}, {LoadBindsGlobally: true}, {TopLevelControl: true},
		{GlobalReassign: true, LoadBindsGlobally: true, TopLevelControl: true},
	} {
		t.Run(fmt.Sprintf("%+v", options), func(t *testing.T) {
			n := len(statements)
			for i := range n * n * n {
				src := strings.Join([]string{
					statements[i%n], statements[i/n%n], statements[i/n/n], "",
				}, "\n")
				if got, want := complained(src, options), refused(t, src, options); !slices.Equal(got, want) {
					t.Errorf("%q has problems in lines %v, want %v", src, got, want)
				}
			}
		})
	}
}
