package parse

import (
	"strings"
	"unicode"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// firstLine returns s up to its first line end.
func firstLine(s string) string {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// stringPrefix returns the number of letters before the quote when s begins a string, else -1.
func stringPrefix(s string) int {
	for _, prefix := range []string{"", "r", "b", "rb"} {
		rest, ok := strings.CutPrefix(s, prefix)
		if ok && rest != "" && (rest[0] == '"' || rest[0] == '\'') {
			return len(prefix)
		}
	}
	return -1
}

// StringAt returns the spans of the string literal that begins at off and of what is between its
// quotes, of which the last may be missing. Where no literal begins both are empty.
func StringAt(src string, off int) (whole, content source.Span) {
	n := stringPrefix(src[off:])
	if n < 0 {
		return emptySpan(off), emptySpan(off)
	}
	quotes := 1
	if isLong(src[off+n:]) {
		quotes = 3
	}
	end, closed := stringEnd(src, off+n)
	content = source.Span{Start: off + n + quotes, End: end}
	if closed {
		content.End -= quotes
	}
	return source.Span{Start: off, End: end}, content
}

// isLong reports whether the string whose quote begins s is one of three quotes.
func isLong(s string) bool { return strings.HasPrefix(s, strings.Repeat(s[:1], 3)) }

// stringEnd returns the end of the string whose quote is at off and whether it is closed. One that
// is not ends with its first line.
func stringEnd(src string, off int) (end int, closed bool) {
	quote := src[off : off+1]
	triple := isLong(src[off:])
	if triple {
		quote = strings.Repeat(quote, 3)
	}
	for i := off + len(quote); i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\' && strings.HasPrefix(src[i+1:], "\r\n"):
			i += 2
		case c == '\\':
			i++
		case strings.HasPrefix(src[i:], quote):
			return i + len(quote), true
		case !triple && (c == '\n' || c == '\r'):
			return i, false
		}
	}
	return off + len(firstLine(src[off:])), false
}

// wordLen returns the length of the identifier or keyword that begins s.
func wordLen(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r < '0' || r > '9') {
			return i
		}
	}
	return len(s)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// numberLen returns the length of the number that begins s. It takes more than the scanner does,
// such as 0x without digits.
func numberLen(s string) int {
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXoObB", s[1]) >= 0 {
		return 2 + len(s[2:]) - len(strings.TrimLeft(s[2:], "0123456789abcdefABCDEF"))
	}
	digits := func(s string) string { return strings.TrimLeft(s, "0123456789") }
	rest := digits(s)
	if strings.HasPrefix(rest, ".") {
		rest = digits(rest[1:])
	}
	if rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest = rest[1:]
		if rest != "" && (rest[0] == '+' || rest[0] == '-') {
			rest = rest[1:]
		}
		rest = digits(rest)
	}
	return len(s) - len(rest)
}

// operatorLen returns the length of the operator that begins s, or 0.
func operatorLen(s string) int {
	for _, op := range []string{"//=", "<<=", ">>="} {
		if strings.HasPrefix(s, op) {
			return 3
		}
	}
	for _, op := range []string{
		"**", "//", "<<", ">>", "==", "!=", "<=", ">=",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	} {
		if strings.HasPrefix(s, op) {
			return 2
		}
	}
	if strings.IndexByte("+-*/%&|^~.,=;:<>", s[0]) >= 0 {
		return 1
	}
	return 0
}
