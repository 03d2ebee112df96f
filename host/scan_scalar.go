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

// number checks a number (section 6): no leading zeros, no bare point, no plus sign.
func (s *scanner) number(i int) int {
	if s.byte(i) == '-' {
		i++
	}
	if s.byte(i) == '0' {
		i++
	} else if i = s.digits(i); i < 0 {
		return i
	}
	if s.byte(i) == '.' {
		if i = s.digits(i + 1); i < 0 {
			return i
		}
	}
	if s.byte(i)|0x20 != 'e' {
		return i
	}
	i++
	if c := s.byte(i); c == '+' || c == '-' {
		i++
	}
	return s.digits(i)
}

// digits checks one decimal digit or more.
func (s *scanner) digits(i int) int {
	if !isDigit(s.byte(i)) {
		return s.fail(i, "a digit")
	}
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
	var seen uint64
	for i = start; ; {
		var bits uint64
		i, bits = s.plain(i)
		seen |= bits
		switch s.byte(i) {
		case '"':
			if seen&highBits != 0 && !utf8.Valid(s.text[start:i]) {
				return s.fail(invalidUTF8(s.text, start), "valid UTF-8")
			}
			return i + 1
		case '\\':
			if i = s.escape(i); i < 0 {
				return i
			}
		default:
			return s.fail(i, "a closing quote or a printable character")
		}
	}
}

// Eight bytes in one word: the lowest and the highest bit of each, and characters to look for.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x80 * lowBits
	twos     = 0x02 * lowBits
	blanks   = 0x21 * lowBits
	slashes  = '\\' * lowBits
)

// plain skips characters of a string that stand for themselves. It returns the index of the first
// quote, backslash or control character (or of the end), and the bitwise or of what it read.
//
// It takes eight bytes at a time. Flipping bit 1 turns a quote (0x22) into 0x20 and leaves control
// characters below it, so that one subtraction finds both. What a subtraction borrows reaches only
// bytes behind one that is found anyway.
func (s *scanner) plain(i int) (stop int, seen uint64) {
	for ; i+8 <= len(s.text); i += 8 {
		w := binary.LittleEndian.Uint64(s.text[i:])
		seen |= w
		found := (((w ^ twos) - blanks) | ((w ^ slashes) - lowBits)) &^ w & highBits
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8, seen
		}
	}
	for ; i < len(s.text); i++ {
		c := s.text[i]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen
}

// escape checks a backslash and what belongs to it.
func (s *scanner) escape(i int) int {
	switch s.byte(i + 1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if hexValue(s.byte(j)) < 0 {
				return s.fail(j, "a hexadecimal digit")
			}
		}
		return i + 6
	}
	return s.fail(i+1, `one of "\/bfnrtu after a backslash`)
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
