package child

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
)

// logQueue is how many lines may wait for a slow logger before lines are dropped.
const logQueue = 1024

// drain reads the lines that a child writes for people, keeps the last ones and logs all, without
// ever letting a slow logger hold up the child: reading and logging are two goroutines with a
// bounded queue between them, and what does not fit is dropped and counted.
type drain struct {
	limit   int          // the longest line kept, in bytes
	keep    int          // how many last lines tail holds
	queue   chan string  // from read to log
	dropped atomic.Int64 // lines that found the queue full since the last one logged
	tail    []string     // owned by read until it returns
}

func newDrain(limit, keep int) *drain {
	return &drain{limit: limit, keep: keep, queue: make(chan string, logQueue)}
}

// read reads lines of r until it ends or fails, and then ends log.
func (d *drain) read(r io.Reader) {
	defer close(d.queue)
	lines := bufio.NewReaderSize(r, d.limit)
	for {
		line, err := readLine(lines)
		if line != "" {
			d.add(line)
		}
		if err != nil {
			return
		}
	}
}

func (d *drain) add(line string) {
	d.tail = append(d.tail, line)
	if len(d.tail) > d.keep {
		d.tail = d.tail[1:]
	}
	select {
	case d.queue <- line:
	default:
		d.dropped.Add(1)
	}
}

// log passes the lines on to logger until read has ended.
func (d *drain) log(logger *slog.Logger) {
	for line := range d.queue {
		logger.Info("child output", "line", line)
		d.logDropped(logger)
	}
	d.logDropped(logger)
}

func (d *drain) logDropped(logger *slog.Logger) {
	if n := d.dropped.Swap(0); n > 0 {
		logger.Warn("child output came faster than it could be logged", "dropped_lines", n)
	}
}

// readLine reads a line without its end. Of a line longer than the buffer of r only the beginning
// is returned, with a note of how much was cut.
func readLine(r *bufio.Reader) (string, error) {
	text, err := r.ReadSlice('\n')
	line := string(text)
	cut := 0
	for errors.Is(err, bufio.ErrBufferFull) {
		text, err = r.ReadSlice('\n')
		cut += len(text)
	}
	line = strings.ToValidUTF8(strings.TrimRight(line, "\r\n"), "\uFFFD")
	if cut > 0 {
		line += fmt.Sprintf("… (%d bytes cut)", cut)
	}
	return line, err
}
