package host

import (
	"sync/atomic"
	"time"

	"triplex/framing"
)

// counters are what a session counts of itself.
type counters struct {
	frames  atomic.Uint64
	damaged atomic.Uint64
	strays  atomic.Uint64
	errors  atomic.Uint64
	panics  atomic.Uint64
}

// Stats is a snapshot of what a session has done.
type Stats struct {
	Started   time.Time
	Mount     string          // empty as long as the session has not shown what it speaks
	Framing   framing.Framing // Auto as long as it is not known
	Frames    uint64          // read
	Requests  uint64          // admitted, answered or not
	Damaged   uint64          // frames that were no message
	Strays    uint64          // answers that nobody waited for
	Errors    uint64          // error answers
	Panics    uint64          // of handlers
	InFlight  int             // requests not yet answered
	QueuedIn  int             // bytes of memory of messages that wait for their turn
	QueuedOut int             // bytes not yet written
	BytesIn   int64
	BytesOut  int64
}

// Stats returns what the session has done so far.
func (s *Session) Stats() Stats {
	st := Stats{
		Started:  s.started,
		Frames:   s.counters.frames.Load(),
		Damaged:  s.counters.damaged.Load(),
		Strays:   s.counters.strays.Load(),
		Errors:   s.counters.errors.Load(),
		Panics:   s.counters.panics.Load(),
		BytesIn:  s.conn.read.Load(),
		BytesOut: s.out.written.Load(),
	}
	if b := s.bound.Load(); b != nil {
		st.Mount = b.set.Name()
	}
	s.mu.Lock()
	st.InFlight, st.Requests = len(s.inFlight), s.requests
	s.mu.Unlock()
	s.order.mu.Lock()
	st.QueuedIn = s.order.queued
	s.order.mu.Unlock()
	s.out.mu.Lock()
	st.QueuedOut, st.Framing = s.out.size()+s.out.heldSize, s.out.framing
	s.out.mu.Unlock()
	return st
}

// recordIn shows a frame to the host's recorder.
func (s *Session) recordIn(frame []byte, message bool) {
	if r := s.host.Recorder; r != nil {
		r.Record(s, true, frame, message)
	}
}
