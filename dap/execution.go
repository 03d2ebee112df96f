package dap

// Thread is a thread of the debuggee.
type Thread struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
	Extra
}

// ThreadsResponseBody has all threads. An adapter without threads has one for the debuggee.
type ThreadsResponseBody struct {
	Threads []Thread `json:"threads"`
	Extra
}

// TerminateThreadsArguments asks to end threads.
type TerminateThreadsArguments struct {
	ThreadIDs []int `json:"threadIds,omitzero"`
	Extra
}

// SteppingGranularity is the size of a step.
type SteppingGranularity string

// The step sizes. Absent is a statement.
const (
	SteppingGranularityStatement   SteppingGranularity = "statement"
	SteppingGranularityLine        SteppingGranularity = "line"
	SteppingGranularityInstruction SteppingGranularity = "instruction"
)

// ContinueArguments resumes execution.
type ContinueArguments struct {
	ThreadID     int   `json:"threadId"`
	SingleThread *bool `json:"singleThread,omitzero"` // the others stay stopped; absent is false
	Extra
}

// ContinueResponseBody tells what was resumed.
type ContinueResponseBody struct {
	AllThreadsContinued *bool `json:"allThreadsContinued,omitzero"` // absent is true
	Extra
}

// NextArguments steps over what is called.
type NextArguments struct {
	ThreadID     int                  `json:"threadId"`
	SingleThread *bool                `json:"singleThread,omitzero"`
	Granularity  *SteppingGranularity `json:"granularity,omitzero"`
	Extra
}

// StepInArguments steps into what is called.
type StepInArguments struct {
	ThreadID     int                  `json:"threadId"`
	SingleThread *bool                `json:"singleThread,omitzero"`
	TargetID     *int                 `json:"targetId,omitzero"` // a [StepInTarget]
	Granularity  *SteppingGranularity `json:"granularity,omitzero"`
	Extra
}

// StepOutArguments runs to the end of the current function.
type StepOutArguments struct {
	ThreadID     int                  `json:"threadId"`
	SingleThread *bool                `json:"singleThread,omitzero"`
	Granularity  *SteppingGranularity `json:"granularity,omitzero"`
	Extra
}

// StepBackArguments takes a step back.
type StepBackArguments struct {
	ThreadID     int                  `json:"threadId"`
	SingleThread *bool                `json:"singleThread,omitzero"`
	Granularity  *SteppingGranularity `json:"granularity,omitzero"`
	Extra
}

// ReverseContinueArguments resumes execution backwards.
type ReverseContinueArguments struct {
	ThreadID     int   `json:"threadId"`
	SingleThread *bool `json:"singleThread,omitzero"`
	Extra
}

// RestartFrameArguments starts a frame anew.
type RestartFrameArguments struct {
	FrameID int `json:"frameId"`
	Extra
}

// PauseArguments stops execution.
type PauseArguments struct {
	ThreadID int `json:"threadId"`
	Extra
}

// GotoArguments makes a thread go on at another place, without running what lies between.
type GotoArguments struct {
	ThreadID int `json:"threadId"`
	TargetID int `json:"targetId"` // a [GotoTarget]
	Extra
}

// GotoTargetsArguments asks which places a `goto` can go to from a place in a source.
type GotoTargetsArguments struct {
	Source Source `json:"source"`
	Line   int    `json:"line"`
	Column *int   `json:"column,omitzero"`
	Extra
}

// GotoTargetsResponseBody has the places.
type GotoTargetsResponseBody struct {
	Targets []GotoTarget `json:"targets"`
	Extra
}

// GotoTarget is a place that a `goto` can go to.
type GotoTarget struct {
	ID                          int     `json:"id"`
	Label                       string  `json:"label"`
	Line                        int     `json:"line"`
	Column                      *int    `json:"column,omitzero"`
	EndLine                     *int    `json:"endLine,omitzero"`
	EndColumn                   *int    `json:"endColumn,omitzero"`
	InstructionPointerReference *string `json:"instructionPointerReference,omitzero"`
	Extra
}

// StepInTargetsArguments asks which calls a step into a frame's line can enter.
type StepInTargetsArguments struct {
	FrameID int `json:"frameId"`
	Extra
}

// StepInTargetsResponseBody has the calls.
type StepInTargetsResponseBody struct {
	Targets []StepInTarget `json:"targets"`
	Extra
}

// StepInTarget is a call that a step can enter.
type StepInTarget struct {
	ID        int    `json:"id"`
	Label     string `json:"label"`
	Line      *int   `json:"line,omitzero"`
	Column    *int   `json:"column,omitzero"`
	EndLine   *int   `json:"endLine,omitzero"`
	EndColumn *int   `json:"endColumn,omitzero"`
	Extra
}

// StoppedEventBody tells that execution has stopped.
type StoppedEventBody struct {
	Reason            StoppedReason `json:"reason"`
	Description       *string       `json:"description,omitzero"` // instead of Reason, for people
	ThreadID          *int          `json:"threadId,omitzero"`
	PreserveFocusHint *bool         `json:"preserveFocusHint,omitzero"` // absent is false
	Text              *string       `json:"text,omitzero"`              // such as an exception's name
	AllThreadsStopped *bool         `json:"allThreadsStopped,omitzero"` // absent is false
	HitBreakpointIDs  []int         `json:"hitBreakpointIds,omitzero"`
	Extra
}

// StoppedReason is why execution has stopped.
type StoppedReason string

// The reasons of the schema.
const (
	StoppedReasonStep                  StoppedReason = "step"
	StoppedReasonBreakpoint            StoppedReason = "breakpoint"
	StoppedReasonException             StoppedReason = "exception"
	StoppedReasonPause                 StoppedReason = "pause"
	StoppedReasonEntry                 StoppedReason = "entry"
	StoppedReasonGoto                  StoppedReason = "goto"
	StoppedReasonFunctionBreakpoint    StoppedReason = "function breakpoint"
	StoppedReasonDataBreakpoint        StoppedReason = "data breakpoint"
	StoppedReasonInstructionBreakpoint StoppedReason = "instruction breakpoint"
)

// ContinuedEventBody tells that execution goes on, unless a request that implies it made it so.
type ContinuedEventBody struct {
	ThreadID            int   `json:"threadId"`
	AllThreadsContinued *bool `json:"allThreadsContinued,omitzero"` // absent is false
	Extra
}

// ThreadEventBody tells that a thread began or ended.
type ThreadEventBody struct {
	Reason   ThreadReason `json:"reason"`
	ThreadID int          `json:"threadId"`
	Extra
}

// ThreadReason is what happened to a thread.
type ThreadReason string

// The reasons of the schema.
const (
	ThreadReasonStarted ThreadReason = "started"
	ThreadReasonExited  ThreadReason = "exited"
)
