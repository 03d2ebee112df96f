package debugger

import (
	"context"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A stopped is a program that stands still. What has no other rule is set before anyone else sees
// the stop, and does not change.
type stopped struct {
	exec   *execution
	info   Stop
	ctx    context.Context // ends with the stop
	cancel context.CancelFunc
	resume chan Move // has room for the one answer

	// hidden is how many frames at the top of the thread's stack are not the program's.
	hidden int
	pos    syntax.Position
	// err is the error at which the program stands, and trace its frames if they are gone.
	err   error
	trace starlark.CallStack

	target syntax.Position // of the call to step into; guarded by Run.mu

	// Guarded by Run.gate. References are above base: first the frames, from the top, then
	// the variables.
	base int
	refs []*variables
}

// newStop describes a stop at pos, with so many frames hidden.
func (e *execution) newStop(reason Reason, hidden int, pos syntax.Position) *stopped {
	s := &stopped{exec: e, hidden: hidden, pos: pos, resume: make(chan Move, 1)}
	s.info = Stop{
		Reason: reason,
		Path:   pos.Filename(),
		Line:   int(pos.Line),
		Column: int(pos.Col),
	}
	s.ctx, s.cancel = context.WithCancel(e.ctx)
	return s
}

// reached is called when the program is about to run a statement whose probe is armed.
func (e *execution) reached(thread *starlark.Thread, p *probe) {
	if thread != e.thread {
		return
	}
	depth := thread.CallStackDepth()
	stepped := e.step.reached(depth-1, p.stmt.entry, func() syntax.Position {
		return thread.CallFrame(depth - e.step.depth).Pos
	})
	hits, function := e.due(p)
	reason := ReasonPause
	switch {
	case stepped && e.entering:
		reason = ReasonEntry
	case len(hits) > 0 && function:
		reason = ReasonFunction
	case len(hits) > 0:
		reason = ReasonBreakpoint
	case stepped:
		reason = ReasonStep
	case !e.pausing.Load():
		return
	}
	s := e.newStop(reason, 1, p.stmt.pos)
	s.info.Hits = hits
	e.halt(s)
}

// halt makes the program stand still until a client makes it go on or ends it.
func (e *execution) halt(s *stopped) {
	r := e.run
	defer s.cancel()
	if !e.announce(s) {
		return
	}
	move := Continue
	r.cfg.Meter.leave(e.charged)
	defer r.cfg.Meter.enter(e.charged)
	select {
	case move = <-s.resume:
	case <-e.ctx.Done():
	}
	// Whoever still looks into the program must be done before it moves.
	r.gate <- struct{}{}
	r.lastRef = s.base + s.depth() + len(s.refs)
	<-r.gate

	r.mu.Lock()
	defer r.mu.Unlock()
	e.step.begin(move, s.depth(), s.target)
	e.attend(move != Continue || e.pausing.Load())
}

// announce makes the stop known, unless the program is to end.
func (e *execution) announce(s *stopped) bool {
	r := e.run
	e.entering, e.ticked = false, false
	r.gate <- struct{}{}
	if s.base = r.lastRef; s.base > maxRef {
		s.base = 0
	}
	<-r.gate
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.ctx.Err() != nil {
		return false
	}
	e.pausing.Store(false)
	r.phase, r.stop = PhaseStopped, s
	r.publish(Stopped{s.info})
	return true
}

// References that end with their stop start again from one above maxRef, those that last begin at
// firstLasting: clients hold them in 31 bits.
const (
	maxRef       = 1 << 30
	firstLasting = 3 << 29
)

// inspect calls f with the present stop, and keeps the program where it is until f returns. What f
// evaluates or shows may panic: that is an error.
func (r *Run) inspect(ctx context.Context, f func(*stopped) error) error {
	select {
	case r.gate <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-r.gate }()
	r.mu.Lock()
	s := r.stop
	r.mu.Unlock()
	if s == nil {
		return ErrNotStopped
	}
	return contain(func() error { return f(s) })
}

// depth is how many frames the program has.
func (s *stopped) depth() int {
	if s.trace != nil {
		return len(s.trace)
	}
	return s.exec.thread.CallStackDepth() - s.hidden
}

// aim notes which call the next step goes into. It requires run.mu.
func (s *stopped) aim(how Resume) error {
	if how.Target == 0 {
		return nil
	}
	calls := s.calls()
	if how.Move != StepIn || how.Target < 0 || how.Target > len(calls) {
		return fmt.Errorf("no call with target id %d to step into here", how.Target)
	}
	s.target = calls[how.Target-1].Lparen
	return nil
}
