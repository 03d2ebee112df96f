package dap

// capabilities returns what the adapter can do: what its author says, and where the author says
// nothing, what the registered handlers imply.
func (sv *Server) capabilities() *Capabilities {
	c := sv.Capabilities
	for _, implied := range []struct {
		capability **bool
		requests   []string
	}{
		{&c.SupportsConfigurationDoneRequest, nil},
		{&c.SupportsCancelRequest, nil},
		{&c.SupportsFunctionBreakpoints, []string{SetFunctionBreakpoints.Method}},
		{&c.SupportsStepBack, []string{StepBack.Method, ReverseContinue.Method}},
		{&c.SupportsSetVariable, []string{SetVariable.Method}},
		{&c.SupportsRestartFrame, []string{RestartFrame.Method}},
		{&c.SupportsGotoTargetsRequest, []string{GotoTargets.Method, Goto.Method}},
		{&c.SupportsStepInTargetsRequest, []string{StepInTargets.Method}},
		{&c.SupportsCompletionsRequest, []string{Completions.Method}},
		{&c.SupportsModulesRequest, []string{Modules.Method}},
		{&c.SupportsRestartRequest, []string{Restart.Method}},
		{&c.SupportsExceptionInfoRequest, []string{ExceptionInfo.Method}},
		{&c.SupportsLoadedSourcesRequest, []string{LoadedSources.Method}},
		{&c.SupportsTerminateThreadsRequest, []string{TerminateThreads.Method}},
		{&c.SupportsSetExpression, []string{SetExpression.Method}},
		{&c.SupportsTerminateRequest, []string{Terminate.Method}},
		{&c.SupportsDataBreakpoints, []string{DataBreakpointInfo.Method, SetDataBreakpoints.Method}},
		{&c.SupportsReadMemoryRequest, []string{ReadMemory.Method}},
		{&c.SupportsWriteMemoryRequest, []string{WriteMemory.Method}},
		{&c.SupportsDisassembleRequest, []string{Disassemble.Method}},
		{&c.SupportsBreakpointLocationsRequest, []string{BreakpointLocations.Method}},
		{&c.SupportsInstructionBreakpoints, []string{SetInstructionBreakpoints.Method}},
	} {
		if *implied.capability == nil && sv.handles(implied.requests) {
			*implied.capability = new(true)
		}
	}
	return &c
}

// handles reports whether all of the requests have a handler.
func (sv *Server) handles(requests []string) bool {
	for _, request := range requests {
		if !sv.mux.Has(request) {
			return false
		}
	}
	return true
}
