package debugger

import (
	"context"
	"errors"
	"io"
	"sync"
)

// Bounds of what an observer may leave unread. Output waits below these bounds; other events never
// wait, and an observer that lets them pile up is detached.
const (
	maxQueuedEvents = 256
	maxQueuedBytes  = 1 << 20
	detachAt        = 4 * maxQueuedEvents
)

// ErrDetached is what an observer reads that was detached because it did not keep up.
var ErrDetached = errors.New("observer did not read its events and was detached")

// An Observer receives the events of a Run, all of them and in order. A program that prints faster
// than an observer reads is held back, so an observer must either read or be closed. Its methods
// are safe for concurrent use.
type Observer struct {
	run *Run
	// ready and room each hold a token when there is something to read, and room to write.
	ready, room chan struct{}

	mu     sync.Mutex // guards the fields below
	queue  []Event
	bytes  int   // of the output in queue
	closed error // nil while events may come; what to read after the queue
}

// Observe returns a new observer. If the program is stopped or has ended, the observer's first
// event says so. The caller must close it.
func (r *Run) Observe() *Observer {
	o := &Observer{run: r, ready: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.observers[o] = true
	switch {
	case r.phase == PhaseStopped:
		o.add(Stopped{r.stop.info})
	case r.phase == PhaseEnded:
		o.add(Ended{r.result})
		o.end(io.EOF)
	}
	return o
}

// Next returns the next event, waiting for it if it must. After Ended, and after Close, the error
// is io.EOF.
func (o *Observer) Next(ctx context.Context) (Event, error) {
	for {
		if ev, ok, err := o.take(); ok || err != nil {
			return ev, err
		}
		select {
		case <-o.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Close detaches the observer. It may be called twice.
func (o *Observer) Close() {
	o.run.mu.Lock()
	delete(o.run.observers, o)
	o.run.mu.Unlock()
	o.mu.Lock()
	o.queue, o.bytes = nil, 0
	o.mu.Unlock()
	o.end(io.EOF)
}

func (o *Observer) take() (Event, bool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		if o.closed != nil {
			signal(o.ready) // for the other readers
		}
		return nil, false, o.closed
	}
	ev := o.queue[0]
	o.queue[0] = nil
	o.queue = o.queue[1:]
	o.bytes -= size(ev)
	if len(o.queue) > 0 {
		signal(o.ready)
	}
	signal(o.room)
	return ev, true, nil
}

// add appends an event without waiting, and reports whether there was room for it. Without room
// the observer is detached.
func (o *Observer) add(ev Event) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed != nil {
		return true
	}
	if len(o.queue) >= detachAt {
		o.closed = ErrDetached
		signal(o.room)
		return false
	}
	o.push(ev)
	return true
}

// wait appends an event once there is room for it, or drops it when ctx ends.
func (o *Observer) wait(ctx context.Context, ev Event) {
	for !o.tryAdd(ev) {
		select {
		case <-o.room:
		case <-ctx.Done():
			return
		}
	}
}

func (o *Observer) tryAdd(ev Event) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed != nil {
		return true
	}
	full := len(o.queue) >= maxQueuedEvents || o.bytes+size(ev) > maxQueuedBytes
	if full && len(o.queue) > 0 {
		return false
	}
	o.push(ev)
	return true
}

// push requires o.mu.
func (o *Observer) push(ev Event) {
	o.queue = append(o.queue, ev)
	o.bytes += size(ev)
	signal(o.ready)
}

// end makes the observer's readers get err once they have read the queue.
func (o *Observer) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed == nil {
		o.closed = err
	}
	signal(o.ready)
	signal(o.room)
}

func size(ev Event) int {
	if out, ok := ev.(Output); ok {
		return len(out.Text)
	}
	return 0
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
