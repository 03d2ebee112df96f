package debugger

import (
	"errors"
	"strconv"
	"sync/atomic"

	"go.starlark.net/starlark"
)

// A probe is the value that the hook before a statement asks, and calls when the answer is no.
// It is a Starlark value only for the interpreter: no program can get hold of it.
type probe struct {
	unit *unit
	stmt *statement
	// armed makes the hook call the probe. It is changed under Run.mu.
	armed atomic.Bool
	// points are the breakpoints set at the statement; the slice is replaced, never changed.
	points atomic.Pointer[[]*breakpoint]
}

func (p *probe) String() string        { return "probe " + strconv.Itoa(int(p.stmt.pos.Line)) }
func (p *probe) Type() string          { return "probe" }
func (p *probe) Name() string          { return "probe" }
func (p *probe) Freeze()               {}
func (p *probe) Hash() (uint32, error) { return 0, errors.New("unhashable type: probe") }

// Truth reports whether the probe has nothing to do.
func (p *probe) Truth() starlark.Bool { return starlark.Bool(!p.armed.Load()) }

// CallInternal is the slow half of the hook.
func (p *probe) CallInternal(thread *starlark.Thread, _ starlark.Tuple, _ []starlark.Tuple) (
	starlark.Value, error,
) {
	p.unit.exec.reached(thread, p)
	return starlark.None, nil
}

// arm sets whether the probe is called: if every probe is, or if it has breakpoints.
func (p *probe) arm(every bool) { p.armed.Store(every || p.points.Load() != nil) }

// calledCost is how many steps more the hook takes when it calls the probe.
const calledCost = 6

// A countedProbe also counts the steps its hook takes. It stands in for the probe in a program that
// has a step limit.
type countedProbe struct {
	*probe
	spent *atomic.Int64
}

// Truth is as the probe's, and counts.
func (p countedProbe) Truth() starlark.Bool {
	quiet := p.probe.Truth()
	cost := int64(p.stmt.cost)
	if !quiet {
		cost += calledCost
	}
	p.spent.Add(cost)
	return quiet
}
