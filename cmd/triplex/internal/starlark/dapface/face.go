package dapface

import (
	"context"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/dap"
)

// New returns a debug adapter for Starlark programs, on a workspace and a registry of runs that
// other faces may share.
func New(w *workspace.Workspace, programs *runs.Registry) *dap.Server {
	server := &dap.Server{
		Title:        "starlark-dap",
		Capabilities: capabilities,
		Start: func(_ context.Context, peer *dap.Session) (err error) {
			peer.State, err = newSession(w, programs, peer)
			return err
		},
	}
	handleLife(server)
	handleBreakpoints(server)
	handleExecution(server)
	handleInspection(server)
	return server
}

// capabilities are those that the requests with a handler do not imply.
var capabilities = dap.Capabilities{
	SupportsConditionalBreakpoints:    new(true),
	SupportsHitConditionalBreakpoints: new(true),
	SupportsLogPoints:                 new(true),
	SupportsEvaluateForHovers:         new(true),
	SupportsClipboardContext:          new(true),
	SupportTerminateDebuggee:          new(true),
	SupportsDelayedStackTraceLoading:  new(true),
	CompletionTriggerCharacters:       []string{"."},
	ExceptionFilters: []dap.ExceptionBreakpointsFilter{
		{
			Filter: filterUncaught, Label: "Uncaught Errors", Default: new(true),
			Description: new("Stop at the error that ends the program."),
		},
		{
			Filter: filterRaised, Label: "Calls of fail",
			Description: new("Stop at every call of fail, before it ends the program."),
		},
	},
}

func handleLife(server *dap.Server) {
	handle(server, launchRequest, (*session).launch)
	handle(server, attachRequest, (*session).attach)
	handle(server, dap.Restart, (*session).restart)
	handle(server, dap.Terminate, (*session).terminate)
	handle(server, dap.Disconnect, (*session).disconnect)
}

func handleBreakpoints(server *dap.Server) {
	handle(server, dap.SetBreakpoints, (*session).setBreakpoints)
	handle(server, dap.SetFunctionBreakpoints, (*session).setFunctionBreakpoints)
	handle(server, dap.SetExceptionBreakpoints, (*session).setExceptionBreakpoints)
	handle(server, dap.BreakpointLocations, (*session).breakpointLocations)
}

func handleExecution(server *dap.Server) {
	handle(server, dap.Continue, (*session).resume)
	handle(server, dap.Next, (*session).next)
	handle(server, dap.StepIn, (*session).stepIn)
	handle(server, dap.StepOut, (*session).stepOut)
	handle(server, dap.StepInTargets, (*session).stepInTargets)
	handle(server, dap.RestartFrame, (*session).restartFrame)
	handle(server, dap.Pause, (*session).pause)
	handle(server, dap.Threads, (*session).threads)
}

func handleInspection(server *dap.Server) {
	handle(server, dap.StackTrace, (*session).stackTrace)
	handle(server, dap.Scopes, (*session).scopes)
	handle(server, dap.Variables, (*session).variables)
	handle(server, dap.SetVariable, (*session).setVariable)
	handle(server, dap.SetExpression, (*session).setExpression)
	handle(server, dap.Evaluate, (*session).evaluate)
	handle(server, dap.Completions, (*session).completions)
	handle(server, dap.ExceptionInfo, (*session).exceptionInfo)
	handle(server, dap.Modules, (*session).modules)
	handle(server, dap.LoadedSources, (*session).loadedSources)
	handle(server, dap.SourceRequest, (*session).source)
}

// handle makes a method of session the handler of a request.
func handle[P, R any](
	server *dap.Server, request dap.Request[P, R], f func(*session, context.Context, P) (R, error),
) {
	request.Handle(server, func(ctx context.Context, peer *dap.Session, p P) (R, error) {
		res, err := f(peer.State.(*session), ctx, p)
		return res, answer(err)
	})
}
