package wirelog

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

// Options are the choices of a Writer; the zero value is ready to use.
type Options struct {
	// MaxBytes is the size at which a log is rotated; only a record larger than this makes a
	// file exceed it. Zero means 100 MiB; a negative value means never.
	MaxBytes int64

	// Keep is how many rotated files are kept, as PATH.1 (the newest) to PATH.N. Zero means 5; a
	// negative value means none.
	Keep int

	// Redact lists the keys, at any depth of a message, whose values are recorded as "***". Case
	// does not matter. Frames that are not messages are not recorded at all then, but for the
	// fact. JSON within a JSON string is not searched.
	Redact []string

	// QueueBytes and QueueRecords bound what waits to be written, together with what is being
	// written. What does not fit is dropped, and the log says so. A record larger than QueueBytes
	// fits when nothing else waits. Zero means 64 MiB and 10,000.
	QueueBytes   int
	QueueRecords int

	// Logger hears about a log that cannot be written or rotated. Nil means nobody does.
	Logger *slog.Logger
}

const (
	// recordOverhead is about what a record takes besides its message.
	recordOverhead = 256

	// chunkSize is how many bytes are collected for one write.
	chunkSize = 64 << 10

	// bufferLimit is the largest buffer kept for the next write.
	bufferLimit = 1 << 20
)

// Writer records messages in a file. Record and Close are safe for concurrent use.
type Writer struct {
	sink   io.WriteCloser // gets whole lines; used by the goroutine of run alone
	redact redactor
	opts   Options
	wake   chan struct{} // capacity 1: there is something to do for run
	done   chan struct{} // closed when run has ended, which first sets err
	err    error

	mu      sync.Mutex // guards the fields below; never held during I/O or a copy
	pending []Record   // in the order they are to be written
	records int        // reserved: pending, being copied or being written
	bytes   int        // the size of those
	dropped int        // records dropped since pending was last taken
	closing bool
}

// Create opens the log at path, to which it appends, and starts to write. A new file is readable
// for its owner only. The caller must call Close.
func Create(path string, opts Options) (*Writer, error) {
	opts = opts.withDefaults()
	file, err := openRotator(path, max(opts.MaxBytes, 0), max(opts.Keep, 0), opts.Logger)
	if err != nil {
		return nil, fmt.Errorf("wire log: %w", err)
	}
	return newWriter(file, opts), nil
}

func (o Options) withDefaults() Options {
	o.MaxBytes = cmp.Or(o.MaxBytes, 100<<20)
	o.Keep = cmp.Or(o.Keep, 5)
	o.QueueBytes = cmp.Or(o.QueueBytes, 64<<20)
	o.QueueRecords = cmp.Or(o.QueueRecords, 10_000)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// newWriter starts a Writer on sink, which gets whole lines with each Write. All of opts must be
// set.
func newWriter(sink io.WriteCloser, opts Options) *Writer {
	w := &Writer{
		sink:   sink,
		redact: redactor{keys: opts.Redact},
		opts:   opts,
		wake:   make(chan struct{}, 1),
		done:   make(chan struct{}),
	}
	go w.run() // until Close, which waits for it
	return w
}

// Record queues a record. It never waits for the disk: when the queue is full, or after Close, the
// record is dropped. A zero Time means now. The record's bytes are copied.
func (w *Writer) Record(r Record) {
	if r.Time.IsZero() {
		r.Time = time.Now()
	}
	if !w.reserve(r.size()) {
		return
	}
	r.Msg, r.Raw = bytes.Clone(r.Msg), bytes.Clone(r.Raw)
	w.mu.Lock()
	w.pending = append(w.pending, r)
	w.mu.Unlock()
	w.poke()
}

func (r Record) size() int {
	return recordOverhead + len(r.Msg) + len(r.Raw)
}

// reserve takes room for a record of the given size, or counts it as dropped. Once a record was
// dropped all are, until the queue is taken, so that the log can say where they are missing.
func (w *Writer) reserve(size int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closing {
		return false
	}
	full := w.records >= w.opts.QueueRecords ||
		w.records > 0 && w.bytes+size > w.opts.QueueBytes
	if full || w.dropped > 0 {
		w.dropped++
		return false
	}
	w.records++
	w.bytes += size
	return true
}

func (w *Writer) poke() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Close writes what is queued and closes the log. When ctx ends first, Close returns its cause and
// how many records were not yet written; the file is closed as soon as the disk lets it be. An
// error also says that records could not be written.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	w.closing = true
	w.mu.Unlock()
	w.poke()
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		w.mu.Lock()
		defer w.mu.Unlock()
		return fmt.Errorf("wire log: records not written: %d: %w", w.records, context.Cause(ctx))
	}
}

// run writes what is queued until the Writer is closed and nothing is left.
func (w *Writer) run() {
	defer close(w.done)
	out := output{sink: w.sink, redact: w.redact, logger: w.opts.Logger}
	for {
		batch, dropped, last := w.take()
		out.write(batch, dropped)
		w.release(batch)
		if last {
			break
		}
		<-w.wake
	}
	w.err = out.close()
}

// take empties the queue. It is the last time when the Writer is closing and no record is still
// being copied.
func (w *Writer) take() (batch []Record, dropped int, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	batch, w.pending = w.pending, nil
	dropped, w.dropped = w.dropped, 0
	return batch, dropped, w.closing && w.records == len(batch)
}

// release gives back the room of written records.
func (w *Writer) release(batch []Record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range batch {
		w.records--
		w.bytes -= r.size()
	}
	if w.dropped > 0 || len(w.pending) > 0 {
		w.poke()
	}
}
