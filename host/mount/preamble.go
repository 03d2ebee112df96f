package mount

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

// stream is what a session with a server runs on; [net.Conn] and [child.Conn] are such.
type stream interface {
	io.ReadWriteCloser
	CloseWrite() error
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

const (
	// preambleLook is how much is looked at at a time, in bytes.
	preambleLook = 64 << 10
	// preambleLimit is how much a server may print before its first message, in bytes.
	preambleLimit = 1 << 20
)

// firstHeader is where the first message of Content-Length framing begins.
var firstHeader = regexp.MustCompile(`(?i)content-length[ \t]*:`)

// preamble is a stream of Content-Length framing without what a server prints before its first
// message: a greeting, a warning of its runtime. It is skipped and logged. Between later messages
// nothing can be skipped, as there a stray byte may as well mean that a length was wrong.
type preamble struct {
	stream
	log   *slog.Logger
	check func(lines []byte) error // fails if the lines are what must not be skipped
	over  atomic.Bool              // and nothing is left in in

	mu      sync.Mutex // guards the fields below; held while one reader waits for the preamble's end
	in      *bufio.Reader
	skipped int
	begun   bool // the first message is at the head of in
}

func skipPreamble(s stream, log *slog.Logger, check func(lines []byte) error) *preamble {
	return &preamble{
		stream: s, in: bufio.NewReaderSize(s, preambleLook), log: log, check: check,
	}
}

// Read implements io.Reader.
func (p *preamble) Read(b []byte) (int, error) {
	if n, err := p.readFirst(b); n > 0 || err != nil {
		return n, err
	}
	return p.stream.Read(b)
}

// readFirst reads what was taken off the stream to find the first message. It returns nothing once
// that is used up.
func (p *preamble) readFirst(b []byte) (int, error) {
	if p.over.Load() {
		return 0, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.begun {
		if err := p.step(); err != nil {
			return 0, err
		}
	}
	n, err := p.in.Read(b[:min(len(b), p.in.Buffered())])
	p.over.Store(p.in.Buffered() == 0)
	return n, err
}

// step looks at what there is to read. It is logged at once, not by the line: a server that prints
// short lines for ever would fill the log, and the time until it is given up.
func (p *preamble) step() error {
	text, err := p.peekLines()
	if at := firstHeader.FindIndex(text); at != nil {
		text, p.begun = text[:at[0]], true
	}
	p.skip(text)
	if err := p.check(text); err != nil {
		return err
	}
	if p.skipped > preambleLimit {
		return fmt.Errorf("no message in the first %d bytes", preambleLimit)
	}
	if p.begun {
		return nil
	}
	return err
}

// peekLines returns the next lines, as many as have come, or what there is of one when the input
// ends or the line is too long to be looked at whole.
func (p *preamble) peekLines() ([]byte, error) {
	for {
		text, _ := p.in.Peek(p.in.Buffered())
		if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
			return text[:i+1], nil
		}
		if len(text) == preambleLook {
			return text, nil
		}
		if _, err := p.in.Peek(len(text) + 1); err != nil {
			return text, err
		}
	}
}

// skip drops lines, or part of one.
func (p *preamble) skip(lines []byte) {
	if text := bytes.TrimSpace(lines); len(text) > 0 {
		p.log.Warn("skipped what the server printed before its first message", "text", excerpt(text))
	}
	p.skipped += len(lines)
	p.in.Discard(len(lines)) // cannot fail: they were peeked at
}

// excerpt returns the beginning of text as a log can show it.
func excerpt(text []byte) string {
	const most = 1000
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
