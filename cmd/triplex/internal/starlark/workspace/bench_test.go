package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// generated returns a program of about 10,000 lines.
func generated() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `def f%[1]d(a, b = None, *args, **kwargs):
    """Does things with a."""
    x = [i for i in range(a) if i %% 2 == 0]
    y = {"k": x, "v": b}
    if a > 3:
        y["z"] = len(args)
    for k, v in y.items():
        print(k, v, kwargs.get("q", 3), f%[2]d(a))
    return y

`, i, max(i-1, 0))
	}
	return b.String()
}

// parseAndResolve is the measure: what the interpreter does before it runs a file.
func parseAndResolve(t testing.TB, content string) {
	f, err := new(syntax.FileOptions).Parse("x.star", content, 0)
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) bool { return false }
	if err := resolve.File(f, none, starlark.Universe.Has); err != nil {
		t.Fatal(err)
	}
}

// ratio returns how long f takes in units of what base takes, both being run in turn. The fastest
// run of each counts, which noise disturbs the least.
func ratio(rounds int, base, f func()) float64 {
	fastest := func(best time.Duration, f func()) time.Duration {
		start := time.Now()
		f()
		return min(best, time.Since(start))
	}
	a, b := time.Hour, time.Hour
	for range rounds {
		a, b = fastest(a, base), fastest(b, f)
	}
	return float64(b) / float64(a)
}

// analysed measures a keystroke: the problems of a text that was never seen before.
func analysed(t testing.TB, v *View, content string) func() {
	n := 0
	return func() {
		n++
		v.Open("untitled:big", fmt.Sprintf("%s# %d\n", content, n))
		if _, err := open(t, v, "untitled:big").Problems(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnalysisIsFast(t *testing.T) {
	if testing.Short() {
		t.Skip("a measurement")
	}
	content := generated()
	broken := strings.Replace(content, "y[\"z\"] = len(args)", "y[\"z\"] = len(args).", 1)
	broken = broken[:len(broken)-20] + "\n    return (\n"
	v := view(t, Options{})
	base := func() { parseAndResolve(t, content) }
	v.Open("untitled:place", content+"f999(1).\nf9")
	place := open(t, v, "untitled:place")
	end := place.Text().Len()
	for _, tt := range []struct {
		name  string
		limit float64
		run   func()
	}{
		{"analysis", 3, analysed(t, v, content)},
		{"analysis with errors", 3, analysed(t, v, broken)},
		{"completion of a name", 1, func() { place.Completions(end) }},
		{"completion of an attribute", 1, func() { place.Completions(end - 3) }},
		{"hover", 1, func() { place.Hover(end - 10) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ratio(8, base, tt.run); got > tt.limit {
				t.Errorf("takes %.2f times a parse with resolve, want at most %.0f", got, tt.limit)
			} else {
				t.Logf("takes %.2f times a parse with resolve", got)
			}
		})
	}
}

func BenchmarkParseAndResolve(b *testing.B) {
	content := generated()
	for b.Loop() {
		parseAndResolve(b, content)
	}
}

func BenchmarkProblems(b *testing.B) {
	run := analysed(b, view(b, Options{}), generated())
	for b.Loop() {
		run()
	}
}

func BenchmarkCompletions(b *testing.B) {
	v := view(b, Options{})
	v.Open("untitled:big", generated()+"f9")
	f := open(b, v, "untitled:big")
	for b.Loop() {
		f.Completions(f.Text().Len())
	}
}

func BenchmarkTokens(b *testing.B) {
	v := view(b, Options{})
	v.Open("untitled:big", generated())
	f := open(b, v, "untitled:big")
	for b.Loop() {
		f.Tokens(source.Span{Start: 0, End: f.Text().Len()})
	}
}

// manyFiles returns a folder of 1,000 files that load a name of one of them.
func manyFiles(t testing.TB) string {
	files := map[string]string{"lib.star": "def shared(x):\n    return x\n"}
	for i := range 1000 {
		files[fmt.Sprintf("d%d/f%d.star", i%20, i)] = fmt.Sprintf(
			"load(\"../lib.star\", \"shared\")\n\ndef f%d(x):\n    return shared(x) + shared(%d)\n", i, i)
	}
	return tree(t, files)
}

func BenchmarkReferences(b *testing.B) {
	dir := manyFiles(b)
	f := open(b, view(b, Options{Roots: []string{dir}}), filepath.Join(dir, "lib.star"))
	for b.Loop() {
		refs, err := f.References(b.Context(), 5)
		if err != nil || len(refs) != 3001 {
			b.Fatalf("%d references, %v", len(refs), err)
		}
	}
}
