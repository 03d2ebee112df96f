package host

import (
	"context"
	"fmt"
	"time"
)

// errInputOver is what calls get when the peer has ended its side: no answer can come.
var errInputOver = fmt.Errorf("%w: the peer has ended its output", ErrClosed)

// grace is what handlers get, after their context has ended, to return, and what a peer gets at
// least, at the end, to read.
const grace = time.Second

// inputEnded ends the session because there is nothing more to read: what is in flight is
// drained. err is why, nil for a clean end of input.
func (s *Session) inputEnded(err error) {
	if err == nil {
		s.calls.close(errInputOver)
	}
	s.beginEnd(err, !s.dialect().CancelAtEOF)
}

// end ends the session in order: what is in flight is cancelled and answered, and what waits is not
// handled any more.
func (s *Session) end() {
	s.cancel(s.endCause())
	s.beginEnd(nil, false)
}

// End ends the session in order: reading stops, requests in flight are drained as at the end of
// input, what is queued is written, then the stream is closed. It does not wait: see
// [Session.Done].
func (s *Session) End() { s.beginEnd(nil, true) }

// Close implements [jsonrpc2.JSONRPC2]: it ends the session at once. What is queued for output is
// lost. It does not wait, see [Session.Done]. Closing a session again does nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	s.shut = true
	s.mu.Unlock()
	s.cancel(s.endCause())
	err := s.conn.Close()
	s.beginEnd(nil, false)
	return err
}

// endCause is the error that says why the session has ended.
func (s *Session) endCause() error {
	if err := s.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return ErrClosed
}

// beginEnd starts the session's end, once.
func (s *Session) beginEnd(cause error, drain bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil && !s.ending {
		s.cause = cause
	}
	if s.ending {
		return
	}
	s.ending, s.drain = true, drain
	close(s.closing)
	if s.begun {
		go s.finishSession(drain)
	}
}

// beginning notes that the session has started. One that was told to end before that ends now.
func (s *Session) beginning() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = true
	if s.ending {
		go s.finishSession(s.drain)
	}
}

// finishSession takes the session down, from the work to the stream, and waits for all that
// belongs to it. Every step is bounded in time.
func (s *Session) finishSession(drain bool) {
	defer close(s.done)
	s.conn.hurry(min(s.limits.WriteTimeout, max(s.limits.DrainTimeout, grace)))
	s.stopReading()
	s.calls.close(s.endCause())
	s.endForwarded()
	if drain {
		s.awaitWork(s.limits.DrainTimeout, s.ctx.Done())
	}
	s.cancel(s.endCause())
	s.awaitWork(grace, nil)
	s.calls.closeForwarded()
	s.answerAbandoned()
	s.closeHandler()
	s.out.close(s.endCause())
	s.conn.linger()
	s.awaitGoroutines()
	s.host.forget(s)
}

// stopReading makes the reader return; what it reads from now on is not accepted any more.
func (s *Session) stopReading() {
	s.stopped.Store(true)
	s.conn.interrupt()
}

// awaitWork waits until every message has been handled, at most for limit, and at most until enough
// is closed.
func (s *Session) awaitWork(limit time.Duration, enough <-chan struct{}) {
	s.mu.Lock()
	if s.active == 0 {
		s.mu.Unlock()
		return
	}
	if s.drained == nil {
		s.drained = make(chan struct{})
	}
	drained := s.drained
	s.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-drained:
	case <-enough:
	case <-timer.C:
	}
}

// answerAbandoned answers the requests whose handlers do not return, and those that wait behind
// such a handler.
func (s *Session) answerAbandoned() {
	s.mu.Lock()
	var abandoned []*incoming
	for _, in := range s.inFlight {
		abandoned = append(abandoned, in)
	}
	s.mu.Unlock()
	for _, in := range abandoned {
		if s.begin(in) {
			s.withdraw(in, context.Canceled)
			continue
		}
		s.log.Warn("handler ignores the end of its session", "method", in.req.Method)
		s.answerFor(in, context.Canceled)
	}
}

// closeHandler tells the plug-in that its session is over, if it has been opened. If it is opened
// later, it is told then.
func (s *Session) closeHandler() {
	b := s.bound.Load()
	if b == nil || b.stage.Swap(stageClosed) != stageOpen {
		return
	}
	if !within(grace, func() { s.tellEnd(b.plugin) }) {
		s.log.Error("the plug-in takes too long to close", "mount", b.set.Name())
	}
}

func (s *Session) tellEnd(h Handler) {
	if c, ok := h.(interface{ Close(cause error) }); ok {
		s.guard("Close", func() { c.Close(s.Err()) })
	}
}

// within reports whether f returned before limit was over. Otherwise f goes on.
func within(limit time.Duration, f func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// awaitGoroutines waits for the session's goroutines, but not for ever.
func (s *Session) awaitGoroutines() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	if !within(grace, s.work.Wait) {
		s.log.Error("session ended, but goroutines of its plug-in go on")
	}
}

// skipPatience is how long a peer may pause inside a message that is skipped for its size.
const skipPatience = 2 * time.Second

// watchSkip ends the session if the peer announced a message that is too long, and then does not
// send it: there would be no telling where the next message begins. end is the number of bytes
// that have been read when the message is over.
func (s *Session) watchSkip(end int64) {
	last := s.conn.read.Load()
	time.AfterFunc(skipPatience, func() {
		switch now := s.conn.read.Load(); {
		case now >= end || s.ctx.Err() != nil:
		case now > last:
			s.watchSkip(end)
		default:
			s.inputEnded(fmt.Errorf("the rest of an over-long message did not come within %s",
				skipPatience))
		}
	})
}

// watchIdle ends the session when nothing has happened for the idle timeout. It looks four times
// in that time, which costs the messages themselves nothing.
func (s *Session) watchIdle(quiet int, last int64) {
	time.AfterFunc(s.limits.IdleTimeout/4, func() {
		now := s.conn.read.Load() + s.out.written.Load()
		s.mu.Lock()
		busy, over := s.active > 0, s.ending
		s.mu.Unlock()
		switch {
		case over:
		case busy || now != last:
			s.watchIdle(0, now)
		case quiet == 3:
			s.beginEnd(fmt.Errorf("idle for %s (--idle-timeout)", s.limits.IdleTimeout), true)
		default:
			s.watchIdle(quiet+1, now)
		}
	})
}
