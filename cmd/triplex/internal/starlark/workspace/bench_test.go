package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/workspace/measure"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

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
	content := measure.Program()
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
		b.Run(tt.name, func(b *testing.B) { measure.InParses(b, content, 0, tt.run) })
	}
}

func BenchmarkTokens(b *testing.B) {
	v := view(b, Options{})
	v.Open("untitled:big", measure.Program())
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
