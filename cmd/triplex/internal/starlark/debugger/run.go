package debugger

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
)

// Errors that callers tell apart.
var (
	// ErrNotStopped is the error of what can only be done while the program stands still.
	ErrNotStopped = errors.New("the program is not stopped")
	// ErrNotRunning is the error of what can only be done to a program that runs.
	ErrNotRunning = errors.New("the program is not running")
	// ErrNoDebug is the error of stopping a program that was started without debugging.
	ErrNoDebug = errors.New("the program runs without debugging")
	// ErrTerminated is how a program ends that a client terminates.
	ErrTerminated = errors.New("terminated")
)

// A Phase is where a Run is in its life: ready, then running and stopped in turns, then ended.
type Phase int

// The phases of a Run.
const (
	PhaseReady Phase = iota
	PhaseRunning
	PhaseStopped
	PhaseEnded
)

func (p Phase) String() string {
	return [...]string{"ready", "running", "stopped", "ended"}[p]
}

// A Run is one program being debugged. All its methods may be called at any time and from any
// goroutine; several clients may share it. Its goroutine ends when the program does: whoever starts
// a Run must see to it that it is terminated, and may wait for Done.
type Run struct {
	cfg  Config
	done chan struct{}
	// gate is held (it has one place) by whoever looks into the stopped program, and by the
	// program when it goes on. It is taken before mu.
	gate    chan struct{}
	lastRef int // the last frame id or variables reference given out; guarded by gate
	// lasting are what references refer to that do not end with their stop; guarded by gate.
	lasting []*variables

	mu        sync.Mutex // guards the fields below, is never held while waiting
	phase     Phase
	stop      *stopped // the present stop, if phase is PhaseStopped
	result    Result   // if phase is PhaseEnded
	exec      *execution
	ending    bool // Terminate was called
	observers map[*Observer]bool
	points    breakpoints
}

// New returns a Run that is ready to be observed, given breakpoints, and started.
func New(cfg Config) (*Run, error) {
	cfg, err := cfg.check()
	if err != nil {
		return nil, fmt.Errorf("debug: %w", err)
	}
	r := &Run{
		cfg:       cfg,
		done:      make(chan struct{}),
		gate:      make(chan struct{}, 1),
		observers: make(map[*Observer]bool),
	}
	return r, nil
}

// Start runs the program. It may be called once, and not after Terminate.
func (r *Run) Start() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != PhaseReady {
		return fmt.Errorf("start: the program is %v", r.phase)
	}
	r.phase = PhaseRunning
	r.exec = newExecution(r)
	go r.loop(r.exec)
	return nil
}

// loop is the goroutine of the program. It ends with it, by itself or after Terminate.
func (r *Run) loop(e *execution) {
	for e != nil {
		e = r.play(e)
	}
	close(r.done)
}

// play runs an execution to its end, and returns the next one if a restart was asked for.
func (r *Run) play(e *execution) *execution {
	meter := r.cfg.Meter
	meter.enter(e.charged)
	result := e.execute()
	meter.leave(e.charged)
	next := r.finish(e, result)
	if next == nil {
		r.release(e)
	}
	meter.finish(e.charged)
	return next
}

// release lets go of what clients could look at: nobody can any more.
func (r *Run) release(e *execution) {
	r.gate <- struct{}{}
	defer func() { <-r.gate }()
	r.lasting, e.repl = nil, nil
}

// finish ends an execution, and returns the next one if a restart was asked for.
func (r *Run) finish(e *execution, result Result) *execution {
	e.cancel(nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.restart && !r.ending {
		r.exec = newExecution(r)
		r.exec.entering = r.exec.entering || e.restartStopped
		if e.pausing.Load() { // it was promised, and e did not get to it
			r.exec.pausing.Store(true)
			r.exec.attend(true)
		}
		r.points.forget()
		r.publish(Restarted{})
		return r.exec
	}
	r.end(result)
	return nil
}

// end requires r.mu.
func (r *Run) end(result Result) {
	r.phase, r.result = PhaseEnded, result
	r.points = breakpoints{lastID: r.points.lastID} // their conditions hold values
	r.publish(Ended{result})
	for o := range r.observers {
		o.end(io.EOF)
	}
}

// publish tells the observers, without waiting for them. It requires r.mu.
func (r *Run) publish(ev Event) {
	for o := range r.observers {
		if !o.add(ev) {
			delete(r.observers, o)
		}
	}
}

// Done is closed when the program has ended.
func (r *Run) Done() <-chan struct{} { return r.done }

// A State is a snapshot of a Run.
type State struct {
	Phase  Phase
	Stop   Stop   // if Phase is PhaseStopped
	Result Result // if Phase is PhaseEnded
}

// State returns the present state.
func (r *Run) State() State {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := State{Phase: r.phase, Result: r.result}
	if r.stop != nil {
		s.Stop = r.stop.info
	}
	return s
}

// ThreadID is the id of the one thread of a program.
const ThreadID = 1

// A Thread is a thread of a program.
type Thread struct {
	ID   int
	Name string
}

// Threads returns the threads of the program: one until it has ended, then none.
func (r *Run) Threads() []Thread {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == PhaseEnded {
		return nil
	}
	return []Thread{{ThreadID, filepath.Base(r.cfg.Program)}}
}

// A Resume says how a stopped program goes on, and who says so.
type Resume struct {
	Move Move
	// Target, with StepIn, is the id of the call to step into, from StepInTargets; zero steps into
	// the first call there is.
	Target int
	// By is handed to the observers in Continued.
	By string
}

// Resume makes the stopped program go on. References to frames and variables end with it, and an
// evaluation that still runs is cancelled.
func (r *Run) Resume(how Resume) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.stop
	if s == nil {
		return ErrNotStopped
	}
	if how.Move < Continue || how.Move > StepOut {
		return fmt.Errorf("unknown move %d", how.Move)
	}
	if err := s.aim(how); err != nil {
		return err
	}
	r.leave(s)
	r.publish(Continued{how.By})
	s.resume <- how.Move
	return nil
}

// leave ends the present stop. It requires r.mu.
func (r *Run) leave(s *stopped) {
	s.cancel()
	r.stop = nil
	r.phase = PhaseRunning
}

// Pause stops the running program at its next statement, or within a few thousand steps of the
// interpreter if it reaches none. A built-in function that does not return is not interrupted.
func (r *Run) Pause() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.cfg.NoDebug:
		return ErrNoDebug
	case r.phase != PhaseRunning:
		return ErrNotRunning
	}
	r.exec.pausing.Store(true)
	r.exec.attend(true)
	return nil
}

// Terminate ends the program, in whatever phase it is. It does not wait for the end, which comes
// at once unless a built-in function does not return.
func (r *Run) Terminate() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ending = true
	switch r.phase {
	case PhaseReady:
		r.end(failed(ErrTerminated))
		close(r.done)
	case PhaseRunning, PhaseStopped:
		r.interrupt(ErrTerminated)
	}
}

// Restart ends the program and begins anew, with the text the files have by then. Breakpoints and
// observers stay.
func (r *Run) Restart() error { return r.again(false) }

// RestartStopped does as Restart does, and stops before the first statement.
func (r *Run) RestartStopped() error { return r.again(true) }

func (r *Run) again(stop bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == PhaseReady || r.phase == PhaseEnded {
		return fmt.Errorf("restart: the program is %v", r.phase)
	}
	r.exec.restart, r.exec.restartStopped = true, stop
	r.interrupt(errRestarted)
	return nil
}

// errRestarted is how an execution ends that another one follows.
var errRestarted = errors.New("restarted")

// exceed ends an execution that takes more memory than it may.
func (r *Run) exceed(e *execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.exec == e && r.phase != PhaseEnded {
		r.interrupt(memoryError(r.cfg.MaxMemory))
	}
}

// interrupt ends the execution. The context goes first: it tells the program's goroutine that the
// error is none of the program's. It requires r.mu.
func (r *Run) interrupt(why error) {
	r.exec.cancel(why)
	r.exec.thread.Cancel(why.Error())
	if r.stop != nil {
		r.leave(r.stop)
	}
}
