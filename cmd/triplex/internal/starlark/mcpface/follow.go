package mcpface

import (
	"context"
	"sync"
	"time"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
)

// idleTime is how long a run stays followed that no agent asks about: agents leave without saying
// so.
const idleTime = 30 * time.Minute

// followers read the events of the runs that agents use: between their calls nobody else would. The
// zero value is empty. It is safe for concurrent use.
type followers struct {
	mu  sync.Mutex // guards the field below
	all map[*runs.Run]*follower
}

// of returns the follower of a run, a new one if there is none yet.
func (fs *followers) of(run *runs.Run, registry *runs.Registry) (*follower, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f := fs.all[run]; f != nil {
		f.idle.Reset(idleTime)
		return f, nil
	}
	f := &follower{run: run, events: run.Observe(), changed: make(chan struct{})}
	f.idle = time.AfterFunc(idleTime, f.events.Close)
	if fs.all == nil {
		fs.all = make(map[*runs.Run]*follower)
	}
	fs.all[run] = f
	run.Join()
	if !registry.Go(func() { f.follow(); fs.drop(f) }) {
		delete(fs.all, run)
		f.leave()
		return nil, failf(codeState, "the host shuts down")
	}
	return f, nil
}

func (fs *followers) drop(f *follower) {
	fs.mu.Lock()
	delete(fs.all, f.run)
	fs.mu.Unlock()
	f.leave()
}

// A follower knows what a run has done, from its events. It is safe for concurrent use.
type follower struct {
	run    *runs.Run
	events *debugger.Observer
	idle   *time.Timer

	mu      sync.Mutex // guards the fields below
	phase   debugger.Phase
	moves   int    // how often the phase has changed
	output  []byte // what nobody was told yet, the end of it
	dropped int    // how many bytes of it are lost
	changed chan struct{}
}

// follow reads events until the program has ended or nobody asks about it any more.
func (f *follower) follow() {
	for {
		ev, err := f.events.Next(context.Background())
		if err != nil {
			return
		}
		f.note(ev)
	}
}

func (f *follower) leave() {
	f.idle.Stop()
	f.events.Close()
	f.run.Leave()
}

func (f *follower) note(ev debugger.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch ev := ev.(type) {
	case debugger.Output:
		f.print(ev.Text)
		return
	case debugger.Stopped:
		f.phase = debugger.PhaseStopped
	case debugger.Continued, debugger.Restarted:
		f.phase = debugger.PhaseRunning
	case debugger.Ended:
		f.phase = debugger.PhaseEnded
	default:
		return
	}
	f.moves++
	close(f.changed)
	f.changed = make(chan struct{})
}

// print keeps the end of the output. It requires f.mu.
func (f *follower) print(text string) {
	f.output = append(f.output, text...)
	if more := len(f.output) - defaultOutput; more > 0 {
		f.output = append(f.output[:0], f.output[more:]...)
		f.dropped += more
	}
}

// take returns the output since the last call, and how many bytes before it are lost.
func (f *follower) take() (output string, dropped int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	output, dropped = string(f.output), f.dropped
	f.output, f.dropped = nil, 0
	return output, dropped
}

// now returns the phase of the program and how many there have been, as far as the events tell, and
// what is closed when that changes.
func (f *follower) now() (phase debugger.Phase, moves int, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.phase, f.moves, f.changed
}

// await waits until the program stands still, or has ended, after more than so many moves. It
// reports whether it does when the context ends.
func (f *follower) await(ctx context.Context, after int) bool {
	for {
		phase, moves, changed := f.now()
		still := phase == debugger.PhaseStopped || phase == debugger.PhaseEnded
		if still && moves > after {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// resume makes the stopped program go on, and returns the number of moves before.
func (f *follower) resume(ctx context.Context, how debugger.Resume) (int, error) {
	if f.run.State().Phase == debugger.PhaseStopped {
		f.await(ctx, 0) // the event of this stop may be still to come
	}
	_, moves, _ := f.now()
	return moves, f.run.Resume(how)
}
