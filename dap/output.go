package dap

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxOutput is the most bytes of text in one `output` event. A longer line is sent in parts.
const maxOutput = 16 << 10

// Output sends text to the client's console, an event for each line: clients show, filter and
// fold events, not lines. It waits while the client does not read.
func (s *Session) Output(ctx context.Context, category OutputCategory, text string) error {
	return s.OutputFrom(ctx, OutputEventBody{Category: &category}, text)
}

// OutputFrom sends text as [Session.Output] does, in events that are like another but for their
// text: with the category and the place in a source that it gives.
func (s *Session) OutputFrom(ctx context.Context, like OutputEventBody, text string) error {
	for len(text) > 0 {
		n := piece(text)
		body := like
		body.Output = text[:n]
		if err := Output.Send(ctx, s, &body); err != nil {
			return err
		}
		text = text[n:]
	}
	return nil
}

// piece returns the length of what belongs into the first event for text: a line, or as much of
// it as may be sent without splitting a character.
func piece(text string) int {
	n := strings.IndexByte(text, '\n') + 1
	if n == 0 {
		n = len(text)
	}
	if n <= maxOutput {
		return n
	}
	return maxOutput - partial(text[:maxOutput])
}

// partial returns how many bytes at the end of text begin a character that is not complete.
func partial(text string) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		tail := text[len(text)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Writer is an io.Writer over [Session.Output] for what a debuggee writes in pieces of any size.
// It keeps an unfinished line until it is finished, or [Writer.Flush]. It is safe for concurrent
// use.
type Writer struct {
	s        *Session
	category OutputCategory

	mu   sync.Mutex // guards the fields below, and keeps the order of output
	rest []byte     // an unfinished line of at most maxOutput bytes
}

// Writer returns a Writer to the client's console. Flush it before [Stopped], [Exited] and
// [Terminated], so that the client has all output that belongs before them.
func (s *Session) Writer(category OutputCategory) *Writer {
	return &Writer{s: s, category: category}
}

// Write implements io.Writer. It waits while the client does not read, until the session ends.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	if end := bytes.LastIndexByte(p, '\n') + 1; end > 0 {
		if err := w.send(string(append(w.rest, p[:end]...))); err != nil {
			return 0, err
		}
		w.rest, p = w.rest[:0], p[end:]
	}
	for len(w.rest)+len(p) > maxOutput {
		text := string(append(w.rest, p[:maxOutput-len(w.rest)]...))
		p = p[maxOutput-len(w.rest):]
		cut := len(text) - partial(text)
		if err := w.send(text[:cut]); err != nil {
			return 0, err
		}
		w.rest = append(w.rest[:0], text[cut:]...)
	}
	w.rest = append(w.rest, p...)
	return n, nil
}

// Flush sends an unfinished line. What is only the beginning of a character stays.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := string(w.rest)
	cut := len(text) - partial(text)
	w.rest = append(w.rest[:0], text[cut:]...)
	return w.send(text[:cut])
}

func (w *Writer) send(text string) error {
	return w.s.Output(w.s.core.Context(), w.category, text)
}
