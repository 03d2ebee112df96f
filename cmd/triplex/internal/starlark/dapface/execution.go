package dapface

import (
	"context"
	"errors"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
)

func (s *session) resume(_ context.Context, _ *dap.ContinueArguments) (
	*dap.ContinueResponseBody, error,
) {
	_, err := s.move(debugger.Resume{Move: debugger.Continue})
	return &dap.ContinueResponseBody{AllThreadsContinued: new(true)}, err
}

func (s *session) next(context.Context, *dap.NextArguments) (dap.Empty, error) {
	return s.move(debugger.Resume{Move: debugger.StepOver})
}

func (s *session) stepIn(_ context.Context, p *dap.StepInArguments) (dap.Empty, error) {
	return s.move(debugger.Resume{Move: debugger.StepIn, Target: dap.Or(p.TargetID, 0)})
}

func (s *session) stepOut(context.Context, *dap.StepOutArguments) (dap.Empty, error) {
	return s.move(debugger.Resume{Move: debugger.StepOut})
}

// move makes the program go on.
func (s *session) move(how debugger.Resume) (dap.Empty, error) {
	run, err := s.program()
	if err != nil {
		return dap.Empty{}, err
	}
	how.By = s.name()
	return dap.Empty{}, run.Resume(how)
}

// stepInTargets has an answer for the innermost frame only: a step begins there.
func (s *session) stepInTargets(ctx context.Context, p *dap.StepInTargetsArguments) (
	*dap.StepInTargetsResponseBody, error,
) {
	run, err := s.program()
	if err != nil {
		return nil, err
	}
	res := new(dap.StepInTargetsResponseBody)
	frames, _, err := run.Frames(ctx, 0, 1)
	if err != nil || frames[0].ID != p.FrameID {
		return res, err
	}
	targets, err := run.StepInTargets(ctx)
	places := s.places()
	for _, t := range targets {
		line, column := places.show(frames[0].Path, t.Line, t.Column)
		res.Targets = append(res.Targets, dap.StepInTarget{
			ID: t.ID, Label: t.Label, Line: &line, Column: &column,
		})
	}
	return res, err
}

// restartFrame begins the program anew: that is what it means for the outermost frame, and the
// interpreter lets nobody take a call back.
func (s *session) restartFrame(ctx context.Context, p *dap.RestartFrameArguments) (
	dap.Empty, error,
) {
	run, err := s.program()
	if err != nil {
		return dap.Empty{}, err
	}
	_, total, err := run.Frames(ctx, 0, 1)
	if err != nil {
		return dap.Empty{}, err
	}
	outermost, _, err := run.Frames(ctx, total-1, 1)
	if err != nil {
		return dap.Empty{}, err
	}
	if outermost[0].ID != p.FrameID {
		return dap.Empty{}, errors.New("only the outermost frame, the program, can be restarted: " +
			"what a call has done cannot be undone")
	}
	return dap.Empty{}, run.RestartStopped()
}

func (s *session) pause(context.Context, *dap.PauseArguments) (dap.Empty, error) {
	run, err := s.program()
	if err != nil {
		return dap.Empty{}, err
	}
	err = run.Pause()
	if errors.Is(err, debugger.ErrNotRunning) && run.State().Phase == debugger.PhaseStopped {
		return dap.Empty{}, nil // it stands still, and the client knows or is about to
	}
	return dap.Empty{}, err
}

func (s *session) threads(context.Context, dap.Empty) (*dap.ThreadsResponseBody, error) {
	res := new(dap.ThreadsResponseBody)
	v := s.current()
	if v == nil {
		return res, nil
	}
	for _, t := range v.run.Threads() {
		res.Threads = append(res.Threads, dap.Thread{ID: t.ID, Name: t.Name})
	}
	return res, nil
}
