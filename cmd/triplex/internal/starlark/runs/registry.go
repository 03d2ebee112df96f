// Package runs is where the sessions of a host find the Starlark programs that other sessions
// started: an editor can join the run of an agent, and an agent that of an editor.
package runs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// Max is how many programs a registry has running at one time.
const Max = 1000

// A Registry owns runs: a session that ends may leave its run behind, but none outlives the
// registry. The zero value is empty and ready to use. It is safe for concurrent use.
type Registry struct {
	work  sync.WaitGroup // what Go started
	meter debugger.Meter

	mu     sync.Mutex // guards the fields below
	last   int        // the last id given out
	runs   []*Run     // those that have ended among them, until somebody looks
	closed bool
}

// New makes a run that is ready to be started, for a client that calls itself by. Its files have
// the names of [Path]. At most [Max] may run at one time.
func (g *Registry) New(cfg debugger.Config, by string) (*Run, error) {
	cfg.Program = Path(cfg.Program)
	if cfg.Source != nil {
		cfg.Source = realSource{cfg.Source}
	}
	cfg.Meter = &g.meter
	run, err := debugger.New(cfg)
	if err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, errors.New("the host shuts down")
	}
	if len(g.live()) >= Max {
		return nil, fmt.Errorf("%d programs run already: end some of them first", Max)
	}
	g.last++
	r := &Run{
		Run: run, ID: strconv.Itoa(g.last), Program: cfg.Program, StartedBy: by, driver: by,
	}
	g.runs = append(g.runs, r)
	return r, nil
}

// Meter watches the memory for the runs. A program that shares it with them needs no run.
func (g *Registry) Meter() *debugger.Meter { return &g.meter }

// live forgets the runs that have ended and returns the others. It requires g.mu.
func (g *Registry) live() []*Run {
	g.runs = slices.DeleteFunc(g.runs, (*Run).ended)
	return g.runs
}

// List returns the runs that have not ended, in the order in which they were made.
func (g *Registry) List() []*Run {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.live())
}

// Find returns the run with an id, or, if the id is empty, the only one there is. The error lists
// those there are.
func (g *Registry) Find(id string) (*Run, error) {
	all := g.List()
	if id == "" && len(all) == 1 {
		return all[0], nil
	}
	for _, r := range all {
		if r.ID == id {
			return r, nil
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no program runs in this host")
	}
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.String()
	}
	choice := strings.Join(names, ", ")
	if id == "" {
		return nil, fmt.Errorf("name one of the programs that run: %s", choice)
	}
	return nil, fmt.Errorf("there is no run %q, but %s", id, choice)
}

// Reverify looks again at the breakpoints of a file whose text has changed, in all runs.
func (g *Registry) Reverify(name string) {
	for _, r := range g.List() {
		r.Reverify(Path(name))
	}
}

// Go runs f, which belongs to a run and ends with it, on a goroutine that Close waits for. It
// reports whether f was started: not after Close.
func (g *Registry) Go(f func()) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.work.Go(f)
	return true
}

// Close terminates all runs and waits for their end. No more can be made.
func (g *Registry) Close() {
	g.mu.Lock()
	g.closed = true
	all := g.live()
	g.mu.Unlock()
	for _, r := range all {
		r.Terminate()
	}
	for _, r := range all {
		<-r.Done()
	}
	g.work.Wait()
}
