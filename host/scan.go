package host

import (
	"fmt"
	"unicode/utf8"
)

// defaultDepth is how many arrays and objects may lie within one another where no limit is set.
// It is the limit of encoding/json, which handlers decode with: deeper text would only fail later.
const defaultDepth = 10_000

// scanner checks one JSON text (RFC 8259) from front to back, without recursion and, but for text
// more than 64 levels deep, without allocation. Its methods take the index at which the thing they
// are named after starts and return the index behind it, or -1 after recording a fault.
type scanner struct {
	text  []byte
	depth int // levels of arrays and objects allowed

	// at and want are the first fault: where it is and what should have been there; deep is set if
	// it is that of too many levels.
	at   int
	want string
	deep bool
}

func newScanner(text []byte, depth int) scanner {
	if depth <= 0 {
		depth = defaultDepth
	}
	return scanner{text: text, depth: depth}
}

// validJSON reports as an error what keeps text from being one JSON value in valid UTF-8 nested
// at most depth levels deep.
func validJSON(text []byte, depth int) error {
	s := newScanner(text, depth)
	if s.end(s.value(s.space(0), 0)) < 0 {
		return s.fault()
	}
	return nil
}

// isTooDeep reports whether more than depth levels are the first fault of text.
func isTooDeep(text []byte, depth int) bool {
	s := newScanner(text, depth)
	s.value(s.space(0), 0)
	return s.deep
}

// fail records that want should have been at i.
func (s *scanner) fail(i int, want string) int {
	s.at, s.want = i, want
	return -1
}

// fault is the recorded fault as an error.
func (s *scanner) fault() error {
	found := "the end of the text"
	if s.at < len(s.text) {
		found = fmt.Sprintf("byte 0x%02X", s.text[s.at])
		if r, size := utf8.DecodeRune(s.text[s.at:]); r != utf8.RuneError || size > 1 {
			found = fmt.Sprintf("%q", r)
		}
	}
	return fmt.Errorf("invalid JSON at byte %d: expected %s, found %s", s.at, s.want, found)
}

// byte returns the byte at i, or 0, which is legal nowhere in a JSON text, behind the end.
func (s *scanner) byte(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// space skips white space (section 2).
func (s *scanner) space(i int) int {
	for i < len(s.text) && s.text[i] <= ' ' && isSpace(s.text[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// end checks that nothing but white space comes at i or later. It hands on a failure before it.
func (s *scanner) end(i int) int {
	if i < 0 {
		return i
	}
	if i = s.space(i); i < len(s.text) {
		return s.fail(i, "nothing after the value")
	}
	return i
}

// value checks a value with level arrays and objects open around it.
func (s *scanner) value(i, level int) int {
	if c := s.byte(i); c == '{' || c == '[' {
		return s.nested(i, level)
	}
	return s.scalar(i)
}

// object checks an object with no level around it and calls found for each member, with name as
// it is written, quotes included.
func (s *scanner) object(i int, found func(name, value []byte)) int {
	i = s.space(i + 1)
	if s.byte(i) == '}' {
		return i + 1
	}
	for {
		behind, start := s.name(i)
		if start < 0 {
			return start
		}
		end := s.value(start, 1)
		if end < 0 {
			return end
		}
		found(s.text[i:behind], s.text[start:end])
		i = s.space(end)
		switch s.byte(i) {
		case ',':
			i = s.space(i + 1)
		case '}':
			return i + 1
		default:
			return s.fail(i, "',' or '}' after a member")
		}
	}
}

// array checks an array with no level around it and calls found for each element.
func (s *scanner) array(i int, found func(value []byte)) int {
	i = s.space(i + 1)
	if s.byte(i) == ']' {
		return i + 1
	}
	for {
		end := s.value(i, 1)
		if end < 0 {
			return end
		}
		found(s.text[i:end])
		i = s.space(end)
		switch s.byte(i) {
		case ',':
			i = s.space(i + 1)
		case ']':
			return i + 1
		default:
			return s.fail(i, "',' or ']' after an element")
		}
	}
}

// nested checks an array or object and everything in it.
func (s *scanner) nested(i, level int) int {
	var open levels
	for i >= 0 {
		c := s.byte(i)
		if c == '{' || c == '[' {
			if level+open.count >= s.depth {
				s.deep = true
				return s.fail(i, fmt.Sprintf("at most %d levels", s.depth))
			}
			open.push(c == '{')
			i = s.space(i + 1)
			if s.byte(i) != c+2 { // the closing bracket
				if c == '{' {
					_, i = s.name(i)
				}
				continue
			}
			open.pop()
			i++
		} else if i = s.scalar(i); i < 0 {
			return i
		}
		if i = s.leave(i, &open); open.count == 0 {
			return i
		}
	}
	return i
}

// leave goes from behind a value to the next value, closing what ends in between.
func (s *scanner) leave(i int, open *levels) int {
	for open.count > 0 {
		i = s.space(i)
		c := s.byte(i)
		switch {
		case c == ',' && open.object():
			_, i = s.name(s.space(i + 1))
			return i
		case c == ',':
			return s.space(i + 1)
		case c == '}' && open.object(), c == ']' && !open.object():
			open.pop()
			i++
		case open.object():
			return s.fail(i, "',' or '}' after a member")
		default:
			return s.fail(i, "',' or ']' after an element")
		}
	}
	return i
}

// name checks the name of a member and its colon. It returns the index behind the name and the
// one at which the value starts.
func (s *scanner) name(i int) (behind, value int) {
	if s.byte(i) != '"' {
		return -1, s.fail(i, "a member name in quotes")
	}
	if behind = s.string(i); behind < 0 {
		return -1, -1
	}
	colon := s.space(behind)
	if s.byte(colon) != ':' {
		return -1, s.fail(colon, "':' after a member name")
	}
	return behind, s.space(colon + 1)
}

// levels is a stack with one bit for each array or object that is open: set for an object.
type levels struct {
	count int
	top   uint64   // the innermost count%64 levels, or 64 of them
	below []uint64 // those around them, 64 a word
}

func (l *levels) push(object bool) {
	if l.count > 0 && l.count%64 == 0 {
		l.below = append(l.below, l.top)
	}
	l.top <<= 1
	if object {
		l.top |= 1
	}
	l.count++
}

func (l *levels) pop() {
	l.count--
	l.top >>= 1
	if n := len(l.below); n > 0 && l.count == 64*n {
		l.top, l.below = l.below[n-1], l.below[:n-1]
	}
}

// object reports whether the innermost level is an object.
func (l *levels) object() bool { return l.top&1 != 0 }
