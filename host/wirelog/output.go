package wirelog

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// output turns records into lines and writes them in chunks of whole lines. What is missing, for
// one reason or another, it counts, and says so in the log as soon as that can be written. It
// belongs to one goroutine.
type output struct {
	sink   io.WriteCloser
	redact redactor
	logger *slog.Logger

	chunk   []byte
	records int   // in chunk
	missing int   // records lost before chunk that the log does not tell of yet
	failing error // of the last write
}

// write writes a batch, and behind it that so many records after it were dropped.
func (o *output) write(batch []Record, dropped int) {
	for _, r := range batch {
		o.begin()
		o.chunk = r.appendLine(o.chunk, o.redact)
		o.records++
		if len(o.chunk) >= chunkSize {
			o.flush()
		}
	}
	o.flush()
	if o.missing += dropped; o.missing > 0 {
		o.begin()
		o.flush()
	}
}

// begin puts at the head of a chunk what is missing before it.
func (o *output) begin() {
	if len(o.chunk) == 0 && o.missing > 0 {
		o.chunk = Record{Time: time.Now(), Dropped: o.missing}.AppendLine(o.chunk)
	}
}

func (o *output) flush() {
	if len(o.chunk) == 0 {
		return
	}
	_, err := o.sink.Write(o.chunk)
	if err != nil {
		o.missing += o.records
		if o.failing == nil {
			o.logger.Error("the wire log cannot be written; records are lost", "error", err)
		}
	} else {
		o.missing = 0
	}
	o.failing = err
	o.records = 0
	if o.chunk = o.chunk[:0]; cap(o.chunk) > bufferLimit {
		o.chunk = nil
	}
}

// close closes the sink and says what is missing at the end of the log.
func (o *output) close() error {
	err := o.sink.Close()
	if o.missing > 0 {
		err = errors.Join(fmt.Errorf("records lost: %d: %w", o.missing, o.failing), err)
	}
	if err != nil {
		return fmt.Errorf("wire log: %w", err)
	}
	return nil
}
