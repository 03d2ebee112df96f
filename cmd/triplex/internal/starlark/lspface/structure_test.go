package lspface

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

func TestFolds(t *testing.T) {
	for name, tt := range map[string]struct{ able, want string }{
		"with characters": {`{}`,
			"0:24-1:26 imports, 5:14-10:25 , 6:15-7:18 comment, 8:22-9:35 "},
		"of whole lines": {`{"lineFoldingOnly":true}`, "0-1 imports, 5-10 , 6-7 comment, 8-9 "},
		"no more than":   {`{"lineFoldingOnly":true,"rangeLimit":1}`, "0-1 imports"},
	} {
		t.Run(name, func(t *testing.T) {
			c, main, _ := editor(t, `{"textDocument":{"foldingRange":`+tt.able+`}}`)
			var got []string
			for _, f := range decode[[]protocol.FoldingRange](t,
				c.call("textDocument/foldingRange", textDocumentOf(main))) {
				at := fmt.Sprintf("%d-%d", f.StartLine, f.EndLine)
				if f.StartCharacter != nil {
					at = show(protocol.Range{
						Start: protocol.Position{Line: f.StartLine, Character: *f.StartCharacter},
						End:   protocol.Position{Line: f.EndLine, Character: *f.EndCharacter},
					})
				}
				got = append(got, at+" "+string(f.Kind))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("folds = %s, want %s", strings.Join(got, ", "), tt.want)
			}
		})
	}
}

func TestSelections(t *testing.T) {
	c, main, _ := editor(t, "{}")
	got := decode[[]protocol.SelectionRange](t, c.call("textDocument/selectionRange", fmt.Sprintf(
		`{"textDocument":{"uri":%q},"positions":[{"line":9,"character":14},{"line":99,"character":0}]}`,
		main)))
	if len(got) != 2 {
		t.Fatalf("selections = %+v", got)
	}
	var ranges []string
	for r := &got[0]; r != nil; r = r.Parent {
		ranges = append(ranges, show(r.Range))
		if r.Parent != nil && !within(r.Range, r.Parent.Range) {
			t.Errorf("%s is not within %s", show(r.Range), show(r.Parent.Range))
		}
	}
	if ranges[0] != "9:13-9:17" || ranges[len(ranges)-1] != "0:0-14:0" || len(ranges) < 4 {
		t.Errorf("ranges = %v", ranges)
	}
}

func within(a, b protocol.Range) bool {
	before := func(p, q protocol.Position) bool {
		return p.Line < q.Line || p.Line == q.Line && p.Character <= q.Character
	}
	return before(b.Start, a.Start) && before(a.End, b.End)
}

func TestInlayHints(t *testing.T) {
	c, main, _ := editor(t, "{}")
	for _, tt := range []struct {
		name       string
		start, end int
		want       string
	}{
		{"of a range", 0, 12, "9:13 src =, 9:19 dst ="},
		{"of another", 12, 13, "12:6 arg ="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := c.call("textDocument/inlayHint", fmt.Sprintf(`{"textDocument":{"uri":%q},`+
				`"range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":0}}}`,
				main, tt.start, tt.end))
			var got []string
			for _, h := range decode[[]struct {
				Position protocol.Position
				Label    string
				Kind     int
			}](t, raw) {
				got = append(got, fmt.Sprintf("%d:%d %s", h.Position.Line, h.Position.Character, h.Label))
				if h.Kind != int(protocol.InlayHintKindParameter) {
					t.Errorf("kind = %d", h.Kind)
				}
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("hints = %v, want %s", got, tt.want)
			}
		})
	}
}

func TestDocumentLinks(t *testing.T) {
	c, main, lib := editor(t, "{}")
	got := decode[[]protocol.DocumentLink](t,
		c.call("textDocument/documentLink", textDocumentOf(main)))
	if len(got) != 2 || *got[0].Target != lib || show(got[0].Range) != "0:6-0:14" {
		t.Errorf("links = %+v", got)
	}
}

func TestLensesRunAndDebug(t *testing.T) {
	c, main, _ := editor(t, "{}")
	var got []string
	for _, l := range decode[[]struct {
		Command struct{ Title, Command string }
	}](t,
		c.call("textDocument/codeLens", textDocumentOf(main))) {
		got = append(got, l.Command.Title+" "+l.Command.Command)
	}
	if strings.Join(got, ", ") != "Run starlark.run, Debug starlark.debug" {
		t.Errorf("lenses = %v", got)
	}
}

func TestSemanticTokens(t *testing.T) {
	c := connect(t, "{}", "")
	const first = "# 😀\ndef f(π):\n    return π + len(\"😀\")\n"
	c.open("untitled:a", first)
	full := decode[tokensResult](t,
		c.call("textDocument/semanticTokens/full", textDocumentOf("untitled:a")))
	want := "0:0+4 comment, 1:0+3 keyword, 1:4+1 function declaration, " +
		"1:6+1 parameter declaration, 1:8+1 operator, 2:4+6 keyword, 2:11+1 parameter, " +
		"2:13+1 operator, 2:15+3 function defaultLibrary, 2:19+4 string"
	if got := described(full.Data); got != want {
		t.Errorf("tokens = %s\nwant %s", got, want)
	}

	part := decode[tokensResult](t, c.call("textDocument/semanticTokens/range",
		`{"textDocument":{"uri":"untitled:a"},"range":{"start":{"line":1,"character":0},`+
			`"end":{"line":1,"character":6}}}`))
	if got := described(part.Data); got != "1:0+3 keyword, 1:4+1 function declaration" {
		t.Errorf("tokens of a range = %s", got)
	}

	c.change("untitled:a", 2, strings.Replace(first, "len", "\n    len", 1))
	delta := func(previous string) tokensResult {
		return decode[tokensResult](t, c.call("textDocument/semanticTokens/full/delta",
			fmt.Sprintf(`{"textDocument":{"uri":"untitled:a"},"previousResultId":%q}`, previous)))
	}
	d := delta(full.ResultID)
	if len(d.Edits) != 1 || d.Data != nil || len(d.Edits[0].Data) > 10 {
		t.Fatalf("delta = %+v", d)
	}
	data := applied(full.Data, d.Edits[0])
	if got := described(data); !strings.Contains(got, "3:4+3 function defaultLibrary, 3:8+4 string") {
		t.Errorf("tokens after the delta = %s", got)
	}
	if again := delta(d.ResultID); len(again.Edits) != 0 || again.Data != nil {
		t.Errorf("a second delta = %+v", again)
	}
	if lost := delta("unknown"); described(lost.Data) != described(data) {
		t.Errorf("the delta to an unknown result = %+v", lost)
	}
	c.close("untitled:a")
	c.open("untitled:a", first)
	if d := delta(d.ResultID); d.Edits != nil {
		t.Errorf("the delta to a result of a document that was closed = %+v", d)
	}
}

// The tokens and problems of a long line used to take minutes, as each was measured from the start
// of the line.
func TestALongLine(t *testing.T) {
	const entries = 80_000
	c := connect(t, "{}", "")
	known := strings.Repeat("None, ", entries-maxProblems)
	c.open("untitled:a", "x = ["+known+strings.Repeat("true, ", maxProblems)+"]\n")
	full := decode[tokensResult](t,
		c.call("textDocument/semanticTokens/full", textDocumentOf("untitled:a")))
	if got, want := len(full.Data)/5, 2+2*entries; got != want {
		t.Errorf("%d tokens, want %d", got, want)
	}
	p := c.problems("untitled:a", anything)
	last := p.Diagnostics[len(p.Diagnostics)-1]
	if got := len(p.Diagnostics); got != maxProblems || show(last.Range) != "0:479999-0:480003" {
		t.Errorf("%d problems, the last %v, want %d", got, last, maxProblems)
	}
}

type tokensResult struct {
	ResultID string
	Data     []uint32
	Edits    []protocol.SemanticTokensEdit
}

func applied(data []uint32, e protocol.SemanticTokensEdit) []uint32 {
	out := append([]uint32(nil), data[:e.Start]...)
	return append(append(out, e.Data...), data[e.Start+e.DeleteCount:]...)
}

// described returns encoded tokens as LINE:CHARACTER+LENGTH KIND PROPERTIES.
func described(data []uint32) string {
	var list []string
	var line, character uint32
	for i := 0; i+4 < len(data); i += 5 {
		if data[i] > 0 {
			character = 0
		}
		line += data[i]
		character += data[i+1]
		text := fmt.Sprintf("%d:%d+%d %s", line, character, data[i+2], legend.TokenTypes[data[i+3]])
		for bit, name := range legend.TokenModifiers {
			if data[i+4]&(1<<bit) != 0 {
				text += " " + name
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}
