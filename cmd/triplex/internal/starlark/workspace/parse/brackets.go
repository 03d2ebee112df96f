package parse

import "strings"

// A bracket is an opening bracket and the index of its token.
type bracket struct {
	shape byte // 0 to 2
	tok   int
}

// Brackets are those that are open at a place, the outermost first. The zero value has none.
type brackets struct {
	open   []bracket
	shapes [3]int // how many of them are of each shape, so that none is looked for in vain
}

// shape returns which shape a bracket has.
func shape(c byte) byte { return byte(strings.IndexByte("()[]{}", c) / 2) }

// push adds a bracket that opens.
func (b *brackets) push(c byte, tok int) {
	b.shapes[shape(c)]++
	b.open = append(b.open, bracket{shape(c), tok})
}

// pop takes the innermost bracket of the same shape away, which c closes, and returns those of
// other shapes within it, which are not closed. It reports false when there is none.
func (b *brackets) pop(c byte) (within []bracket, ok bool) {
	if b.shapes[shape(c)] == 0 {
		return nil, false
	}
	i := len(b.open) - 1
	for ; b.open[i].shape != shape(c); i-- {
		b.shapes[b.open[i].shape]--
	}
	b.shapes[shape(c)]--
	within, b.open = b.open[i+1:], b.open[:i]
	return within, true
}

// closers returns what closes all of them.
func (b *brackets) closers() string {
	var s strings.Builder
	for i := len(b.open) - 1; i >= 0; i-- {
		s.WriteByte(")]}"[b.open[i].shape])
	}
	return s.String()
}
