package framing

import "fmt"

// Error is what a Reader has to say about input that is no frame. Its text is made for people.
type Error struct {
	// Reason is the kind of damage, for programs.
	Reason Reason
	// Detail says what was found, where, and what would be right. How much of the input it
	// quotes depends on how much had arrived.
	Detail string
	// Fatal tells that the place where the next message begins is lost: the Reader is at its
	// end and returns this error from now on. After any other Error it goes on.
	Fatal bool
	// Skip is the number of bytes that the next calls drop, without keeping them, before they
	// look for a message: the body of the refused frame. It is 0 where there is none and where
	// the length is unknown, as for a line.
	Skip int64
}

// Error returns Detail.
func (e *Error) Error() string { return e.Detail }

// Reason is the kind of damage that an Error reports.
type Reason uint8

// The reasons.
const (
	// HTTPRequest is a first line such as "GET / HTTP/1.1". Always fatal.
	HTTPRequest Reason = iota + 1
	// UnknownFraming is a first byte that Auto cannot place. Always fatal.
	UnknownFraming
	// WrongFraming is input that belongs to the other framing: fatal under ContentLength,
	// not fatal under Newline.
	WrongFraming
	// BadHeader is a line in a header block that is no header field. Always fatal.
	BadHeader
	// BadLength is a missing, malformed or contradictory Content-Length. Always fatal.
	BadLength
	// BadCharset is a Content-Type with a charset other than UTF-8. Never fatal.
	BadCharset
	// HeaderTooLong is a header block over Limits.Header. Always fatal.
	HeaderTooLong
	// FrameTooLong is a message over Limits.Frame: fatal when more than 16 times the limit is
	// declared, since then the declaration is what is wrong.
	FrameTooLong
	// Truncated is input that ended inside a header block or a body. Always fatal.
	Truncated
)

var reasons = [...]string{
	HTTPRequest:    "http request",
	UnknownFraming: "unknown framing",
	WrongFraming:   "wrong framing",
	BadHeader:      "bad header",
	BadLength:      "bad length",
	BadCharset:     "bad charset",
	HeaderTooLong:  "header too long",
	FrameTooLong:   "frame too long",
	Truncated:      "truncated",
}

// String returns the reason in a few lower-case words.
func (r Reason) String() string {
	if r == 0 || int(r) >= len(reasons) {
		return fmt.Sprintf("Reason(%d)", uint8(r))
	}
	return reasons[r]
}

// fatal returns the Error for a lost boundary.
func fatal(reason Reason, format string, args ...any) *Error {
	return &Error{Reason: reason, Detail: fmt.Sprintf(format, args...), Fatal: true}
}

// maxQuote is how many bytes of the input an error text repeats.
const maxQuote = 40

// quote returns the beginning of b, in quotes and printable.
func quote(b []byte) string {
	if len(b) > maxQuote {
		return fmt.Sprintf("%q...", b[:maxQuote])
	}
	return fmt.Sprintf("%q", b)
}
