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

// inParses measures f in units of what the interpreter does before it runs a file, both being done
// in turn. The fastest of each counts, which noise disturbs the least.
func inParses(b *testing.B, content string, f func()) {
	base, took := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		parseAndResolve(b, content)
		base = min(base, time.Since(start))
		start = time.Now()
		f()
		took = min(took, time.Since(start))
	}
	b.ReportMetric(float64(took)/float64(base), "parses")
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

// BenchmarkAnswers measures what an editor waits for.
func BenchmarkAnswers(b *testing.B) {
	content := generated()
	broken := strings.Replace(content, "y[\"z\"] = len(args)", "y[\"z\"] = len(args).", 1)
	broken = broken[:len(broken)-20] + "\n    return (\n"
	v := view(b, Options{})
	v.Open("untitled:place", content+"f999(1).\nf9")
	place := open(b, v, "untitled:place")
	end := place.Text().Len()
	for _, tt := range []struct {
		name string
		run  func()
	}{
		{"analysis", analysed(b, v, content)},
		{"analysis with errors", analysed(b, v, broken)},
		{"completion of a name", func() { place.Completions(end) }},
		{"completion of an attribute", func() { place.Completions(end - 3) }},
		{"hover", func() { place.Hover(end - 10) }},
	} {
		b.Run(tt.name, func(b *testing.B) { inParses(b, content, tt.run) })
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
