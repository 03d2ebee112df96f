package host

import (
	"errors"
	"io"
	"sync/atomic"

	"triplex/framing"
)

// role is the reader's role of a session: a lock that is handed on without waking anybody.
//
// Its holder reads frames. Before it runs a handler, or writes, it gives the role up and makes
// sure that a successor is runnable: a goroutine that takes the role if it finds it free. Then it
// goes on, and tries to take the role back afterwards. If the handler parks, the Go scheduler
// runs the successor, so reading never waits for a handler; if the handler returns at once, the
// role comes back and no other goroutine had to be woken for it. A free role always has a
// successor pending.
type role struct {
	state     atomic.Int32
	successor atomic.Bool // one is on its way
}

const (
	roleFree    int32 = iota
	roleActive        // the holder sees to what is queued for output before it blocks
	roleReading       // the holder is, or is about to be, blocked in a read
	roleOver          // there is nothing more to read
)

// start begins reading. A session that has no choice of mounts opens its one at once.
func (s *Session) start() {
	if s.limits.IdleTimeout > 0 {
		s.watchIdle(0, 0)
	}
	if mounts := s.host.Mounts; len(mounts) == 1 {
		s.spawn(s.bind(mounts[0]))
	}
	s.yieldRole()
	s.beginning()
}

// yieldRole gives the role up to whoever runs first.
func (s *Session) yieldRole() {
	s.role.state.Store(roleFree)
	if s.role.successor.CompareAndSwap(false, true) {
		s.work.Add(1)
		go s.succeed()
	}
}

// succeed is the successor's goroutine.
func (s *Session) succeed() {
	defer s.work.Done()
	s.role.successor.Store(false)
	s.read()
}

// read takes the role, if it is free, and reads until somebody else has it.
func (s *Session) read() {
	for s.role.state.CompareAndSwap(roleFree, roleActive) {
		in := s.readMessage()
		if in == nil {
			return
		}
		more := s.in.Ready()
		s.yieldRole()
		s.run(in)
		if !more {
			s.out.flush()
		}
	}
}

// readMessage reads until there is a message to handle. It returns nil if there will be none: the
// role is not the caller's any more then.
func (s *Session) readMessage() *incoming {
	for {
		if !s.flushBeforeRead() {
			return nil
		}
		frame, err := s.in.Next()
		s.role.state.Store(roleActive)
		if s.stopped.Load() {
			s.readNoMore()
			return nil
		}
		if err != nil {
			if !s.readError(err) {
				return nil
			}
			continue
		}
		if in := s.accept(frame); in != nil {
			return in
		}
	}
}

// flushBeforeRead writes what is queued before the holder of the role blocks in a read. It
// reports whether the caller still has the role.
func (s *Session) flushBeforeRead() bool {
	if s.in.Ready() {
		return true
	}
	for {
		s.role.state.Store(roleReading)
		// From here on others flush for themselves. What they queued before they could see that
		// is seen here.
		if !s.out.dirty.Load() {
			return true
		}
		s.yieldRole()
		s.out.flush()
		if !s.role.state.CompareAndSwap(roleFree, roleActive) {
			return false
		}
	}
}

// flushUnlessRead writes what is queued, unless the holder of the reader's role will: it does so
// before it blocks, and can write several answers at once.
func (s *Session) flushUnlessRead() {
	if state := s.role.state.Load(); state == roleReading || state == roleOver {
		s.out.flush()
	}
}

// readError deals with what the framing could not read. It reports whether reading goes on.
func (s *Session) readError(err error) bool {
	var damage *framing.Error
	if errors.As(err, &damage) {
		s.counters.damaged.Add(1)
		s.damaged(damage)
		if !damage.Fatal {
			return true
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	s.inputEnded(err) // before a write that the peer may never let go on
	s.readNoMore()
	return false
}

// readNoMore ends the role. From now on those who queue output write it.
func (s *Session) readNoMore() {
	s.role.state.Store(roleOver)
	s.out.flush()
}
