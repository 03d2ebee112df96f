package dap

import "triplex/host"

// Request describes a request: its command, its arguments and the body of its response. Most go
// to the adapter; those of the schema's title Reverse Requests go to the client.
type Request[P, R any] = host.Request[*Session, P, R]

// Event describes an event and its body.
type Event[P any] = host.Notification[*Session, P]

// The requests of a session's beginning and end. A [Server] answers Initialize itself, see
// [Server.Capabilities]; Cancel is answered by the dialect and the server.
var (
	Initialize        = Request[*InitializeRequestArguments, *Capabilities]{Method: "initialize"}
	Launch            = Request[*LaunchRequestArguments, Empty]{Method: "launch"}
	Attach            = Request[*AttachRequestArguments, Empty]{Method: "attach"}
	ConfigurationDone = Request[*ConfigurationDoneArguments, Empty]{Method: "configurationDone"}
	Restart           = Request[*RestartArguments, Empty]{Method: "restart"}
	Terminate         = Request[*TerminateArguments, Empty]{Method: "terminate"}
	Disconnect        = Request[*DisconnectArguments, Empty]{Method: "disconnect"}
	Cancel            = Request[*CancelArguments, Empty]{Method: "cancel"}
)

// The requests that set breakpoints.
var (
	BreakpointLocations = Request[
		*BreakpointLocationsArguments, *BreakpointLocationsResponseBody]{Method: "breakpointLocations"}
	SetBreakpoints = Request[
		*SetBreakpointsArguments, *SetBreakpointsResponseBody]{Method: "setBreakpoints"}
	SetFunctionBreakpoints = Request[
		*SetFunctionBreakpointsArguments,
		*SetFunctionBreakpointsResponseBody]{Method: "setFunctionBreakpoints"}
	SetExceptionBreakpoints = Request[
		*SetExceptionBreakpointsArguments,
		*SetExceptionBreakpointsResponseBody]{Method: "setExceptionBreakpoints"}
	DataBreakpointInfo = Request[
		*DataBreakpointInfoArguments, *DataBreakpointInfoResponseBody]{Method: "dataBreakpointInfo"}
	SetDataBreakpoints = Request[
		*SetDataBreakpointsArguments, *SetDataBreakpointsResponseBody]{Method: "setDataBreakpoints"}
	SetInstructionBreakpoints = Request[
		*SetInstructionBreakpointsArguments,
		*SetInstructionBreakpointsResponseBody]{Method: "setInstructionBreakpoints"}
)

// The requests that control execution. What they cause, such as [Stopped], reaches the client
// after their response in any case.
var (
	Continue         = Request[*ContinueArguments, *ContinueResponseBody]{Method: "continue"}
	Next             = Request[*NextArguments, Empty]{Method: "next"}
	StepIn           = Request[*StepInArguments, Empty]{Method: "stepIn"}
	StepOut          = Request[*StepOutArguments, Empty]{Method: "stepOut"}
	StepBack         = Request[*StepBackArguments, Empty]{Method: "stepBack"}
	ReverseContinue  = Request[*ReverseContinueArguments, Empty]{Method: "reverseContinue"}
	RestartFrame     = Request[*RestartFrameArguments, Empty]{Method: "restartFrame"}
	Goto             = Request[*GotoArguments, Empty]{Method: "goto"}
	Pause            = Request[*PauseArguments, Empty]{Method: "pause"}
	Threads          = Request[Empty, *ThreadsResponseBody]{Method: "threads"}
	TerminateThreads = Request[*TerminateThreadsArguments, Empty]{Method: "terminateThreads"}
	StepInTargets    = Request[
		*StepInTargetsArguments, *StepInTargetsResponseBody]{Method: "stepInTargets"}
	GotoTargets = Request[*GotoTargetsArguments, *GotoTargetsResponseBody]{Method: "gotoTargets"}
)

// The requests that look at the debuggee, and change its values. The request for the text of a
// source is called SourceRequest because [Source] is a type.
var (
	StackTrace    = Request[*StackTraceArguments, *StackTraceResponseBody]{Method: "stackTrace"}
	Scopes        = Request[*ScopesArguments, *ScopesResponseBody]{Method: "scopes"}
	Variables     = Request[*VariablesArguments, *VariablesResponseBody]{Method: "variables"}
	SetVariable   = Request[*SetVariableArguments, *SetVariableResponseBody]{Method: "setVariable"}
	SourceRequest = Request[*SourceArguments, *SourceResponseBody]{Method: "source"}
	Modules       = Request[*ModulesArguments, *ModulesResponseBody]{Method: "modules"}
	LoadedSources = Request[
		*LoadedSourcesArguments, *LoadedSourcesResponseBody]{Method: "loadedSources"}
	Evaluate      = Request[*EvaluateArguments, *EvaluateResponseBody]{Method: "evaluate"}
	SetExpression = Request[
		*SetExpressionArguments, *SetExpressionResponseBody]{Method: "setExpression"}
	Completions   = Request[*CompletionsArguments, *CompletionsResponseBody]{Method: "completions"}
	ExceptionInfo = Request[
		*ExceptionInfoArguments, *ExceptionInfoResponseBody]{Method: "exceptionInfo"}
	ReadMemory  = Request[*ReadMemoryArguments, *ReadMemoryResponseBody]{Method: "readMemory"}
	WriteMemory = Request[*WriteMemoryArguments, *WriteMemoryResponseBody]{Method: "writeMemory"}
	Disassemble = Request[*DisassembleArguments, *DisassembleResponseBody]{Method: "disassemble"}
	Locations   = Request[*LocationsArguments, *LocationsResponseBody]{Method: "locations"}
)

// The reverse requests. [Session.RunInTerminal] and [Session.StartDebugging] call them with a
// check of the client's capabilities and a timeout.
var (
	RunInTerminal = Request[
		*RunInTerminalRequestArguments, *RunInTerminalResponseBody]{Method: "runInTerminal"}
	StartDebugging = Request[*StartDebuggingRequestArguments, Empty]{Method: "startDebugging"}
)

// The events. Those whose names are types of the schema as well end in Event.
var (
	Initialized       = Event[Empty]{Method: "initialized"}
	Stopped           = Event[*StoppedEventBody]{Method: "stopped"}
	Continued         = Event[*ContinuedEventBody]{Method: "continued"}
	Exited            = Event[*ExitedEventBody]{Method: "exited"}
	Terminated        = Event[*TerminatedEventBody]{Method: "terminated"}
	ThreadEvent       = Event[*ThreadEventBody]{Method: "thread"}
	Output            = Event[*OutputEventBody]{Method: "output"}
	BreakpointEvent   = Event[*BreakpointEventBody]{Method: "breakpoint"}
	ModuleEvent       = Event[*ModuleEventBody]{Method: "module"}
	LoadedSource      = Event[*LoadedSourceEventBody]{Method: "loadedSource"}
	Process           = Event[*ProcessEventBody]{Method: "process"}
	CapabilitiesEvent = Event[*CapabilitiesEventBody]{Method: "capabilities"}
	ProgressStart     = Event[*ProgressStartEventBody]{Method: "progressStart"}
	ProgressUpdate    = Event[*ProgressUpdateEventBody]{Method: "progressUpdate"}
	ProgressEnd       = Event[*ProgressEndEventBody]{Method: "progressEnd"}
	Invalidated       = Event[*InvalidatedEventBody]{Method: "invalidated"}
	Memory            = Event[*MemoryEventBody]{Method: "memory"}
)
