package dap

import "encoding/json"

// LaunchRequestArguments is the part of a launch configuration that the protocol defines. The
// rest is the adapter's own and arrives in Unknown; a handler that wants it typed embeds this type
// in one of its own and describes the request with that (see the package example).
type LaunchRequestArguments struct {
	NoDebug *bool `json:"noDebug,omitzero"` // run without debugging; absent is false
	// Restart is what the `terminated` event that asked for this restart had as its restart.
	Restart json.RawMessage `json:"__restart,omitzero"`
	Extra
}

// AttachRequestArguments is the part of an attach configuration that the protocol defines; see
// [LaunchRequestArguments] for the rest.
type AttachRequestArguments struct {
	// Restart is what the `terminated` event that asked for this restart had as its restart.
	Restart json.RawMessage `json:"__restart,omitzero"`
	Extra
}

// ConfigurationDoneArguments is empty: the request says that all breakpoints have been sent.
type ConfigurationDoneArguments struct {
	Extra
}

// RestartArguments asks to start the debuggee anew.
type RestartArguments struct {
	// Arguments is the latest configuration: [LaunchRequestArguments] or
	// [AttachRequestArguments], by how the session began. Absent: it is as it was.
	Arguments json.RawMessage `json:"arguments,omitzero"`
	Extra
}

// DisconnectArguments asks to end the session.
type DisconnectArguments struct {
	Restart *bool `json:"restart,omitzero"` // the session is part of a restart; absent is false
	// TerminateDebuggee decides about the debuggee. Absent: one that was launched is ended, one
	// that was attached to lives on.
	TerminateDebuggee *bool `json:"terminateDebuggee,omitzero"`
	// SuspendDebuggee leaves the debuggee stopped; absent is false.
	SuspendDebuggee *bool `json:"suspendDebuggee,omitzero"`
	Extra
}

// TerminateArguments asks the debuggee to end by itself. The session goes on until it has.
type TerminateArguments struct {
	Restart *bool `json:"restart,omitzero"` // the session is part of a restart; absent is false
	Extra
}

// CancelArguments names what is no longer wanted; with neither member nothing is.
type CancelArguments struct {
	RequestID  *int    `json:"requestId,omitzero"` // the seq of a request
	ProgressID *string `json:"progressId,omitzero"`
	Extra
}

// ProcessEventBody tells of a process that is debugged.
type ProcessEventBody struct {
	Name            string       `json:"name"` // usually the path of the executable
	SystemProcessID *int         `json:"systemProcessId,omitzero"`
	IsLocalProcess  *bool        `json:"isLocalProcess,omitzero"`
	StartMethod     *StartMethod `json:"startMethod,omitzero"`
	PointerSize     *int         `json:"pointerSize,omitzero"` // bits
	Extra
}

// StartMethod is how debugging of a process began.
type StartMethod string

// The start methods of the schema.
const (
	StartMethodLaunch                   StartMethod = "launch"
	StartMethodAttach                   StartMethod = "attach"
	StartMethodAttachForSuspendedLaunch StartMethod = "attachForSuspendedLaunch"
)

// ExitedEventBody tells that the debuggee has ended.
type ExitedEventBody struct {
	ExitCode int `json:"exitCode"`
	Extra
}

// TerminatedEventBody tells that debugging has ended.
type TerminatedEventBody struct {
	// Restart asks the client to start the session again, and is passed on to it then. Absent,
	// null and false ask for nothing.
	Restart json.RawMessage `json:"restart,omitzero"`
	Extra
}
