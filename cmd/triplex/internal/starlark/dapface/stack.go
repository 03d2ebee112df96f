package dapface

import (
	"context"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
)

// stoppedProgram returns the program to look into, if there is one. Whether it stands still is for
// the program to say.
func (s *session) stoppedProgram() (*view, error) {
	v := s.current()
	if v == nil {
		return nil, debugger.ErrNotStopped
	}
	return v, nil
}

func (s *session) stackTrace(ctx context.Context, p *dap.StackTraceArguments) (
	*dap.StackTraceResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	start := max(dap.Or(p.StartFrame, 0), 0)
	frames, total, err := v.run.Frames(ctx, start, dap.Or(p.Levels, 0))
	if err != nil {
		return nil, err
	}
	res := &dap.StackTraceResponseBody{TotalFrames: &total}
	places := s.places()
	for i, f := range frames {
		frame := s.frame(places, f)
		frame.CanRestart = new(start+i == total-1)
		res.StackFrames = append(res.StackFrames, frame)
	}
	return res, nil
}

func (s *session) frame(places *places, f debugger.Frame) dap.StackFrame {
	frame := dap.StackFrame{ID: f.ID, Name: f.Name}
	if f.Path == "" {
		frame.PresentationHint = new(dap.StackFrameRenderingSubtle)
		return frame
	}
	frame.Source = s.files.source(f.Path)
	frame.Line, frame.Column = places.show(f.Path, f.Line, f.Column)
	frame.ModuleID = new(dap.ModuleName(f.Path))
	return frame
}

func (s *session) scopes(ctx context.Context, p *dap.ScopesArguments) (
	*dap.ScopesResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	found, err := v.run.Scopes(ctx, p.FrameID)
	if err != nil {
		return nil, err
	}
	res := new(dap.ScopesResponseBody)
	for _, scope := range found {
		shown := dap.Scope{
			Name:               scope.Name,
			VariablesReference: scope.Ref,
			NamedVariables:     s.count(scope.Named),
			Expensive:          scope.Name == "Predeclared",
		}
		if scope.Name == "Locals" {
			shown.PresentationHint = new(dap.ScopeRenderingLocals)
		}
		res.Scopes = append(res.Scopes, shown)
	}
	return res, nil
}

func (s *session) exceptionInfo(ctx context.Context, _ *dap.ExceptionInfoArguments) (
	*dap.ExceptionInfoResponseBody, error,
) {
	v, err := s.stoppedProgram()
	if err != nil {
		return nil, err
	}
	x, err := v.run.Exception(ctx)
	if err != nil {
		return nil, err
	}
	id, mode := "error", dap.ExceptionBreakModeUnhandled
	if x.Raised {
		id = "fail"
	}
	if x.Raised && s.points.stopsAtRaised() {
		mode = dap.ExceptionBreakModeAlways
	}
	return &dap.ExceptionInfoResponseBody{
		ExceptionID: id,
		Description: &x.Message,
		BreakMode:   mode,
		Details: &dap.ExceptionDetails{
			Message: &x.Message, TypeName: &id, StackTrace: &x.Backtrace,
		},
	}, nil
}
