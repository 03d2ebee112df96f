package framing

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// Limits bounds what a Reader accepts. Zero fields stand for the defaults, as do negative ones.
type Limits struct {
	// Frame is the longest message, in bytes. Default: 64 MiB.
	Frame int
	// Header is the longest header block, blank line included, in bytes. Default: 64 KiB.
	Header int
}

const (
	defaultFrame  = 64 << 20
	defaultHeader = 64 << 10
	// noLimit leaves room for sums of limits, however high they were set.
	noLimit = math.MaxInt / 4
)

func (l Limits) orDefault() Limits {
	if l.Frame <= 0 {
		l.Frame = defaultFrame
	}
	if l.Header <= 0 {
		l.Header = defaultHeader
	}
	return Limits{Frame: min(l.Frame, noLimit), Header: min(l.Header, noLimit)}
}

// A Reader takes messages off a byte stream. Next, Ready and Offset are for one goroutine at a
// time; Framing and SetFraming may be called at any time by any.
type Reader struct {
	limits  Limits
	framing atomic.Uint32

	// The fields below belong to the goroutine in Next, Ready or Offset.
	in       buffer
	err      error    // the end: Next returns nothing else from now on
	known    progress // about the frame at the head of in
	begun    bool     // a byte order mark at the start of the stream has been dealt with
	later    bool     // something has been returned, so this is no longer the first line
	skip     int64    // bytes of a refused body still to drop
	drop     drop     // lines of a refused frame still to drop
	declared int64    // the last Content-Length accepted, -1 where there was none
}

// drop is what a refused frame on a Newline stream has left to throw away.
type drop uint8

const (
	dropNothing drop = iota
	dropLine         // up to and with the next line feed
	dropHeaders      // lines that look like header fields, up to a blank line
)

// progress is what is known about the frame at the head of the buffer, so that bytes which arrive
// one at a time are not looked at again and again. Offsets count from that frame's first byte.
type progress struct {
	framing Framing // under which the rest was found out
	line    int     // where the line in hand begins
	seen    int     // no line feed between line and here
	head    header  // the header fields before line
	body    int     // where the body begins, once the header block is complete
	need    int     // where it ends
	size    int     // what the frame takes off the stream, once there is a result
	drop    drop    // what comes behind that, if the frame is refused
}

// found is what stands at the head of the buffer: a message between two offsets, or what is wrong.
// It is small enough to be passed in registers.
type found struct {
	from, to int
	err      error
}

// NewReader returns a Reader of the messages that src carries in framing f.
func NewReader(src io.Reader, f Framing, l Limits) *Reader {
	r := &Reader{
		limits:   l.orDefault(),
		in:       buffer{src: src, size: minChunk},
		declared: -1,
	}
	r.SetFraming(f)
	return r
}

// Framing returns the framing in use: Auto until the peer has shown which one it speaks.
func (r *Reader) Framing() Framing { return Framing(r.framing.Load()) }

// SetFraming changes the framing. It acts on the first message that Next has not returned yet, also
// when some of it has arrived.
func (r *Reader) SetFraming(f Framing) { r.framing.Store(uint32(f)) }

// Next returns the bytes of the next message, which may be none under ContentLength. They belong to
// the caller: they are not written to again. At the end of the stream the error is io.EOF; for
// input that is no frame it is an *Error, after which Next goes on unless it is Fatal; an error of
// the source comes wrapped. A fatal error, like the end, is returned by every later call too.
func (r *Reader) Next() ([]byte, error) {
	for r.err == nil {
		if f, ok := r.look(); ok {
			return r.take(f)
		}
		r.in.fill(r.known.need, max(r.limits.Frame, r.limits.Header)+len("\r\n"))
	}
	return nil, r.err
}

// Offset returns how many bytes of the stream Next has used up.
func (r *Reader) Offset() int64 { return r.in.offset() }

// Ready reports whether Next would return at once, with a message or an error, without reading from
// the source.
func (r *Reader) Ready() bool {
	if r.err != nil {
		return true
	}
	_, ok := r.look()
	return ok
}

// look finds out what Next has to return, from the bytes at hand alone. It uses up only bytes that
// belong to no frame.
func (r *Reader) look() (found, bool) {
	if r.atFrame() {
		if f, ok := r.scan(); ok {
			return f, true
		}
	}
	if r.in.err == nil {
		return found{}, false
	}
	return found{err: r.ending()}, true
}

// take uses up what look has found.
func (r *Reader) take(f found) ([]byte, error) {
	r.later = true
	r.drop = r.known.drop
	if f.err != nil {
		return nil, r.refuse(f.err)
	}
	msg := r.in.lend(f.from, f.to)
	r.discard()
	return msg, nil
}

// refuse ends the stream with err or prepares to step over the frame it is about.
func (r *Reader) refuse(err error) error {
	e, ok := err.(*Error)
	if !ok || e.Fatal {
		r.err = err
		return err
	}
	r.skip = e.Skip
	r.discard()
	return err
}

// discard uses up the frame at the head of the buffer.
func (r *Reader) discard() {
	r.in.discard(r.known.size)
	r.in.settle()
	r.known = progress{framing: r.known.framing}
}

// atFrame uses up what belongs to no frame and reports whether one begins at the head of the
// buffer.
func (r *Reader) atFrame() bool {
	if !r.begun && !r.pastMark() || r.skip > 0 && !r.pastBody() {
		return false
	}
	if r.drop == dropLine && !r.pastLine() {
		return false
	}
	r.pastBlanks()
	return len(r.in.unread()) > 0
}

// pastMark uses up a byte order mark at the start of the stream, once it can be told.
func (r *Reader) pastMark() bool {
	const mark = "\uFEFF"
	b := r.in.unread()
	if len(b) < len(mark) && string(b) == mark[:len(b)] && r.in.err == nil {
		return false
	}
	if bytes.HasPrefix(b, []byte(mark)) {
		r.in.discard(len(mark))
	}
	r.begun = true
	return true
}

// pastBody uses up the body of a refused frame.
func (r *Reader) pastBody() bool {
	n := min(r.skip, int64(len(r.in.unread())))
	r.in.discard(int(n))
	r.skip -= n
	return r.skip == 0
}

// pastLine uses up the rest of a refused line.
func (r *Reader) pastLine() bool {
	b := r.in.unread()
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		r.in.discard(len(b))
		return false
	}
	r.in.discard(i + 1)
	r.drop = dropNothing
	return true
}

// pastBlanks uses up white space in front of a frame, which no framing gives a meaning.
func (r *Reader) pastBlanks() {
	b := r.in.unread()
	n := 0
	for n < len(b) && isBlank(b[n]) {
		if b[n] == '\n' {
			r.drop = dropNothing // every line is used up with its end, so this line is blank
		}
		n++
	}
	r.in.discard(n)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// scan looks at the frame at the head of the buffer.
func (r *Reader) scan() (found, bool) {
	framing := r.Framing()
	if framing == Auto {
		b := r.in.unread()
		framing = detect(b[0])
		if framing == Auto {
			return found{err: fatal(UnknownFraming, "byte %d: %s begins neither a JSON text nor "+
				"a header; want '{', '[' or Content-Length", r.in.offset(), quote(b))}, true
		}
		// A SetFraming of this moment must not be lost.
		r.framing.CompareAndSwap(uint32(Auto), uint32(framing))
	}
	if framing != r.known.framing {
		r.known = progress{framing: framing}
		r.declared = -1
	}
	if framing == ContentLength {
		return r.scanFrame()
	}
	return r.scanLine()
}

// detect returns the framing that a stream with this first byte speaks, or Auto.
func detect(first byte) Framing {
	switch {
	case first == '{' || first == '[':
		return Newline
	case 'a' <= first|0x20 && first|0x20 <= 'z':
		return ContentLength
	}
	return Auto
}

// ending returns the error for a source that has ended without completing what is at hand.
func (r *Reader) ending() error {
	if r.in.err != io.EOF {
		return fmt.Errorf("read the next message: %w", r.in.err)
	}
	b := r.in.unread()
	switch {
	case r.skip > 0:
		return truncated(r.declared, r.declared-r.skip)
	case len(b) == 0:
		return io.EOF
	case r.known.need > 0:
		return truncated(r.declared, int64(len(b)-r.known.body))
	case !r.later && isRequestLine(b):
		return errHTTP(b)
	}
	return fatal(Truncated, "byte %d: input ended inside a header block, after %d bytes, %s; "+
		"want a Content-Length, a blank line and the body", r.in.offset(), len(b), quote(b))
}

func truncated(declared, got int64) *Error {
	return fatal(Truncated, "input ended inside a message: Content-Length is %d, but %d bytes came",
		declared, got)
}
