package dapface

import (
	"maps"
	"sync"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
)

// A point is a breakpoint of a client. It keeps its id when the client's program is exchanged for
// another.
type point struct {
	id       int
	line     debugger.Breakpoint // if function is empty
	function debugger.FunctionBreakpoint
	status   debugger.BreakpointStatus // as the client was told
}

// points are what a client has set to stop programs, and how the client's program knows them.
type points struct {
	by string // what the client is called by the program, one name for each session

	// mu guards the fields below. A request that sets breakpoints holds it until it has been
	// answered, so that what the program says of them comes later.
	mu        sync.Mutex
	last      int // the last id given out
	lines     map[string][]*point
	functions []*point // nil if they were never set
	filters   *debugger.Filters
	byRun     map[int]*point // by the id the program knows them by
}

// A setter is what breakpoints are set in: a run.
type setter interface {
	SetBreakpoints(by, path string, want []debugger.Breakpoint) []debugger.BreakpointStatus
	SetFunctionBreakpoints(by string, want []debugger.FunctionBreakpoint) []debugger.BreakpointStatus
	SetFilters(by string, f debugger.Filters)
}

// adopt gives a run what the client has set so far, and calls then before anything else can be set.
// It returns the breakpoints that are no longer what the client was told.
func (p *points) adopt(run *runs.Run, then func() error) ([]debugger.BreakpointStatus, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byRun = nil
	var moved []debugger.BreakpointStatus
	for path, list := range p.lines {
		moved = append(moved, p.place(run, path, list)...)
	}
	if p.functions != nil {
		moved = append(moved, p.placeFunctions(run)...)
	}
	if p.filters != nil {
		run.SetFilters(p.by, *p.filters)
	}
	return moved, then()
}

// withdraw takes back from a run what the client has set.
func (p *points) withdraw(run *runs.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for path := range p.lines {
		run.SetBreakpoints(p.by, path, nil)
	}
	if p.functions != nil {
		run.SetFunctionBreakpoints(p.by, nil)
	}
	if p.filters != nil {
		run.SetFilters(p.by, debugger.Filters{})
	}
}

// set replaces the breakpoints of a file. It requires p.mu.
func (p *points) set(run setter, path string, want []debugger.Breakpoint) []*point {
	p.forget(p.lines[path])
	list := make([]*point, len(want))
	for i, w := range want {
		p.last++
		list[i] = &point{id: p.last, line: w}
	}
	if p.lines == nil {
		p.lines = make(map[string][]*point)
	}
	p.lines[path] = list
	if len(list) == 0 {
		delete(p.lines, path)
	}
	p.place(run, path, list)
	return list
}

// setFunctions replaces the function breakpoints. It requires p.mu.
func (p *points) setFunctions(run setter, want []debugger.FunctionBreakpoint) []*point {
	p.forget(p.functions)
	p.functions = make([]*point, len(want))
	for i, w := range want {
		p.last++
		p.functions[i] = &point{id: p.last, function: w}
	}
	p.placeFunctions(run)
	return p.functions
}

// place sets the breakpoints of a file in a run, and returns those whose status changed.
func (p *points) place(
	run setter, path string, list []*point,
) []debugger.BreakpointStatus {
	want := make([]debugger.Breakpoint, len(list))
	for i, pt := range list {
		want[i] = pt.line
	}
	return p.settle(list, run.SetBreakpoints(p.by, path, want))
}

func (p *points) placeFunctions(run setter) []debugger.BreakpointStatus {
	want := make([]debugger.FunctionBreakpoint, len(p.functions))
	for i, pt := range p.functions {
		want[i] = pt.function
	}
	return p.settle(p.functions, run.SetFunctionBreakpoints(p.by, want))
}

// settle notes what a run made of breakpoints, and returns those whose status changed.
func (p *points) settle(
	list []*point, statuses []debugger.BreakpointStatus,
) []debugger.BreakpointStatus {
	if p.byRun == nil {
		p.byRun = make(map[int]*point)
	}
	var moved []debugger.BreakpointStatus
	for i, pt := range list {
		p.byRun[statuses[i].ID] = pt
		if pt.update(statuses[i]) {
			moved = append(moved, pt.status)
		}
	}
	return moved
}

// update reports whether the status, but for the id, is another than the client was told.
func (pt *point) update(status debugger.BreakpointStatus) bool {
	status.ID = pt.id
	if status == pt.status {
		return false
	}
	pt.status = status
	return true
}

// forget drops breakpoints from those the run knows.
func (p *points) forget(list []*point) {
	for _, pt := range list {
		maps.DeleteFunc(p.byRun, func(_ int, known *point) bool { return known == pt })
	}
}

// changed notes a status that a run has changed. It returns the client's breakpoint as it is now,
// and false for one that is not the client's.
func (p *points) changed(status debugger.BreakpointStatus) (debugger.BreakpointStatus, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pt := p.byRun[status.ID]
	if pt == nil {
		return debugger.BreakpointStatus{}, false
	}
	pt.update(status)
	return pt.status, true
}

// stopsAtRaised reports whether the client wants to see every call of fail.
func (p *points) stopsAtRaised() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.filters != nil && p.filters.Raised
}

// hits returns the client's ids of those breakpoints of a run that are the client's.
func (p *points) hits(ids []int) []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var own []int
	for _, id := range ids {
		if pt := p.byRun[id]; pt != nil {
			own = append(own, pt.id)
		}
	}
	return own
}
