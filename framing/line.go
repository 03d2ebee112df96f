package framing

import (
	"bytes"
	"fmt"
	"io"
)

// scanLine looks at the line at the head of a Newline stream.
func (r *Reader) scanLine() (found, bool) {
	for {
		b := r.in.unread()
		p := &r.known
		end, ok := p.lineEnd(b)
		switch {
		case ok:
			p.size = end + 1
		case len(b) > 0 && r.in.err == io.EOF: // the last line may lack its end
			end, p.size = len(b), len(b)
		case len(chomp(b)) > r.limits.Frame:
			f := r.judge(b)
			p.size, p.drop = len(b), dropLine
			return f, true
		default:
			return found{}, false
		}
		line := chomp(b[:end])
		if r.drop != dropHeaders || len(line) > r.limits.Frame || !isField(line) {
			return r.judge(line), true
		}
		r.discard()
		r.pastBlanks()
	}
}

// judge decides about a line, which is complete or already too long.
func (r *Reader) judge(line []byte) found {
	tooLong := len(line) > r.limits.Frame
	if !r.later && r.isHTTP(line, tooLong) {
		return found{err: errHTTP(line)}
	}
	switch {
	case tooLong:
		return found{err: &Error{Reason: FrameTooLong, Detail: fmt.Sprintf("byte %d: the line "+
			"that begins with %s is longer than %d bytes, the limit for a message",
			r.in.offset(), quote(line), r.limits.Frame)}}
	case isFrameField(line):
		r.known.drop = dropHeaders
		return found{err: &Error{Reason: WrongFraming, Detail: fmt.Sprintf("byte %d: %s is a "+
			"header, but this stream has one JSON text a line; use --framing content-length, "+
			"or send no headers", r.in.offset(), quote(line))}}
	}
	return found{to: len(line)}
}

// isHTTP reports whether the first line of the stream is an HTTP request line, or the beginning of
// one as far as the limit for a message goes. No message begins like that.
func (r *Reader) isHTTP(line []byte, tooLong bool) bool {
	if tooLong {
		return beginsRequest(line[:r.limits.Frame])
	}
	return isRequestLine(line)
}

// lineEnd returns where in b, the bytes of the frame in hand, the line feed of the line in hand is.
func (p *progress) lineEnd(b []byte) (end int, ok bool) {
	i := bytes.IndexByte(b[p.seen:], '\n')
	if i < 0 {
		p.seen = len(b)
		return 0, false
	}
	p.seen += i
	return p.seen, true
}

// chomp returns line without the CR of its line end.
func chomp(line []byte) []byte {
	if n := len(line) - 1; n >= 0 && line[n] == '\r' {
		return line[:n]
	}
	return line
}

// isFrameField reports whether line is a header field that a ContentLength frame begins with.
func isFrameField(line []byte) bool {
	if len(line) == 0 || line[0]|0x20 != 'c' {
		return false
	}
	name, _, ok := cutField(line)
	return ok && (isName(name, nameLength) || isName(name, nameType))
}

// isRequestLine reports whether line is the first of an HTTP request: METHOD SP target SP HTTP/n
// (RFC 9112, section 3), with any method, HTTP/2's preface "PRI * HTTP/2.0" among them.
func isRequestLine(line []byte) bool {
	if !beginsRequest(line) {
		return false
	}
	line = bytes.TrimRight(line, " \t\r")
	version, ok := bytes.CutPrefix(line[bytes.LastIndexByte(line, ' ')+1:], []byte("HTTP/"))
	return ok && len(version) > 0 && '0' <= version[0] && version[0] <= '9'
}

// beginsRequest reports whether line begins like a request line: a token, then a space.
func beginsRequest(line []byte) bool {
	i := bytes.IndexByte(line, ' ')
	return i > 0 && isToken(line[:i])
}

func errHTTP(line []byte) *Error {
	return fatal(HTTPRequest, "%s is an HTTP request, but this stream carries JSON-RPC messages "+
		"framed by Content-Length or by lines", quote(line))
}
