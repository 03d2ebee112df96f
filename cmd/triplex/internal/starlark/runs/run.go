package runs

import (
	"fmt"
	"path/filepath"
	"sync"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// A Run is a program that several clients may look at and drive. It is safe for concurrent use.
type Run struct {
	*debugger.Run
	// ID names the run in its registry.
	ID string
	// Program is the path of the file that runs.
	Program string
	// StartedBy is what the client called itself that started the run.
	StartedBy string

	mu      sync.Mutex // guards the fields below
	clients int
	driver  string
}

// Join notes one more client, which calls Leave when it is done.
func (r *Run) Join() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.clients++
}

// Leave notes that a client is gone. A program that nobody looks at any more is not left standing:
// it goes on, to its end or to what else it has been told to stop at.
func (r *Run) Leave() {
	r.mu.Lock()
	r.clients--
	alone := r.clients == 0
	r.mu.Unlock()
	if alone {
		// The error is that it does not stand still.
		_ = r.Run.Resume(debugger.Resume{Move: debugger.Continue})
	}
}

// Resume makes the stopped program go on, as [debugger.Run.Resume] does. Who says so drives from
// then on.
func (r *Run) Resume(how debugger.Resume) error {
	if err := r.Run.Resume(how); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.driver = how.By
	return nil
}

// Driver is what the client called itself that made the program go on last, or started it.
func (r *Run) Driver() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.driver
}

// String describes the run for people who look for it.
func (r *Run) String() string {
	return fmt.Sprintf("%s (%s, %v, started by %s)",
		r.ID, filepath.Base(r.Program), r.State().Phase, r.StartedBy)
}

func (r *Run) ended() bool { return r.State().Phase == debugger.PhaseEnded }
