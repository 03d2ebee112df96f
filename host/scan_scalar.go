package host

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scalar checks a string, a number or a literal.
func (s *scanner) scalar(i int) int {
	switch c := s.byte(i); {
	case c == '"':
		return s.string(i)
	case c == '-', isDigit(c):
		return s.number(i)
	case c == 't':
		return s.literal(i, "true")
	case c == 'f':
		return s.literal(i, "false")
	case c == 'n':
		return s.literal(i, "null")
	}
	return s.fail(i, "a value")
}

func (s *scanner) literal(i int, word string) int {
	for j := range word {
		if s.byte(i+j) != word[j] {
			return s.fail(i+j, word)
		}
	}
	return i + len(word)
}

// number checks a number (section 6): no plus sign, no bare point. A leading zero is all of the
// number's integer, so that a digit after it is one too many for what comes next.
func (s *scanner) number(i int) int {
	if s.byte(i) == '-' {
		i++
	}
	end := s.digits(i)
	if end == i {
		return s.fail(i, "a digit")
	}
	if s.text[i] == '0' {
		end = i + 1
	}
	if c := s.byte(end); c != '.' && c|0x20 != 'e' {
		return end
	}
	return s.fraction(end)
}

// fraction checks what may follow the integer of a number: a point and digits, an exponent.
func (s *scanner) fraction(i int) int {
	if s.byte(i) == '.' {
		end := s.digits(i + 1)
		if end == i+1 {
			return s.fail(end, "a digit")
		}
		i = end
	}
	if s.byte(i)|0x20 != 'e' {
		return i
	}
	i++
	if c := s.byte(i); c == '+' || c == '-' {
		i++
	}
	end := s.digits(i)
	if end == i {
		return s.fail(i, "a digit")
	}
	return end
}

// digits skips decimal digits.
func (s *scanner) digits(i int) int {
	for i < len(s.text) && isDigit(s.text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// string checks a string (section 7), from one quote to behind the other. Escapes of lone
// surrogates are legal: the grammar has them, and they leave as they came.
func (s *scanner) string(i int) int {
	start := i + 1
	var seen uint64 // the bitwise or of all words
	for i = start; ; {
		w := s.word(i)
		seen |= w
		stops := stopsIn(w)
		if stops == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(stops) / 8
		switch s.byte(i) {
		case '"':
			if seen&highBits != 0 && !utf8.Valid(s.text[start:i]) {
				return s.fail(invalidUTF8(s.text, start), "valid UTF-8")
			}
			return i + 1
		case '\\':
			for s.byte(i) == '\\' { // they come in rows: \n\t\t
				if i = s.escape(i); i < 0 {
					return i
				}
			}
		default:
			return s.fail(i, "a closing quote or a printable character")
		}
	}
}

// word returns the eight bytes at i, the first of them lowest, with zeros behind the end.
func (s *scanner) word(i int) uint64 {
	if i+8 <= len(s.text) {
		return binary.LittleEndian.Uint64(s.text[i:])
	}
	return s.lastWord(i)
}

func (s *scanner) lastWord(i int) (w uint64) {
	for j := len(s.text) - 1; j >= i; j-- {
		w = w<<8 | uint64(s.text[j])
	}
	return w
}

// Words of eight equal bytes, for stopsIn.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x80 * lowBits
	twos     = 0x02 * lowBits
	blanks   = 0x21 * lowBits
	slashes  = '\\' * lowBits
)

// stopsIn finds the characters of a string that do not stand for themselves. The lowest bit set
// is the high bit of the first quote, backslash or control character among the bytes of w.
//
// Flipping bit 1 turns a quote (0x22) into 0x20 and keeps control characters below that, so that
// one subtraction finds both. What a subtraction borrows spoils only bytes behind a find.
func stopsIn(w uint64) uint64 {
	return (((w ^ twos) - blanks) | ((w ^ slashes) - lowBits)) &^ w & highBits
}

// escape checks a backslash and what belongs to it.
func (s *scanner) escape(i int) int {
	c := s.byte(i + 1)
	if isShortEscape[c] {
		return i + 2
	}
	if c != 'u' {
		return s.fail(i+1, `one of "\/bfnrtu after a backslash`)
	}
	for j := i + 2; j < i+6; j++ {
		if hexValue(s.byte(j)) < 0 {
			return s.fail(j, "a hexadecimal digit")
		}
	}
	return i + 6
}

// isShortEscape tells the characters that follow a backslash on their own. It is a table because
// which of them comes next is hard for a processor to predict.
var isShortEscape = [256]bool{
	'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true,
}

// hexValue is the value of a hexadecimal digit, or -1.
func hexValue(c byte) rune {
	switch {
	case isDigit(c):
		return rune(c - '0')
	case c|0x20-'a' <= 5:
		return rune(c|0x20-'a') + 10
	}
	return -1
}

// invalidUTF8 returns the index of the first byte from i on that is no part of valid UTF-8.
func invalidUTF8(text []byte, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		i += size
	}
	return i
}
