package lspface

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
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

// A typist types into the last line of a large file, one character at a time.
type typist struct {
	*client
	version, line, column int
}

func newTypist(t testing.TB) *typist {
	c := connect(t, `{"textDocument":{"publishDiagnostics":{"versionSupport":true}}}`, "")
	content := generated()
	c.open("untitled:big", content)
	c.problems("untitled:big", anything)
	return &typist{client: c, version: 1, line: strings.Count(content, "\n")}
}

// keystroke types a character and waits for the problems.
func (ty *typist) keystroke() {
	ty.t.Helper()
	ty.version++
	ty.notify("textDocument/didChange", fmt.Sprintf(
		`{"textDocument":{"uri":"untitled:big","version":%d},"contentChanges":[{"range":{`+
			`"start":{"line":%[2]d,"character":%[3]d},"end":{"line":%[2]d,"character":%[3]d}},`+
			`"text":"#"}]}`, ty.version, ty.line, ty.column))
	ty.column++
	ty.problems("untitled:big", func(p published) bool { return p.Version == ty.version })
}

func (ty *typist) ask(method string, line, column int) {
	ty.t.Helper()
	ty.call("textDocument/"+method, position("untitled:big", line, column))
}

// BenchmarkAnswers measures what an editor waits for in units of one parse of the file with
// resolving its names. The fastest of each counts, which noise disturbs the least.
func BenchmarkAnswers(b *testing.B) {
	content := generated()
	ty := newTypist(b)
	for _, tt := range []struct {
		name string
		run  func()
	}{
		{"keystroke to problems", ty.keystroke},
		{"completion", func() { ty.ask("completion", ty.line, 0) }},
		{"hover", func() { ty.ask("hover", 7, 48) }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			base, took := time.Hour, time.Hour
			for b.Loop() {
				time.Sleep(2 * quiet) // as people do; what follows faster is looked at together
				start := time.Now()
				parseAndResolve(b, content)
				base = min(base, time.Since(start))
				start = time.Now()
				tt.run()
				took = min(took, time.Since(start))
			}
			b.ReportMetric(float64(took)/float64(base), "parses")
		})
	}
}
