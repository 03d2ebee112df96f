package dap

import "reflect"

// descriptor is a request or an event with the types it is described with.
type descriptor struct {
	event          bool
	params, result reflect.Type // of an event, params is the body
}

// descriptors are all of the package, by command or event.
var descriptors = map[string]descriptor{}

func request[P, R any](r Request[P, R]) {
	descriptors[r.Method] = descriptor{
		params: reflect.TypeFor[P](), result: reflect.TypeFor[R](),
	}
}

func event[P any](e Event[P]) {
	descriptors[e.Method] = descriptor{event: true, params: reflect.TypeFor[P]()}
}

func init() {
	request(Initialize)
	request(Launch)
	request(Attach)
	request(ConfigurationDone)
	request(Restart)
	request(Terminate)
	request(Disconnect)
	request(Cancel)
	request(BreakpointLocations)
	request(SetBreakpoints)
	request(SetFunctionBreakpoints)
	request(SetExceptionBreakpoints)
	request(DataBreakpointInfo)
	request(SetDataBreakpoints)
	request(SetInstructionBreakpoints)
	request(Continue)
	request(Next)
	request(StepIn)
	request(StepOut)
	request(StepBack)
	request(ReverseContinue)
	request(RestartFrame)
	request(Goto)
	request(Pause)
	request(Threads)
	request(TerminateThreads)
	request(StepInTargets)
	request(GotoTargets)
	request(StackTrace)
	request(Scopes)
	request(Variables)
	request(SetVariable)
	request(SourceRequest)
	request(Modules)
	request(LoadedSources)
	request(Evaluate)
	request(SetExpression)
	request(Completions)
	request(ExceptionInfo)
	request(ReadMemory)
	request(WriteMemory)
	request(Disassemble)
	request(Locations)
	request(RunInTerminal)
	request(StartDebugging)
	event(Initialized)
	event(Stopped)
	event(Continued)
	event(Exited)
	event(Terminated)
	event(ThreadEvent)
	event(Output)
	event(BreakpointEvent)
	event(ModuleEvent)
	event(LoadedSource)
	event(Process)
	event(CapabilitiesEvent)
	event(ProgressStart)
	event(ProgressUpdate)
	event(ProgressEnd)
	event(Invalidated)
	event(Memory)
}
