package dapface

import (
	"unicode/utf16"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/dap"
)

// places translates between places as the client counts them and as the debugger does. The client
// counts from zero or one, and columns in UTF-16 code units; the debugger counts from one, and
// columns in characters. A places serves one request: it keeps the texts it has looked at.
type places struct {
	s *session
	// firstLine and firstColumn are what the client calls the first of each.
	firstLine, firstColumn int
	texts                  map[string]*source.Text // by path, nil if it cannot be read
}

func (s *session) places() *places {
	client := s.peer.Client()
	p := &places{s: s, texts: make(map[string]*source.Text)}
	if dap.Or(client.LinesStartAt1, true) {
		p.firstLine = 1
	}
	if dap.Or(client.ColumnsStartAt1, true) {
		p.firstColumn = 1
	}
	return p
}

// show returns a place of the debugger's as the client counts.
func (p *places) show(path string, line, column int) (int, int) {
	units := toUTF16(p.text(path, line), max(column, 1)-1)
	return line - 1 + p.firstLine, units + p.firstColumn
}

// line returns a line of the client's as the debugger counts.
func (p *places) line(line int) int { return line - p.firstLine + 1 }

// column returns a column in a line of the client's as the debugger counts, zero for none.
func (p *places) column(path string, line int, column *int) int {
	if column == nil {
		return 0
	}
	return fromUTF16(p.text(path, p.line(line)), max(*column-p.firstColumn, 0)) + 1
}

// text returns a line of a file, empty if there is none.
func (p *places) text(path string, line int) string {
	text, known := p.texts[path]
	if !known {
		if content, err := p.s.text(path); err == nil {
			text = source.New(content)
		}
		p.texts[path] = text
	}
	if text == nil || line < 1 || line > text.Lines() {
		return ""
	}
	return text.Line(line - 1)
}

// toUTF16 returns how many code units the first n characters of a line are. Behind its end both
// are the same.
func toUTF16(line string, n int) int {
	units := 0
	for _, c := range line {
		if n == 0 {
			return units
		}
		n--
		units += utf16.RuneLen(c)
	}
	return units + n
}

// fromUTF16 returns how many characters begin in the first n code units of a line.
func fromUTF16(line string, n int) int {
	chars := 0
	for _, c := range line {
		if n <= 0 {
			return chars
		}
		n -= utf16.RuneLen(c)
		chars++
	}
	return chars + n
}
