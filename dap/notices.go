package dap

import "encoding/json"

// OutputEventBody is text for the client's console. [Session.Output] splits and bounds it.
type OutputEventBody struct {
	Category *OutputCategory `json:"category,omitzero"` // absent is [OutputConsole]
	Output   string          `json:"output"`
	Group    *OutputGroup    `json:"group,omitzero"`
	// VariablesReference is not 0 if the output is an object with children.
	VariablesReference *int            `json:"variablesReference,omitzero"`
	Source             *Source         `json:"source,omitzero"` // where the output comes from
	Line               *int            `json:"line,omitzero"`
	Column             *int            `json:"column,omitzero"`
	Data               json.RawMessage `json:"data,omitzero"` // of telemetry
	LocationReference  *int            `json:"locationReference,omitzero"`
	Extra
}

// OutputCategory is what an output is.
type OutputCategory string

// The categories of the schema.
const (
	OutputConsole   OutputCategory = "console"
	OutputImportant OutputCategory = "important" // the client shows it more prominently
	OutputStdout    OutputCategory = "stdout"
	OutputStderr    OutputCategory = "stderr"
	OutputTelemetry OutputCategory = "telemetry" // not shown to the user
)

// OutputGroup starts or ends a group of outputs that the client indents.
type OutputGroup string

// The groups of the schema.
const (
	OutputGroupStart          OutputGroup = "start"
	OutputGroupStartCollapsed OutputGroup = "startCollapsed"
	OutputGroupEnd            OutputGroup = "end"
)

// ProgressStartEventBody tells that something longer has begun. [Session.Progress] sends it.
type ProgressStartEventBody struct {
	ProgressID  string   `json:"progressId"` // unique in the session
	Title       string   `json:"title"`
	RequestID   *int     `json:"requestId,omitzero"`   // the seq of the request it is for
	Cancellable *bool    `json:"cancellable,omitzero"` // absent is false
	Message     *string  `json:"message,omitzero"`
	Percentage  *float64 `json:"percentage,omitzero"` // 0 to 100; absent shows no percentage
	Extra
}

// ProgressUpdateEventBody tells how far it is.
type ProgressUpdateEventBody struct {
	ProgressID string   `json:"progressId"`
	Message    *string  `json:"message,omitzero"`    // absent: it stays as it was
	Percentage *float64 `json:"percentage,omitzero"` // 0 to 100
	Extra
}

// ProgressEndEventBody tells that it is over.
type ProgressEndEventBody struct {
	ProgressID string  `json:"progressId"`
	Message    *string `json:"message,omitzero"`
	Extra
}

// InvalidatedEventBody tells that the client should ask again for what it shows.
type InvalidatedEventBody struct {
	Areas        []InvalidatedAreas `json:"areas,omitzero"`        // absent is all
	ThreadID     *int               `json:"threadId,omitzero"`     // only of this thread
	StackFrameID *int               `json:"stackFrameId,omitzero"` // only of this frame
	Extra
}

// InvalidatedAreas is a part of what a client shows.
type InvalidatedAreas string

// The areas of the schema.
const (
	InvalidatedAreasAll       InvalidatedAreas = "all"
	InvalidatedAreasStacks    InvalidatedAreas = "stacks"
	InvalidatedAreasThreads   InvalidatedAreas = "threads"
	InvalidatedAreasVariables InvalidatedAreas = "variables"
)
