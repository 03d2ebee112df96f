package mcpface

import (
	"context"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// A Breakpoint is what became of a line to stop at.
type Breakpoint struct {
	Line     int    `json:"line" jsonschema:"where it is, which may be below the line that was wanted"`
	Verified bool   `json:"verified" jsonschema:"whether the program will stop there"`
	Message  string `json:"message,omitempty" jsonschema:"why not"`
}

type breakpointsIn struct {
	sessionIn
	File  string `json:"file" jsonschema:"path, absolute or relative to a folder"`
	Lines []int  `json:"lines" jsonschema:"lines to stop at; none removes the breakpoints of the file"`
}

type breakpointsOut struct {
	Outcome
	Breakpoints []Breakpoint `json:"breakpoints,omitzero" jsonschema:"in the order of lines"`
}

// agents is what all agents together are called by a program where they set what stops it: they
// come and go, and each can take back what another has left.
const agents = "agents"

// maxBreakpoints is how many breakpoints a file may have.
const maxBreakpoints = 1000

func breakpoints(lines []int) ([]debugger.Breakpoint, error) {
	if len(lines) > maxBreakpoints {
		return nil, failf(codeArguments, "%d breakpoints are too many, want at most %d",
			len(lines), maxBreakpoints)
	}
	list := make([]debugger.Breakpoint, len(lines))
	for i, line := range lines {
		if line < 1 {
			return nil, failf(codeArguments, "breakpoint at line %d: lines count from 1", line)
		}
		list[i].Line = line
	}
	return list, nil
}

func shownBreakpoints(set []debugger.BreakpointStatus) []Breakpoint {
	list := make([]Breakpoint, len(set))
	for i, s := range set {
		list[i] = Breakpoint{s.Line, s.Verified, s.Message}
	}
	return list
}

func (c call) debugBreakpoints(
	_ context.Context, in breakpointsIn,
) (out breakpointsOut, err error) {
	of, err := c.session(in.sessionIn)
	if err != nil {
		return out, err
	}
	name, err := c.file(in.File)
	if err != nil {
		return out, err
	}
	want, err := breakpoints(in.Lines)
	if err != nil {
		return out, err
	}
	out.Breakpoints = shownBreakpoints(of.run.SetBreakpoints(agents, name, want))
	return out, nil
}
