package host

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/sourcegraph/jsonrpc2"
)

// idKey returns a key that two valid ids share exactly if they are the same id: numbers as they
// are written, so that 1 and 1.0 differ, strings by their characters, however these are escaped.
// 7 and "7" differ. The key of an id without escapes is a view of raw, which must not change.
func idKey(raw json.RawMessage) string { return characters(raw) }

// decodeID returns the id that handlers see. A [jsonrpc2.ID] holds strings and integers from
// -2^63 to 2^64-1, negative ones in two's complement as that package has them. Any other number
// appears as the string it is spelled with, null as the zero value; the raw id tells them apart.
func decodeID(raw json.RawMessage) jsonrpc2.ID {
	if isString(raw) {
		return jsonrpc2.ID{Str: text(raw), IsString: true}
	}
	token := view(raw)
	if n, err := strconv.ParseUint(token, 10, 64); err == nil {
		return jsonrpc2.ID{Num: n}
	}
	if n, err := strconv.ParseInt(token, 10, 64); err == nil {
		return jsonrpc2.ID{Num: uint64(n)}
	}
	if !isNumber(raw) {
		return jsonrpc2.ID{}
	}
	return jsonrpc2.ID{Str: token, IsString: true}
}

func isString(raw []byte) bool { return len(raw) > 0 && raw[0] == '"' }

func isNumber(raw []byte) bool { return len(raw) > 0 && (raw[0] == '-' || isDigit(raw[0])) }

// view returns b as a string without copying it. Frames are never written to, so views of them
// and of what lies in them stay good.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// text returns the characters of a valid JSON string, with U+FFFD for surrogates without partner.
// Without escapes it is a view of raw.
func text(raw []byte) string {
	s := characters(raw)
	if len(s) != len(raw) { // only an escape can stand for a surrogate
		s = strings.ToValidUTF8(s, string(utf8.RuneError))
	}
	return s[1 : len(s)-1]
}

// characters returns a valid JSON scalar with all escapes resolved, a string still in its quotes.
// It is equal for two strings exactly if their characters are: a surrogate without partner, which
// UTF-8 cannot have, becomes the three bytes that a character of its number would be.
func characters(raw []byte) string {
	next := bytes.IndexByte(raw, '\\')
	if next < 0 {
		return view(raw)
	}
	dst := make([]byte, 0, len(raw))
	for next >= 0 {
		dst = append(dst, raw[:next]...)
		r, size := unescape(raw[next:])
		dst = appendCharacter(dst, r)
		raw = raw[next+size:]
		next = bytes.IndexByte(raw, '\\')
	}
	return view(append(dst, raw...))
}

func appendCharacter(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// unescape returns the character that the valid escape at the start of raw stands for and its
// length. Two escapes that are a surrogate pair are one character.
func unescape(raw []byte) (r rune, size int) {
	switch raw[1] {
	case 'u':
		r = codeUnit(raw)
		if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
			if pair := utf16.DecodeRune(r, codeUnit(raw[6:])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	return rune(raw[1]), 2
}

// codeUnit is the number in the \u escape at the start of raw.
func codeUnit(raw []byte) (unit rune) {
	for _, c := range raw[2:6] {
		unit = unit<<4 | hexValue(c)
	}
	return unit
}
