package dap

import (
	"encoding/json"
	"reflect"
)

// descriptor is a request or an event with the types it is described with.
type descriptor struct {
	method         string
	event          bool
	params, result reflect.Type // of an event, params is the body
}

func request[P, R any](r Request[P, R]) descriptor {
	return descriptor{
		method: r.Method, params: reflect.TypeFor[P](), result: reflect.TypeFor[R](),
	}
}

func event[P any](e Event[P]) descriptor {
	return descriptor{method: e.Method, event: true, params: reflect.TypeFor[P]()}
}

// descriptors are all of the package, by command or event.
var descriptors = byMethod(
	request(Initialize), request(Launch), request(Attach), request(ConfigurationDone),
	request(Restart), request(Terminate), request(Disconnect), request(Cancel),
	request(BreakpointLocations), request(SetBreakpoints), request(SetFunctionBreakpoints),
	request(SetExceptionBreakpoints), request(DataBreakpointInfo), request(SetDataBreakpoints),
	request(SetInstructionBreakpoints), request(Continue), request(Next), request(StepIn),
	request(StepOut), request(StepBack), request(ReverseContinue), request(RestartFrame),
	request(Goto), request(Pause), request(Threads), request(TerminateThreads),
	request(StepInTargets), request(GotoTargets), request(StackTrace), request(Scopes),
	request(Variables), request(SetVariable), request(SourceRequest), request(Modules),
	request(LoadedSources), request(Evaluate), request(SetExpression), request(Completions),
	request(ExceptionInfo), request(ReadMemory), request(WriteMemory), request(Disassemble),
	request(Locations), request(RunInTerminal), request(StartDebugging),
	event(Initialized), event(Stopped), event(Continued), event(Exited), event(Terminated),
	event(ThreadEvent), event(Output), event(BreakpointEvent), event(ModuleEvent),
	event(LoadedSource), event(Process), event(CapabilitiesEvent), event(ProgressStart),
	event(ProgressUpdate), event(ProgressEnd), event(Invalidated), event(Memory),
)

func byMethod(all ...descriptor) map[string]descriptor {
	table := make(map[string]descriptor, len(all))
	for _, d := range all {
		table[d.method] = d
	}
	return table
}

// refusal returns why a value of type t cannot be read from raw, which may be absent.
func refusal(t reflect.Type, raw json.RawMessage) error {
	return unmarshal(raw, reflect.New(t).Interface())
}
