package dap

// SetExceptionBreakpointsArguments replaces all exceptions on which execution stops.
type SetExceptionBreakpointsArguments struct {
	Filters          []string                 `json:"filters"` // of [Capabilities]
	FilterOptions    []ExceptionFilterOptions `json:"filterOptions,omitzero"`
	ExceptionOptions []ExceptionOptions       `json:"exceptionOptions,omitzero"`
	Extra
}

// SetExceptionBreakpointsResponseBody has a breakpoint for each filter and each option asked for,
// in this order, if the adapter can tell.
type SetExceptionBreakpointsResponseBody struct {
	Breakpoints []Breakpoint `json:"breakpoints,omitzero"`
	Extra
}

// ExceptionFilterOptions is a filter with a condition.
type ExceptionFilterOptions struct {
	FilterID  string  `json:"filterId"`
	Condition *string `json:"condition,omitzero"`
	Mode      *string `json:"mode,omitzero"`
	Extra
}

// ExceptionOptions says when exceptions of some part of the exception tree stop execution.
type ExceptionOptions struct {
	Path      []ExceptionPathSegment `json:"path,omitzero"` // absent is the whole tree
	BreakMode ExceptionBreakMode     `json:"breakMode"`
	Extra
}

// ExceptionPathSegment selects nodes on one level of the exception tree.
type ExceptionPathSegment struct {
	Negate *bool    `json:"negate,omitzero"` // all but those named; absent is false
	Names  []string `json:"names"`
	Extra
}

// ExceptionBreakMode says which exceptions stop execution.
type ExceptionBreakMode string

// The break modes of the schema.
const (
	ExceptionBreakModeNever         ExceptionBreakMode = "never"
	ExceptionBreakModeAlways        ExceptionBreakMode = "always"
	ExceptionBreakModeUnhandled     ExceptionBreakMode = "unhandled"
	ExceptionBreakModeUserUnhandled ExceptionBreakMode = "userUnhandled"
)

// ExceptionInfoArguments asks for the exception that stopped a thread.
type ExceptionInfoArguments struct {
	ThreadID int `json:"threadId"`
	Extra
}

// ExceptionInfoResponseBody is the exception that stopped a thread.
type ExceptionInfoResponseBody struct {
	ExceptionID string             `json:"exceptionId"`
	Description *string            `json:"description,omitzero"`
	BreakMode   ExceptionBreakMode `json:"breakMode"`
	Details     *ExceptionDetails  `json:"details,omitzero"`
	Extra
}

// ExceptionDetails describes an exception.
type ExceptionDetails struct {
	Message        *string            `json:"message,omitzero"`
	TypeName       *string            `json:"typeName,omitzero"`
	FullTypeName   *string            `json:"fullTypeName,omitzero"`
	EvaluateName   *string            `json:"evaluateName,omitzero"` // an expression that yields it
	StackTrace     *string            `json:"stackTrace,omitzero"`
	InnerException []ExceptionDetails `json:"innerException,omitzero"`
	Extra
}
