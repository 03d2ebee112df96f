package lspface

import (
	"fmt"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/workspace/measure"
)

// A typist types into the last line of a large file, one character at a time.
type typist struct {
	*client
	version, line, column int
}

func newTypist(t testing.TB) *typist {
	c := connect(t, `{"textDocument":{"publishDiagnostics":{"versionSupport":true}}}`, "")
	content := measure.Program()
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
// resolving its names.
func BenchmarkAnswers(b *testing.B) {
	content := measure.Program()
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
			// People pause between keys; what follows faster is looked at together.
			measure.InParses(b, content, 2*quiet, tt.run)
		})
	}
}
