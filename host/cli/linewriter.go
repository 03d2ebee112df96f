package cli

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

const (
	lineRoom     = 512                    // lines that may wait
	linePatience = 500 * time.Millisecond // for the reader, at the end
)

// lineWriter passes lines on from a goroutine of its own, so that those who log never wait for a
// parent that does not read standard error. It drops and counts lines that find no room.
type lineWriter struct {
	w       io.Writer
	lines   chan []byte
	dropped atomic.Uint64
	ending  chan struct{} // closed by flush
	done    chan struct{} // closed when all has been written
}

// newLineWriter starts a writer, which flush ends.
func newLineWriter(w io.Writer) *lineWriter {
	l := &lineWriter{
		w: w, lines: make(chan []byte, lineRoom),
		ending: make(chan struct{}), done: make(chan struct{}),
	}
	go l.run()
	return l
}

// Write implements io.Writer for whole lines. It never fails.
func (l *lineWriter) Write(line []byte) (int, error) {
	select {
	case l.lines <- bytes.Clone(line):
	default:
		l.dropped.Add(1)
	}
	return len(line), nil
}

func (l *lineWriter) run() {
	defer close(l.done)
	for {
		select {
		case line := <-l.lines:
			l.pass(line)
		case <-l.ending:
			for len(l.lines) > 0 {
				l.pass(<-l.lines)
			}
			return
		}
	}
}

func (l *lineWriter) pass(line []byte) {
	if n := l.dropped.Swap(0); n > 0 {
		fmt.Fprintf(l.w, "%d log lines were dropped: nobody read them in time\n", n)
	}
	l.w.Write(line)
}

// flush writes what waits, as far as the reader takes it within a moment. What is logged after
// that may be lost.
func (l *lineWriter) flush() {
	close(l.ending)
	select {
	case <-l.done:
	case <-time.After(linePatience):
	}
}
