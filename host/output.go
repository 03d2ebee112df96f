package host

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"triplex/framing"
)

// errOutputFull is why a session ends whose peer causes answers faster than it reads them.
var errOutputFull = errors.New("slow peer: its answers fill the output queue (--max-queued-out)")

// errSlowPeer is why a session ends whose peer does not read.
var errSlowPeer = errors.New("slow peer: it read nothing in time (--write-timeout, at the end " +
	"--drain-timeout)")

// errHeldFull is what a plug-in gets that says too much before it may.
var errHeldFull = errors.New("the messages held back until the handshake is over fill " +
	"the output queue (--max-queued-out)")

// output is the queue between a session and its peer. Messages are encoded as they are sent, so
// their order on the wire is the order of the sends; whoever flushes writes all that has gathered.
type output struct {
	conn    *conn
	timeout time.Duration
	limit   int // bytes
	record  func(frame []byte)
	failed  func(error) // called without mu held, once, when a write fails
	ended   func()      // called on a goroutine of its own, after a message that says End

	// dirty is set while buf holds something that no writer is going to take.
	dirty   atomic.Bool
	written atomic.Int64 // bytes
	// waiters is the number of senders that wait for room, waiting the bytes they wait with.
	waiters, waiting atomic.Int64

	mu        sync.Mutex // guards the fields below
	envelope  Envelope
	lifecycle Lifecycle // nil if there are no rules
	framing   framing.Framing
	buf       []byte // framed messages that no writer has taken
	taken     int    // bytes that a writer has taken and not yet written
	held      []*Message
	heldSize  int // bytes
	writing   bool
	closed    error
	progress  chan struct{} // closed when the writer gets on; made by those who wait for it
}

// buffers holds output buffers between writes, so that an idle session owns none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

const (
	maxPooledBuffer = 4 << 20   // bytes; a larger buffer is left to the garbage collector
	maxWrite        = 256 << 10 // bytes written under one deadline
)

// bind makes the queue speak a dialect.
func (o *output) bind(e Envelope, l Lifecycle) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.envelope, o.lifecycle = e, l
}

// send queues m as soon as there is room. It waits for room until ctx ends, or the session.
func (o *output) send(ctx context.Context, m *Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.await(ctx, messageSize(m)); err != nil {
		return err
	}
	return o.judge(m)
}

// sendNow queues m even if there is no room: it is for the reader, which must not wait. It fails
// when twice the limit is queued.
func (o *output) sendNow(m *Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.size() > 2*o.limit {
		return errOutputFull
	}
	return o.judge(m)
}

// sendBatch queues the answers to a batch as one array, like sendNow: they take room already. The
// life cycle is told of them; it has no say in what becomes of a part of an array.
func (o *output) sendBatch(ms []*Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed != nil {
		return o.closed
	}
	if o.size() > 2*o.limit {
		return errOutputFull
	}
	for _, m := range ms {
		if o.lifecycle != nil {
			o.lifecycle.Outgoing(m)
		}
	}
	o.frame(batchSize(ms), func(dst []byte) []byte {
		for i, m := range ms {
			dst = append(dst, "[,"[min(i, 1)])
			dst = o.envelope.Append(dst, m)
		}
		return append(dst, ']')
	})
	for _, m := range ms {
		o.reframe(m)
	}
	return nil
}

// size returns the bytes that wait to be written. What is held back has a bound of its own, or it
// could keep out the answer it waits for. It is called with mu held.
func (o *output) size() int { return len(o.buf) + o.taken }

// await returns when there is room for a sender of size bytes. It is called, and returns, with mu
// held.
func (o *output) await(ctx context.Context, size int) error {
	if o.size() <= o.limit {
		return o.closed
	}
	o.waiters.Add(1)
	o.waiting.Add(int64(size))
	defer o.waiters.Add(-1)
	defer o.waiting.Add(-int64(size))
	for o.size() > o.limit && o.closed == nil {
		progress := o.watch()
		o.mu.Unlock()
		o.flush()
		select {
		case <-progress:
		case <-ctx.Done():
		}
		o.mu.Lock()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return o.closed
}

// watch returns a channel that is closed when the writer gets on. It is called with mu held.
func (o *output) watch() <-chan struct{} {
	if o.progress == nil {
		o.progress = make(chan struct{})
	}
	return o.progress
}

// advance tells those who watch. It is called with mu held.
func (o *output) advance() {
	if o.progress != nil {
		close(o.progress)
		o.progress = nil
	}
}

// judge queues m as the life cycle wants it. It is called with mu held.
func (o *output) judge(m *Message) error {
	if o.closed != nil {
		return o.closed
	}
	var v Verdict
	if o.lifecycle != nil {
		v = o.lifecycle.Outgoing(m)
	}
	switch {
	case v.Action == Hold:
		return o.hold(m)
	case v.Action == Pass:
		o.encode(m)
	case m.Kind == KindRequest:
		return refusal(m, v)
	}
	if v.Release {
		o.release()
	}
	if v.End {
		go o.ended()
	}
	return nil
}

// hold keeps m until it is released.
func (o *output) hold(m *Message) error {
	o.heldSize += messageSize(m)
	if o.heldSize > o.limit {
		o.heldSize -= messageSize(m)
		return errHeldFull
	}
	o.held = append(o.held, m)
	return nil
}

func (o *output) release() {
	for _, m := range o.held {
		o.encode(m)
	}
	o.held, o.heldSize = nil, 0
}

func (o *output) encode(m *Message) {
	o.frame(messageSize(m), func(dst []byte) []byte { return o.envelope.Append(dst, m) })
	o.reframe(m)
}

// reframe changes the framing, if m has been the last message in the old one.
func (o *output) reframe(m *Message) {
	if m.reframe != nil {
		o.framing = *m.reframe
	}
}

// frame queues the body that encode appends. It is called with mu held.
func (o *output) frame(size int, encode func([]byte) []byte) {
	if o.buf == nil {
		o.buf = *buffers.Get().(*[]byte)
	}
	mark := len(o.buf)
	o.buf = o.framing.Begin(o.buf, size)
	start := len(o.buf)
	o.buf = encode(o.buf)
	if o.record != nil {
		o.record(o.buf[start:])
	}
	o.buf = o.framing.End(o.buf, mark)
	o.dirty.Store(!o.writing)
}

// flush writes all that is queued, unless somebody else is writing: then that writer does.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.writing {
		return
	}
	o.writing = true
	o.dirty.Store(false)
	for len(o.buf) > 0 && o.closed == nil {
		buf := o.buf
		o.buf, o.taken = nil, len(buf)
		o.write(buf)
		if cap(buf) <= maxPooledBuffer {
			buf = buf[:0]
			buffers.Put(&buf)
		}
	}
	o.writing = false
	o.advance()
}

// write writes buf and closes the queue if that fails. It is called, and returns, with mu held,
// but not while it writes.
func (o *output) write(buf []byte) {
	for len(buf) > 0 && o.closed == nil {
		part := buf[:min(len(buf), maxWrite)]
		o.mu.Unlock()
		n, err := o.conn.write(part, o.timeout)
		o.written.Add(int64(n))
		if err != nil {
			o.failed(err)
		}
		o.mu.Lock()
		if err != nil {
			o.shut(err)
		}
		buf = buf[len(part):]
		o.taken -= len(part)
		o.advance()
	}
	o.taken = 0
}

// shut closes the queue: what is in it is dropped, senders get err. It is called with mu held.
func (o *output) shut(err error) {
	if o.closed == nil {
		o.closed = err
		o.buf, o.held, o.heldSize = nil, nil, 0
		o.dirty.Store(false)
		o.advance()
	}
}

// close closes the queue after all that is in it has been written.
func (o *output) close(err error) {
	o.flush()
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.writing {
		progress := o.watch()
		o.mu.Unlock()
		<-progress
		o.mu.Lock()
	}
	o.shut(err)
}

// setFraming changes the framing of what is queued from now on.
func (o *output) setFraming(f framing.Framing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.framing = f
}

// messageSize estimates the encoded size of m in bytes.
func messageSize(m *Message) int {
	const envelope = 48
	return envelope + len(m.ID) + len(m.Method) + len(m.Params) + len(m.Result) + len(m.Error) +
		len(m.Extra)
}

func batchSize(ms []*Message) (n int) {
	for _, m := range ms {
		n += messageSize(m)
	}
	return n
}
