package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

var encodings = []protocol.PositionEncodingKind{
	protocol.PositionEncodingKindUTF8,
	protocol.PositionEncodingKindUTF16,
	protocol.PositionEncodingKindUTF32,
}

// pieces are what makes line indexes and position counting go wrong, singly and side by side:
// line ends and characters cut in two, look-alikes of line ends, stray UTF-8 bytes.
var pieces = []string{
	"\r", "\n", "\r\n", "a", "b c", "é", "€", "𐐀", "\u2028", "\u0085", "\v", "\ufeff", "\ufffd",
	"\xe2", "\x82", "\xac", "\xf0", "\x90\x90", "\x80", "\xff", "line of words\n",
}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// flat is the plain and slow model of Text: one string, scanned from its start each time.
type flat string

// lines returns the start of each line, and its end without the line end.
func (f flat) lines() (spans [][2]int) {
	start := 0
	for i := 0; i < len(f); i++ {
		if f[i] != '\r' && f[i] != '\n' {
			continue
		}
		spans = append(spans, [2]int{start, i})
		if f[i] == '\r' && i+1 < len(f) && f[i+1] == '\n' {
			i++
		}
		start = i + 1
	}
	return append(spans, [2]int{start, len(f)})
}

func unitsOf(r rune, size int, enc protocol.PositionEncodingKind) int {
	switch {
	case enc == protocol.PositionEncodingKindUTF8:
		return size
	case enc == protocol.PositionEncodingKindUTF16 && r > 0xFFFF:
		return 2
	}
	return 1
}

func (f flat) offset(pos protocol.Position, enc protocol.PositionEncodingKind) int {
	lines := f.lines()
	if int(pos.Line) >= len(lines) {
		return len(f)
	}
	off, end := lines[pos.Line][0], lines[pos.Line][1]
	for left := int(pos.Character); off < end; {
		r, n := utf8.DecodeRuneInString(string(f[off:end]))
		if left -= unitsOf(r, n, enc); left < 0 {
			break
		}
		off += n
	}
	return off
}

func (f flat) position(off int, enc protocol.PositionEncodingKind) protocol.Position {
	var pos protocol.Position
	lines := f.lines()
	for i, l := range lines {
		if l[0] <= off {
			pos.Line = uint32(i)
		}
	}
	start, end := lines[pos.Line][0], lines[pos.Line][1]
	for i := start; i < min(off, end); {
		r, n := utf8.DecodeRuneInString(string(f[i:end]))
		if i += n; i <= off {
			pos.Character += uint32(unitsOf(r, n, enc))
		}
	}
	return pos
}

// checkTree fails the test unless n keeps the rules of a tree between edits.
func checkTree(t *testing.T, n *node) {
	t.Helper()
	if n == nil {
		return
	}
	var leaves []string
	var walk func(*node) (extent, int)
	walk = func(n *node) (extent, int) {
		if n.left == nil {
			leaves = append(leaves, n.text)
			return measure(n.text), 0
		}
		le, lh := walk(n.left)
		re, rh := walk(n.right)
		e, h := le.plus(re), max(lh, rh)+1
		if n.extent != e || n.height != h || lh-rh > 1 || rh-lh > 1 {
			t.Fatalf("branch has extent %v, height %d over heights %d and %d; want extent %v",
				n.extent, n.height, lh, rh, e)
		}
		return e, h
	}
	whole, _ := walk(n)
	if want := measure(strings.Join(leaves, "")); whole != want {
		t.Fatalf("extent of the tree %v, of its text %v", whole, want)
	}
	for i, s := range leaves {
		inside := i > 0 && i < len(leaves)-1
		if len(s) > maxLeaf || inside && len(s) < minLeaf {
			t.Fatalf("leaf %d of %d has %d bytes", i, len(leaves), len(s))
		}
		if i > 0 && !separable(leaves[i-1], s) {
			t.Fatalf("leaf %d and its neighbour share a character or line end", i)
		}
	}
}
