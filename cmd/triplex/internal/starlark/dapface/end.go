package dapface

import (
	"context"
	"time"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/dap"
	"triplex/host"
)

// terminate ends the program. The session goes on until the client leaves.
func (s *session) terminate(ctx context.Context, _ *dap.TerminateArguments) (dap.Empty, error) {
	if v := s.finish(); v != nil {
		v.run.Terminate()
		return dap.Empty{}, nil
	}
	host.AfterReply(ctx, func() {
		s.log(dap.Terminated.Send(s.peer.Core().Context(), s.peer, new(dap.TerminatedEventBody)))
	})
	return dap.Empty{}, nil
}

// disconnect leaves the program: ended if the client says so or, unless it says otherwise, if it
// launched it. The client hears nothing more of it.
func (s *session) disconnect(_ context.Context, p *dap.DisconnectArguments) (dap.Empty, error) {
	if v := s.finish(); v != nil {
		s.drop(v, dap.Or(p.TerminateDebuggee, v.launched != nil))
	}
	return dap.Empty{}, nil
}

// endTime is how long a program that was terminated may take to end, before it is left to itself:
// a built-in function that does not return cannot be interrupted.
const endTime = 50 * time.Millisecond

// drop ends the session's part in a run, and the run itself if kill is set. What the client set to
// stop the program is taken back otherwise.
func (s *session) drop(v *view, kill bool) {
	v.events.Close()
	if !kill {
		s.points.withdraw(v.run)
		v.run.Leave()
		return
	}
	v.run.Terminate()
	timer := time.NewTimer(endTime)
	defer timer.Stop()
	select {
	case <-v.run.Done():
	case <-timer.C:
	}
}

// restart begins the program anew: with another configuration, if that of the client has changed.
func (s *session) restart(ctx context.Context, p *dap.RestartArguments) (dap.Empty, error) {
	v := s.current()
	if v == nil {
		return dap.Empty{}, errNothing
	}
	if len(p.Arguments) == 0 || string(p.Arguments) == "null" || v.launched == nil {
		return dap.Empty{}, v.run.Restart()
	}
	args := new(launchArguments)
	if err := dap.Dialect.Unmarshal(p.Arguments, args); err != nil {
		return dap.Empty{}, shown(idConfig, "restart: %v", err)
	}
	if args.equal(v.launched) {
		return dap.Empty{}, v.run.Restart()
	}
	cfg, err := s.configure(args)
	if err != nil {
		return dap.Empty{}, err
	}
	if v.run.State().Phase == debugger.PhaseStopped {
		host.AfterReply(ctx, func() { s.goesOn(s.peer.Core().Context()) })
	}
	return dap.Empty{}, s.start(ctx, args, cfg)
}
