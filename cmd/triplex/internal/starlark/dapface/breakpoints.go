package dapface

import (
	"context"
	"fmt"
	"slices"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
	"triplex/host"
)

// The exception filters.
const (
	filterUncaught = "uncaught"
	filterRaised   = "raised"
)

// lockPoints keeps what the program says of its breakpoints back until the request in hand has
// been answered.
func (s *session) lockPoints(ctx context.Context) {
	s.points.mu.Lock()
	host.AfterReply(ctx, s.points.mu.Unlock)
}

// debuggee returns the run that breakpoints are set in. As long as there is none, it is one that
// never starts and is there to say where breakpoints would be; path is any of its files.
func (s *session) debuggee(path string) (*debugger.Run, error) {
	if v := s.current(); v != nil {
		return v.run.Run, nil
	}
	return debugger.New(debugger.Config{Program: path, Source: s.texts})
}

func (s *session) setBreakpoints(ctx context.Context, p *dap.SetBreakpointsArguments) (
	*dap.SetBreakpointsResponseBody, error,
) {
	path, err := s.files.of(&p.Source)
	if err != nil {
		return nil, err
	}
	wanted := p.Breakpoints
	if wanted == nil {
		for _, line := range p.Lines {
			wanted = append(wanted, dap.SourceBreakpoint{Line: line})
		}
	}
	places := s.places()
	want := make([]debugger.Breakpoint, len(wanted))
	for i, b := range wanted {
		want[i] = breakpoint(&b)
		want[i].Line, want[i].Column = places.line(b.Line), places.column(path, b.Line, b.Column)
	}
	s.lockPoints(ctx)
	run, err := s.debuggee(path)
	if err != nil {
		return nil, err
	}
	list := s.points.set(run, path, want)
	return &dap.SetBreakpointsResponseBody{Breakpoints: s.breakpoints(list)}, nil
}

// breakpoint returns what a client asks for, but for the place.
func breakpoint(b *dap.SourceBreakpoint) debugger.Breakpoint {
	return debugger.Breakpoint{
		Conditions: debugger.Conditions{
			Condition: dap.Or(b.Condition, ""), Hit: dap.Or(b.HitCondition, ""),
		},
		LogMessage: dap.Or(b.LogMessage, ""),
	}
}

func (s *session) setFunctionBreakpoints(
	ctx context.Context, p *dap.SetFunctionBreakpointsArguments,
) (*dap.SetFunctionBreakpointsResponseBody, error) {
	want := make([]debugger.FunctionBreakpoint, len(p.Breakpoints))
	for i, b := range p.Breakpoints {
		want[i].Name = b.Name
		want[i].Condition, want[i].Hit = dap.Or(b.Condition, ""), dap.Or(b.HitCondition, "")
	}
	s.lockPoints(ctx)
	run, err := s.debuggee("no program yet")
	if err != nil {
		return nil, err
	}
	list := s.points.setFunctions(run, want)
	return &dap.SetFunctionBreakpointsResponseBody{Breakpoints: s.breakpoints(list)}, nil
}

func (s *session) setExceptionBreakpoints(
	ctx context.Context, p *dap.SetExceptionBreakpointsArguments,
) (*dap.SetExceptionBreakpointsResponseBody, error) {
	names := slices.Clone(p.Filters)
	for _, option := range p.FilterOptions {
		names = append(names, option.FilterID)
	}
	var filters debugger.Filters
	res := new(dap.SetExceptionBreakpointsResponseBody)
	for _, name := range names {
		b := dap.Breakpoint{Verified: true}
		switch name {
		case filterUncaught:
			filters.Uncaught = true
		case filterRaised:
			filters.Raised = true
		default:
			b.Verified, b.Reason = false, new(dap.BreakpointReasonFailed)
			b.Message = new(fmt.Sprintf("unknown filter %q, want %s or %s",
				name, filterUncaught, filterRaised))
		}
		res.Breakpoints = append(res.Breakpoints, b)
	}
	s.lockPoints(ctx)
	s.points.filters = &filters
	if v := s.current(); v != nil {
		v.run.SetFilters(s.points.by, filters)
	}
	return res, nil
}

// breakpoints describes what became of the client's breakpoints.
func (s *session) breakpoints(list []*point) []dap.Breakpoint {
	shown := make([]dap.Breakpoint, len(list))
	places := s.places()
	for i, pt := range list {
		shown[i] = s.breakpoint(places, pt.status)
	}
	return shown
}

func (s *session) breakpoint(places *places, status debugger.BreakpointStatus) dap.Breakpoint {
	b := dap.Breakpoint{ID: &status.ID, Verified: status.Verified}
	if status.Message != "" {
		b.Message = &status.Message
	}
	if status.Path == "" {
		return b
	}
	b.Source = s.files.source(status.Path)
	line, column := places.show(status.Path, status.Line, status.Column)
	b.Line = &line
	if status.Column > 0 {
		b.Column = &column
	}
	return b
}

func (s *session) breakpointLocations(
	_ context.Context, p *dap.BreakpointLocationsArguments,
) (*dap.BreakpointLocationsResponseBody, error) {
	path, err := s.files.of(&p.Source)
	if err != nil {
		return nil, err
	}
	run, err := s.debuggee(path)
	if err != nil {
		return nil, err
	}
	places := s.places()
	end := dap.Or(p.EndLine, p.Line)
	found, err := run.Locations(path,
		debugger.Location{Line: places.line(p.Line), Column: places.column(path, p.Line, p.Column)},
		debugger.Location{Line: places.line(end), Column: places.column(path, end, p.EndColumn)})
	if err != nil {
		return nil, err
	}
	res := new(dap.BreakpointLocationsResponseBody)
	for _, at := range found {
		line, column := places.show(path, at.Line, at.Column)
		res.Breakpoints = append(res.Breakpoints, dap.BreakpointLocation{Line: line, Column: &column})
	}
	return res, nil
}
