package framing

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// The header fields with a meaning. Names have no case (RFC 9110, section 5.1).
const (
	nameLength = "Content-Length"
	nameType   = "Content-Type"
)

// maxOverrun is how many times the limit a declared length may be for its body to be skipped. One
// beyond that is taken for a broken header.
const maxOverrun = 16

// header is what the fields of a header block say.
type header struct {
	length  int64
	sized   bool   // length was given
	charset string // the charset, if it is one we do not read
}

// scanFrame looks at the frame at the head of a ContentLength stream.
func (r *Reader) scanFrame() (found, bool) {
	b := r.in.unread()
	p := &r.known
	if p.need == 0 && !r.plainHeader(b) {
		if f, ok := r.scanHeader(b); !ok || f.err != nil {
			return f, ok
		}
	}
	if len(b) < p.need {
		return found{}, false
	}
	p.size = p.need
	return found{from: p.body, to: p.need}, true
}

// scanHeader looks at the header block at the start of b and, once it is complete and right, sets
// where the body begins and ends.
func (r *Reader) scanHeader(b []byte) (found, bool) {
	p := &r.known
	for p.line < len(b) {
		if err := r.lineStart(b); err != nil {
			return found{err: err}, true
		}
		end, ok := p.lineEnd(b)
		switch {
		case ok && end < r.limits.Header:
		case ok || len(b) > r.limits.Header:
			return found{err: r.headerTooLong()}, true
		default:
			return found{}, false
		}
		line := bytes.TrimRight(b[p.line:end], "\r")
		if len(line) == 0 {
			return r.accept(end + 1), true
		}
		if err := r.field(line); err != nil {
			return found{err: err}, true
		}
		p.line, p.seen = end+1, end+1
	}
	return found{}, false
}

// plainHeader does scanHeader's work, faster, for the header that nearly every peer writes: a
// Content-Length of at most nine digits and nothing else. It returns false for any other.
func (r *Reader) plainHeader(b []byte) bool {
	const maxDigits = 9
	if len(b) < len(lengthField) || string(b[:len(lengthField)]) != lengthField {
		return false
	}
	length, i := 0, len(lengthField)
	for ; i < len(b) && i < len(lengthField)+maxDigits && isDigit(b[i]); i++ {
		length = length*10 + int(b[i]-'0')
	}
	size := i + len(blockEnd)
	if i == len(lengthField) || size > len(b) || string(b[i:size]) != blockEnd ||
		size > r.limits.Header || length > r.limits.Frame {
		return false
	}
	r.expect(size, length)
	return true
}

// expect notes where the body is.
func (r *Reader) expect(body, length int) {
	r.declared = int64(length)
	r.known.body = body
	r.known.need = body + length
}

// accept decides about a complete header block of size bytes.
func (r *Reader) accept(size int) found {
	h := &r.known.head
	limit := int64(r.limits.Frame)
	switch {
	case !h.sized:
		return found{err: fatal(BadLength, "byte %d: the header block %s has no Content-Length%s",
			r.in.offset(), quote(r.in.unread()[:size]), r.hint())}
	case (h.length-1)/maxOverrun >= limit: // length > maxOverrun*limit, which might overflow
		return found{err: fatal(FrameTooLong, "byte %d: Content-Length is %d, far over the limit "+
			"of %d bytes for a message", r.in.offset(), h.length, limit)}
	}
	r.declared = h.length
	r.known.size = size
	switch {
	case h.length > limit:
		return found{err: &Error{Reason: FrameTooLong, Skip: h.length,
			Detail: fmt.Sprintf("byte %d: Content-Length is %d, over the limit of %d bytes "+
				"for a message", r.in.offset(), h.length, limit)}}
	case h.charset != "":
		return found{err: &Error{Reason: BadCharset, Skip: h.length,
			Detail: fmt.Sprintf("byte %d: Content-Type has the charset %q, but messages are "+
				"utf-8", r.in.offset(), h.charset)}}
	}
	r.expect(size, int(h.length))
	return found{}
}

// lineStart checks the first byte of the line in hand, so that a stream without line feeds does not
// have to wait for its refusal.
func (r *Reader) lineStart(b []byte) error {
	rest := b[r.known.line:]
	switch c := rest[0]; {
	case r.known.line >= r.limits.Header:
		return r.headerTooLong()
	case r.known.line == 0 && detect(c) == Newline:
		return fatal(WrongFraming, "byte %d: %s stands where a Content-Length header should, which "+
			"looks like newline framing; use --framing newline, or send headers%s",
			r.in.offset(), quote(rest), r.hint())
	case c == '\r' || c == '\n' || isTokenByte(c):
		return nil
	}
	return r.badHeader(rest)
}

// field takes in one line of a header block.
func (r *Reader) field(line []byte) error {
	if r.known.line == 0 && !r.later && isRequestLine(line) {
		return errHTTP(line)
	}
	name, value, ok := cutField(line)
	switch {
	case !ok:
		return r.badHeader(line)
	case isName(name, nameLength):
		return r.length(value)
	case isName(name, nameType):
		if charset := cutCharset(value); !isUTF8(charset) {
			r.known.head.charset = string(charset[:min(len(charset), maxQuote)])
		}
	}
	return nil
}

// length takes in the value of a Content-Length field: 1*DIGIT (RFC 9110, section 8.6). Given more
// than once it must not contradict itself (RFC 9112, section 6.3).
func (r *Reader) length(value []byte) error {
	for _, c := range value {
		if !isDigit(c) {
			return r.badLength(value, "is not a decimal number of bytes")
		}
	}
	n, err := strconv.ParseInt(string(value), 10, 64)
	h := &r.known.head
	switch {
	case len(value) == 0:
		return r.badLength(value, "is no number")
	case err != nil:
		return r.badLength(value, "is larger than any message can be")
	case h.sized && n != h.length:
		return r.badLength(value, fmt.Sprintf("contradicts the %d given before", h.length))
	}
	h.length, h.sized = n, true
	return nil
}

func (r *Reader) badLength(value []byte, what string) error {
	return fatal(BadLength, "byte %d: Content-Length %s %s",
		r.in.offset()+int64(r.known.line), quote(value), what)
}

func (r *Reader) badHeader(line []byte) error {
	return fatal(BadHeader, "byte %d: %s is no header line; want Content-Length: and a number%s",
		r.in.offset()+int64(r.known.line), quote(line), r.hint())
}

func (r *Reader) headerTooLong() error {
	return fatal(HeaderTooLong, "byte %d: the header block is longer than %d bytes, its limit",
		r.in.offset(), r.limits.Header)
}

// hint names the usual cause of a header that is not where it should be.
func (r *Reader) hint() string {
	if r.declared < 0 {
		return ""
	}
	return fmt.Sprintf(" (the message before it had Content-Length %d: was that its number of "+
		"bytes, not of characters?)", r.declared)
}

// cutField splits a header line at its colon, without the white space around either part. ok is
// false when what comes before the colon is no field name.
func cutField(line []byte) (name, value []byte, ok bool) {
	name, value, ok = bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	return name, bytes.Trim(value, " \t"), ok && isToken(name)
}

func isField(line []byte) bool {
	_, _, ok := cutField(line)
	return ok
}

func isName(name []byte, want string) bool {
	return len(name) == len(want) && bytes.EqualFold(name, []byte(want))
}

// cutCharset returns the charset parameter of a Content-Type, without quotes, or nothing.
func cutCharset(value []byte) []byte {
	for param := range bytes.SplitSeq(value, []byte(";")) {
		name, charset, _ := bytes.Cut(param, []byte("="))
		if isName(bytes.TrimSpace(name), "charset") {
			return bytes.Trim(charset, " \t\"")
		}
	}
	return nil
}

// isUTF8 reports whether charset, by default UTF-8, is that. "utf8" is an old client's name for it
// (LSP 3.17, base protocol).
func isUTF8(charset []byte) bool {
	return len(charset) == 0 || isName(charset, "utf-8") || isName(charset, "utf8")
}

// isToken reports whether b is a token (RFC 9110, section 5.6.2), which the names of fields and of
// methods are.
func isToken(b []byte) bool {
	for _, c := range b {
		if !isTokenByte(c) {
			return false
		}
	}
	return len(b) > 0
}

func isTokenByte(c byte) bool {
	letter := c | 0x20
	return 'a' <= letter && letter <= 'z' || isDigit(c) ||
		strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
