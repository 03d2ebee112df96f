package dapface

import (
	"context"
	"errors"
	"io"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
)

// tell tells the client of its program: first which breakpoints moved, then whatever happens, until
// the program has ended or the client has left.
func (s *session) tell(ctx context.Context, v *view, moved []debugger.BreakpointStatus) {
	defer v.events.Close()
	s.introduce(ctx, v)
	for _, status := range moved {
		s.breakpointChanged(ctx, status)
	}
	standing := false
	for {
		ev, err := v.events.Next(ctx)
		if err != nil {
			s.log(err)
			return
		}
		standing = s.event(ctx, v, ev, standing)
	}
}

// introduce tells what is debugged.
func (s *session) introduce(ctx context.Context, v *view) {
	method := dap.StartMethodAttach
	if v.launched != nil {
		method = dap.StartMethodLaunch
	}
	s.log(dap.Process.Send(ctx, s.peer, &dap.ProcessEventBody{
		Name:           s.files.show(v.run.Program),
		IsLocalProcess: new(true),
		StartMethod:    &method,
	}))
	s.log(dap.ThreadEvent.Send(ctx, s.peer, &dap.ThreadEventBody{
		Reason: dap.ThreadReasonStarted, ThreadID: debugger.ThreadID,
	}))
}

// event tells the client of an event. It takes and returns whether the client believes that the
// program stands still.
func (s *session) event(ctx context.Context, v *view, ev debugger.Event, standing bool) bool {
	switch ev := ev.(type) {
	case debugger.Stopped:
		s.stopped(ctx, ev.Stop)
		return true
	case debugger.Continued:
		if ev.By != s.name() {
			s.goesOn(ctx)
		}
		return false
	case debugger.Restarted:
		if standing {
			s.goesOn(ctx)
		}
		return false
	case debugger.Output:
		if ev.Category != debugger.Stdout || !v.inTerminal() {
			s.output(ctx, ev)
		}
	case debugger.BreakpointChanged:
		if status, own := s.points.changed(ev.Breakpoint); own {
			s.breakpointChanged(ctx, status)
		}
	case debugger.ModuleLoaded:
		s.loaded(ctx, ev.Module)
	case debugger.Ended:
		s.ended(ctx, ev.Result)
	}
	return standing
}

func (s *session) stopped(ctx context.Context, stop debugger.Stop) {
	body := &dap.StoppedEventBody{
		Reason:            dap.StoppedReason(stop.Reason),
		ThreadID:          new(debugger.ThreadID),
		AllThreadsStopped: new(true),
		HitBreakpointIDs:  s.points.hits(stop.Hits),
	}
	if stop.Text != "" {
		body.Text = &stop.Text
	}
	s.log(dap.Stopped.Send(ctx, s.peer, body))
}

// goesOn tells that the program goes on, though the client did not say so.
func (s *session) goesOn(ctx context.Context) {
	s.log(dap.Continued.Send(ctx, s.peer, &dap.ContinuedEventBody{
		ThreadID: debugger.ThreadID, AllThreadsContinued: new(true),
	}))
}

func (s *session) output(ctx context.Context, out debugger.Output) {
	category := dap.OutputStdout
	switch out.Category {
	case debugger.Console:
		category = dap.OutputConsole
	case debugger.Important:
		category = dap.OutputImportant
	}
	body := dap.OutputEventBody{Category: &category}
	if out.Path != "" {
		line, column := s.places().show(out.Path, out.Line, out.Column)
		body.Source, body.Line, body.Column = s.files.source(out.Path), &line, &column
	}
	s.log(s.peer.OutputFrom(ctx, body, out.Text))
}

func (s *session) breakpointChanged(ctx context.Context, status debugger.BreakpointStatus) {
	s.log(dap.BreakpointEvent.Send(ctx, s.peer, &dap.BreakpointEventBody{
		Reason:     dap.BreakpointEventReasonChanged,
		Breakpoint: s.breakpoint(s.places(), status),
	}))
}

func (s *session) loaded(ctx context.Context, m debugger.Module) {
	s.log(dap.ModuleEvent.Send(ctx, s.peer, &dap.ModuleEventBody{
		Reason: dap.LoadReasonNew, Module: s.module(m),
	}))
	s.log(dap.LoadedSource.Send(ctx, s.peer, &dap.LoadedSourceEventBody{
		Reason: dap.LoadReasonNew, Source: *s.files.source(m.Path),
	}))
}

// ended tells how the program ended, and that there is nothing more to debug.
func (s *session) ended(ctx context.Context, result debugger.Result) {
	if result.Err != nil && !errors.Is(result.Err, debugger.ErrTerminated) {
		s.log(s.peer.Output(ctx, dap.OutputStderr, result.Backtrace+"\n"))
	}
	s.log(dap.ThreadEvent.Send(ctx, s.peer, &dap.ThreadEventBody{
		Reason: dap.ThreadReasonExited, ThreadID: debugger.ThreadID,
	}))
	s.log(dap.Exited.Send(ctx, s.peer, &dap.ExitedEventBody{ExitCode: result.ExitCode}))
	s.log(dap.Terminated.Send(ctx, s.peer, new(dap.TerminatedEventBody)))
}

// log notes what went wrong where nobody waits for an answer.
func (s *session) log(err error) {
	if err != nil && !errors.Is(err, io.EOF) {
		s.peer.Core().Logger().Debug("not told to the debug client", "error", err)
	}
}
