package lsp

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// ChooseEncoding returns what characters of positions count, given what the client offers in its
// general.positionEncodings: the first offer that we know, or else UTF-16, which every client has
// to understand (LSP 3.18, Position). The server answers with it in positionEncoding.
func ChooseEncoding(offered []protocol.PositionEncodingKind) protocol.PositionEncodingKind {
	known := []protocol.PositionEncodingKind{
		protocol.PositionEncodingKindUTF8,
		protocol.PositionEncodingKindUTF16,
		protocol.PositionEncodingKindUTF32,
	}
	for _, enc := range offered {
		if slices.Contains(known, enc) {
			return enc
		}
	}
	return protocol.PositionEncodingKindUTF16
}

// Length returns the length of s in code units of enc: the character that follows s in a line of
// which it is the beginning.
func Length(s string, enc protocol.PositionEncodingKind) int { return measure(s).units(enc) }

// units returns the size of e in code units of enc. An unknown encoding counts as UTF-16.
func (e extent) units(enc protocol.PositionEncodingKind) int {
	switch enc {
	case protocol.PositionEncodingKindUTF8:
		return e.bytes
	case protocol.PositionEncodingKindUTF32:
		return e.runes
	}
	return e.utf16
}

// Offset returns the byte offset of a position in the encoding enc. A line beyond the last one
// means the end of the text, a character beyond the end of its line means the place before the
// line end, and a position inside a character means the start of that character.
func (t Text) Offset(pos protocol.Position, enc protocol.PositionEncodingKind) int {
	// Compared as unsigned, which also holds where an int has 32 bits.
	if uint(pos.Line) >= uint(t.LineCount()) {
		return t.Len()
	}
	start, end := t.lineBounds(int(pos.Line))
	if start == end {
		return start
	}
	first, last := t.before(start).units(enc), t.before(end).units(enc)
	if uint(pos.Character) >= uint(last-first) {
		return end
	}
	return t.seek(first+int(pos.Character), enc)
}

// Position returns the position of byte offset off in the encoding enc. An offset outside the
// text means the nearer end, one inside a character the start of that character, and one between
// CR and LF the place before the CR.
func (t Text) Position(off int, enc protocol.PositionEncodingKind) protocol.Position {
	at := t.before(off)
	start := t.before(t.lineStart(at.lines))
	return protocol.Position{
		Line:      uint32(at.lines),
		Character: uint32(at.units(enc) - start.units(enc)),
	}
}

// before returns the extent of the text before offset off, moved back to a boundary if need be.
func (t Text) before(off int) extent {
	off = max(off, 0)
	if off >= t.Len() {
		return size(t.root)
	}
	s, before := t.root.find(func(e extent) bool { return e.bytes <= off })
	return before.plus(measure(s[:boundary(s, off-before.bytes)]))
}

// seek returns the offset of the character that covers the unit at index k, counted from the
// start of the text. k must be less than the text's length in units.
func (t Text) seek(k int, enc protocol.PositionEncodingKind) int {
	s, before := t.root.find(func(e extent) bool { return e.units(enc) <= k })
	off, at := 0, before.units(enc)
	for {
		r, n := utf8.DecodeRuneInString(s[off:])
		at += extent{bytes: n, utf16: utf16.RuneLen(r), runes: 1}.units(enc)
		if at > k {
			return before.bytes + off
		}
		off += n
	}
}
