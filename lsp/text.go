package lsp

import (
	"strings"
	"sync"

	"go.lsp.dev/protocol"
)

// Text is an immutable text with an index of its lines. The zero Text is empty. An edit makes a
// new Text that shares most of its memory with the old one, at a cost that grows with the edit
// and hardly with the text. Offsets are in bytes and lines count from 0. A line ends with LF,
// CR LF, or CR alone, and nothing else (LSP 3.18, Text Documents); the text after the last line
// end is a line too, if only an empty one.
//
// Any bytes make a Text. Methods take any numbers and clamp them. A Text is safe for concurrent
// use.
type Text struct {
	root *node
	flat func() string // nil in the zero Text
}

// NewText returns s as a Text. The Text keeps s in memory.
func NewText(s string) Text {
	return Text{root: build(s), flat: func() string { return s }}
}

// newText returns the text of a tree, made into a string when it is first asked for.
func newText(root *node) Text {
	return Text{root: root, flat: sync.OnceValue(func() string {
		return slice(root, 0, size(root).bytes)
	})}
}

// size is the extent of n, which may be nil.
func size(n *node) extent {
	if n == nil {
		return extent{}
	}
	return n.extent
}

func slice(n *node, i, j int) string {
	var b strings.Builder
	b.Grow(j - i)
	n.appendTo(&b, i, j)
	return b.String()
}

// Len returns the length in bytes.
func (t Text) Len() int { return size(t.root).bytes }

// LineCount returns the number of lines, which is at least 1.
func (t Text) LineCount() int { return size(t.root).lines + 1 }

// String returns the whole text. The first call on an edited Text copies it, later calls are
// free.
func (t Text) String() string {
	if t.flat == nil {
		return ""
	}
	return t.flat()
}

// Line returns line i without its line end, or "" if there is no such line.
func (t Text) Line(i int) string {
	if i < 0 || i >= t.LineCount() {
		return ""
	}
	return t.Slice(t.lineBounds(i))
}

// Slice returns the bytes from offset i up to offset j, or "" if i is not before j.
func (t Text) Slice(i, j int) string {
	i, j = max(i, 0), min(j, t.Len())
	if i >= j {
		return ""
	}
	return slice(t.root, i, j)
}

// Apply returns the text after changes, as textDocument/didChange defines them: each applies to
// the result of the one before it, one without a range replaces the whole text, and rangeLength
// means nothing. Positions are in the encoding enc and clamp as [Text.Offset] says; a range that
// ends before it starts is turned round. A nil change is skipped.
func (t Text) Apply(
	changes []protocol.TextDocumentContentChangeEvent, enc protocol.PositionEncodingKind,
) Text {
	for _, c := range changes {
		switch c := c.(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			t = NewText(c.Text)
		case *protocol.TextDocumentContentChangePartial:
			i, j := t.Offset(c.Range.Start, enc), t.Offset(c.Range.End, enc)
			t = newText(replace(t.root, min(i, j), max(i, j), c.Text))
		}
	}
	return t
}

// lineBounds returns where line i, which must exist, starts and where its line end does.
func (t Text) lineBounds(i int) (start, end int) {
	start = t.lineStart(i)
	if i == t.LineCount()-1 {
		return start, t.Len()
	}
	next := t.lineStart(i + 1)
	if t.Slice(max(next-2, start), next) == "\r\n" {
		return start, next - 2
	}
	return start, next - 1
}

// lineStart returns the offset after the i-th line end, counted from 1; that of line 0 is 0.
func (t Text) lineStart(i int) int {
	if i == 0 {
		return 0
	}
	s, before := t.root.find(func(e extent) bool { return e.lines < i })
	off := 0
	for range i - before.lines {
		off += strings.IndexAny(s[off:], "\r\n") + 1
		if s[off-1] == '\r' && off < len(s) && s[off] == '\n' {
			off++
		}
	}
	return before.bytes + off
}
