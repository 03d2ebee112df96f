// Package source holds the text of a Starlark file: an immutable string with its line table, spans
// of byte offsets into it, and edits.
//
// Offsets count bytes from 0. Lines and columns count from 0 as well, columns in bytes. A line ends
// at "\n", "\r\n" or a lone "\r", as in starlark-go's scanner and in LSP.
package source

import (
	"sort"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// BOM is the byte order mark that may begin a file; it belongs to the text but not to the program.
const BOM = "\uFEFF"

// A Span is the half-open range [Start, End) of byte offsets in one text.
type Span struct{ Start, End int }

// Touches reports whether off lies in the span or directly behind it, as a cursor does at the end
// of a word.
func (s Span) Touches(off int) bool { return s.Start <= off && off <= s.End }

// Covers reports whether o lies within s.
func (s Span) Covers(o Span) bool { return s.Start <= o.Start && o.End <= s.End }

// Overlaps reports whether the spans share a byte, or touch where one of them is empty.
func (s Span) Overlaps(o Span) bool {
	if s.Start == s.End || o.Start == o.End {
		return s.Start <= o.End && o.Start <= s.End
	}
	return s.Start < o.End && o.Start < s.End
}

// A Position is a place in a text as line and column, both from 0, the column in bytes.
type Position struct{ Line, Col int }

// A Text is the immutable content of a file with its line table. It is safe for concurrent use.
type Text struct {
	content string
	starts  []int // offset of the first byte of each line; never empty
	ascii   bool  // no byte above 0x7f: a column is a byte count
	marks   []int // offset of every code point whose number is a multiple of stride; nil if ascii
}

// stride is how many code points there are from one mark to the next.
const stride = 64

// New returns the text of content. It keeps the string and costs one pass over it.
func New(content string) *Text {
	t := &Text{content: content, ascii: true, starts: make([]int, 1, 1+len(content)/32)}
	for i := 0; i < len(content); i++ {
		switch c := content[i]; {
		case c == '\r' && i+1 < len(content) && content[i+1] == '\n':
			// The line ends at the "\n".
		case c == '\n', c == '\r':
			t.starts = append(t.starts, i+1)
		case c >= utf8.RuneSelf:
			t.ascii = false
		}
	}
	if !t.ascii {
		t.mark()
	}
	return t
}

// mark sets the marks. Bytes that are no code point count as one each.
func (t *Text) mark() {
	n := 0
	for off := range t.content {
		if n%stride == 0 {
			t.marks = append(t.marks, off)
		}
		n++
	}
}

// runesBefore returns how many code points begin before an offset.
func (t *Text) runesBefore(off int) int {
	i := max(sort.SearchInts(t.marks, off+1)-1, 0)
	return i*stride + utf8.RuneCountInString(t.content[t.marks[i]:off])
}

// String returns the content.
func (t *Text) String() string { return t.content }

// Len returns the length of the content in bytes.
func (t *Text) Len() int { return len(t.content) }

// Slice returns the part of the content in the span, which is clamped to the text.
func (t *Text) Slice(s Span) string {
	start := min(max(s.Start, 0), len(t.content))
	return t.content[start:min(max(s.End, start), len(t.content))]
}

// Lines returns the number of lines; the empty text has one.
func (t *Text) Lines() int { return len(t.starts) }

// LineSpan returns the span of a line without its line end. The line is clamped to the text.
func (t *Text) LineSpan(line int) Span {
	line = min(max(line, 0), len(t.starts)-1)
	if line == len(t.starts)-1 {
		return Span{t.starts[line], len(t.content)}
	}
	end := t.starts[line+1] - 1
	if t.content[end] == '\n' && end > t.starts[line] && t.content[end-1] == '\r' {
		end--
	}
	return Span{t.starts[line], end}
}

// Line returns the content of a line without its line end.
func (t *Text) Line(line int) string { return t.Slice(t.LineSpan(line)) }

// LineOf returns the line that holds the offset, which is clamped to the text.
func (t *Text) LineOf(off int) int {
	return max(sort.SearchInts(t.starts, off+1)-1, 0)
}

// Position returns the line and column of an offset, which is clamped to the text.
func (t *Text) Position(off int) Position {
	off = min(max(off, 0), len(t.content))
	line := t.LineOf(off)
	return Position{line, off - t.starts[line]}
}

// Offset returns the offset of a position. A line beyond the last means the end of the text, a
// column beyond the end of its line that end.
func (t *Text) Offset(p Position) int {
	if p.Line >= len(t.starts) {
		return len(t.content)
	}
	s := t.LineSpan(p.Line)
	return min(s.Start+max(p.Col, 0), s.End)
}

// At returns the offset of a position of the starlark-go parser, which counts lines and code points
// from 1. It clamps as Offset does.
func (t *Text) At(p syntax.Position) int {
	line, runes := int(p.Line)-1, int(p.Col)-1
	if line < 0 {
		return 0
	}
	if t.ascii || line >= len(t.starts) {
		return t.Offset(Position{line, runes})
	}
	s := t.LineSpan(line)
	off := s.Start
	if runes > stride {
		// To count all of a long line for each of its nodes takes minutes.
		n := t.runesBefore(off) + runes
		i := min(n/stride, len(t.marks)-1)
		off, runes = t.marks[i], n-i*stride
	}
	for ; runes > 0 && off < s.End; runes-- {
		_, size := utf8.DecodeRuneInString(t.content[off:s.End])
		off += size
	}
	return min(off, s.End)
}

// Indent returns the leading blanks and tabs of a line.
func (t *Text) Indent(line int) string {
	s := t.Line(line)
	return s[:len(s)-len(strings.TrimLeft(s, " \t"))]
}
