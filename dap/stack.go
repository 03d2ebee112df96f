package dap

// StackTraceArguments asks for the stack of a thread that has stopped.
type StackTraceArguments struct {
	ThreadID   int               `json:"threadId"`
	StartFrame *int              `json:"startFrame,omitzero"` // from 0, the innermost; absent is 0
	Levels     *int              `json:"levels,omitzero"`     // frames; absent and 0 are all
	Format     *StackFrameFormat `json:"format,omitzero"`
	Extra
}

// StackTraceResponseBody is a part of a stack, innermost frame first.
type StackTraceResponseBody struct {
	StackFrames []StackFrame `json:"stackFrames"`
	// TotalFrames is the depth of the stack, or what is known of it; absent is unknown.
	TotalFrames *int `json:"totalFrames,omitzero"`
	Extra
}

// StackFrame is a function in execution. Its id is valid until execution is resumed.
type StackFrame struct {
	ID                          int                  `json:"id"` // unique among all threads
	Name                        string               `json:"name"`
	Source                      *Source              `json:"source,omitzero"`
	Line                        int                  `json:"line"`   // 0 if Source is absent
	Column                      int                  `json:"column"` // 0 if Source is absent
	EndLine                     *int                 `json:"endLine,omitzero"`
	EndColumn                   *int                 `json:"endColumn,omitzero"`
	CanRestart                  *bool                `json:"canRestart,omitzero"`
	InstructionPointerReference *string              `json:"instructionPointerReference,omitzero"`
	ModuleID                    *ModuleID            `json:"moduleId,omitzero"`
	PresentationHint            *StackFrameRendering `json:"presentationHint,omitzero"`
	Extra
}

// StackFrameRendering is how a client shows a frame.
type StackFrameRendering string

// The renderings of the schema: a frame, a line between frames, a frame of minor interest.
const (
	StackFrameRenderingNormal StackFrameRendering = "normal"
	StackFrameRenderingLabel  StackFrameRendering = "label"
	StackFrameRenderingSubtle StackFrameRendering = "subtle"
)

// StackFrameFormat says what the names of frames should contain. Absent members are false.
type StackFrameFormat struct {
	Hex             *bool `json:"hex,omitzero"`
	Parameters      *bool `json:"parameters,omitzero"`
	ParameterTypes  *bool `json:"parameterTypes,omitzero"`
	ParameterNames  *bool `json:"parameterNames,omitzero"`
	ParameterValues *bool `json:"parameterValues,omitzero"`
	Line            *bool `json:"line,omitzero"`
	Module          *bool `json:"module,omitzero"`
	IncludeAll      *bool `json:"includeAll,omitzero"` // also frames that are usually hidden
	Extra
}

// ScopesArguments asks for the scopes of a frame.
type ScopesArguments struct {
	FrameID int `json:"frameId"`
	Extra
}

// ScopesResponseBody has the scopes of a frame.
type ScopesResponseBody struct {
	Scopes []Scope `json:"scopes"`
	Extra
}

// Scope is a named set of variables, such as the locals of a frame. Its reference is valid until
// execution is resumed.
type Scope struct {
	Name               string          `json:"name"`
	PresentationHint   *ScopeRendering `json:"presentationHint,omitzero"`
	VariablesReference int             `json:"variablesReference"`
	NamedVariables     *int            `json:"namedVariables,omitzero"`
	IndexedVariables   *int            `json:"indexedVariables,omitzero"`
	Expensive          bool            `json:"expensive"` // not to be fetched unasked
	Source             *Source         `json:"source,omitzero"`
	Line               *int            `json:"line,omitzero"`
	Column             *int            `json:"column,omitzero"`
	EndLine            *int            `json:"endLine,omitzero"`
	EndColumn          *int            `json:"endColumn,omitzero"`
	Extra
}

// ScopeRendering is how a client shows a scope.
type ScopeRendering string

// The renderings of the schema.
const (
	ScopeRenderingArguments   ScopeRendering = "arguments"
	ScopeRenderingLocals      ScopeRendering = "locals"
	ScopeRenderingRegisters   ScopeRendering = "registers"
	ScopeRenderingReturnValue ScopeRendering = "returnValue"
)
