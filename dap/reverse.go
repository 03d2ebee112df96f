package dap

import "encoding/json"

// RunInTerminalRequestArguments asks the client to run a command in a terminal of its user.
type RunInTerminalRequestArguments struct {
	Kind  *TerminalKind `json:"kind,omitzero"` // absent is [TerminalIntegrated]
	Title *string       `json:"title,omitzero"`
	CWD   string        `json:"cwd"`
	Args  []string      `json:"args"` // the command and its arguments
	// Env is added to the environment; nil values remove variables from it.
	Env map[string]*string `json:"env,omitzero"`
	// ArgsCanBeInterpretedByShell asks not to quote Args for the shell; absent is false.
	ArgsCanBeInterpretedByShell *bool `json:"argsCanBeInterpretedByShell,omitzero"`
	Extra
}

// TerminalKind is a kind of terminal.
type TerminalKind string

// The kinds of the schema: within the client, or a window of its own.
const (
	TerminalIntegrated TerminalKind = "integrated"
	TerminalExternal   TerminalKind = "external"
)

// RunInTerminalResponseBody tells which processes were started, as far as the client knows.
type RunInTerminalResponseBody struct {
	ProcessID      *int `json:"processId,omitzero"`
	ShellProcessID *int `json:"shellProcessId,omitzero"`
	Extra
}

// StartDebuggingRequestArguments asks the client to start another session with this adapter, on a
// connection of its own.
type StartDebuggingRequestArguments struct {
	// Configuration has the arguments of the new session's launch or attach request.
	Configuration      map[string]json.RawMessage `json:"configuration"`
	OutputPresentation *OutputPresentation        `json:"outputPresentation,omitzero"`
	Request            StartRequest               `json:"request"`
	Extra
}

// OutputPresentation is where the client shows the output of a session that another started.
type OutputPresentation string

// The presentations of the schema.
const (
	OutputPresentationSeparate        OutputPresentation = "separate"
	OutputPresentationMergeWithParent OutputPresentation = "mergeWithParent"
)

// StartRequest is the request that a session starts debugging with.
type StartRequest string

// The requests that start debugging.
const (
	StartRequestLaunch StartRequest = "launch"
	StartRequestAttach StartRequest = "attach"
)
