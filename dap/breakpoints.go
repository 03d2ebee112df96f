package dap

// Breakpoint is what became of a breakpoint that was asked for.
type Breakpoint struct {
	ID       *int    `json:"id,omitzero"` // needed to tell of later changes
	Verified bool    `json:"verified"`    // false: it cannot be reached, or not yet
	Message  *string `json:"message,omitzero"`
	Source   *Source `json:"source,omitzero"`
	Line     *int    `json:"line,omitzero"`
	Column   *int    `json:"column,omitzero"` // UTF-16 code units
	EndLine  *int    `json:"endLine,omitzero"`
	// EndColumn belongs to the last line of the range.
	EndColumn            *int              `json:"endColumn,omitzero"`
	InstructionReference *string           `json:"instructionReference,omitzero"`
	Offset               *int64            `json:"offset,omitzero"` // bytes from InstructionReference
	Reason               *BreakpointReason `json:"reason,omitzero"` // why it is not verified
	Extra
}

// BreakpointReason is why a breakpoint is not verified.
type BreakpointReason string

// The reasons of the schema: it may yet be verified, it cannot be.
const (
	BreakpointReasonPending BreakpointReason = "pending"
	BreakpointReasonFailed  BreakpointReason = "failed"
)

// SourceBreakpoint asks for a breakpoint in a source.
type SourceBreakpoint struct {
	Line         int     `json:"line"`
	Column       *int    `json:"column,omitzero"` // UTF-16 code units; absent is anywhere in the line
	Condition    *string `json:"condition,omitzero"`
	HitCondition *string `json:"hitCondition,omitzero"` // in the adapter's own syntax
	LogMessage   *string `json:"logMessage,omitzero"`   // log instead of stopping; {expressions}
	Mode         *string `json:"mode,omitzero"`         // a [BreakpointMode]
	Extra
}

// FunctionBreakpoint asks for a breakpoint at the start of a function.
type FunctionBreakpoint struct {
	Name         string  `json:"name"`
	Condition    *string `json:"condition,omitzero"`
	HitCondition *string `json:"hitCondition,omitzero"`
	Extra
}

// InstructionBreakpoint asks for a breakpoint at a machine instruction.
type InstructionBreakpoint struct {
	InstructionReference string  `json:"instructionReference"`
	Offset               *int64  `json:"offset,omitzero"` // bytes
	Condition            *string `json:"condition,omitzero"`
	HitCondition         *string `json:"hitCondition,omitzero"`
	Mode                 *string `json:"mode,omitzero"`
	Extra
}

// DataBreakpoint asks for a breakpoint on access to data.
type DataBreakpoint struct {
	DataID       string                    `json:"dataId"` // from [DataBreakpointInfoResponseBody]
	AccessType   *DataBreakpointAccessType `json:"accessType,omitzero"`
	Condition    *string                   `json:"condition,omitzero"`
	HitCondition *string                   `json:"hitCondition,omitzero"`
	Extra
}

// DataBreakpointAccessType is the access that a data breakpoint stops on.
type DataBreakpointAccessType string

// The kinds of access.
const (
	DataBreakpointAccessTypeRead      DataBreakpointAccessType = "read"
	DataBreakpointAccessTypeWrite     DataBreakpointAccessType = "write"
	DataBreakpointAccessTypeReadWrite DataBreakpointAccessType = "readWrite"
)

// SetBreakpointsArguments replaces all breakpoints of one source.
type SetBreakpointsArguments struct {
	Source         Source             `json:"source"`
	Breakpoints    []SourceBreakpoint `json:"breakpoints,omitzero"`
	Lines          []int              `json:"lines,omitzero"` // deprecated form of Breakpoints
	SourceModified *bool              `json:"sourceModified,omitzero"`
	Extra
}

// SetBreakpointsResponseBody has a breakpoint for each that was asked for, in the same order.
type SetBreakpointsResponseBody struct {
	Breakpoints []Breakpoint `json:"breakpoints"`
	Extra
}

// SetFunctionBreakpointsArguments replaces all function breakpoints.
type SetFunctionBreakpointsArguments struct {
	Breakpoints []FunctionBreakpoint `json:"breakpoints"`
	Extra
}

// SetFunctionBreakpointsResponseBody has a breakpoint for each that was asked for, in the same
// order.
type SetFunctionBreakpointsResponseBody struct {
	Breakpoints []Breakpoint `json:"breakpoints"`
	Extra
}

// SetInstructionBreakpointsArguments replaces all instruction breakpoints.
type SetInstructionBreakpointsArguments struct {
	Breakpoints []InstructionBreakpoint `json:"breakpoints"`
	Extra
}

// SetInstructionBreakpointsResponseBody has a breakpoint for each that was asked for, in the same
// order.
type SetInstructionBreakpointsResponseBody struct {
	Breakpoints []Breakpoint `json:"breakpoints"`
	Extra
}

// SetDataBreakpointsArguments replaces all data breakpoints.
type SetDataBreakpointsArguments struct {
	Breakpoints []DataBreakpoint `json:"breakpoints"`
	Extra
}

// SetDataBreakpointsResponseBody has a breakpoint for each that was asked for, in the same order.
type SetDataBreakpointsResponseBody struct {
	Breakpoints []Breakpoint `json:"breakpoints"`
	Extra
}

// DataBreakpointInfoArguments asks whether access to some data can be a breakpoint.
type DataBreakpointInfoArguments struct {
	// VariablesReference is the container of the variable Name; absent or zero: Name is an
	// expression.
	VariablesReference *int    `json:"variablesReference,omitzero"`
	Name               string  `json:"name"`
	FrameID            *int    `json:"frameId,omitzero"`   // the scope of an expression
	Bytes              *int    `json:"bytes,omitzero"`     // the size of the range to watch
	AsAddress          *bool   `json:"asAddress,omitzero"` // Name is an address
	Mode               *string `json:"mode,omitzero"`
	Extra
}

// DataBreakpointInfoResponseBody answers whether access to some data can be a breakpoint.
type DataBreakpointInfoResponseBody struct {
	DataID      *string                    `json:"dataId"` // null: it cannot
	Description string                     `json:"description"`
	AccessTypes []DataBreakpointAccessType `json:"accessTypes,omitzero"`
	CanPersist  *bool                      `json:"canPersist,omitzero"` // across sessions
	Extra
}

// BreakpointLocationsArguments asks where in a range breakpoints are possible.
type BreakpointLocationsArguments struct {
	Source    Source `json:"source"`
	Line      int    `json:"line"`
	Column    *int   `json:"column,omitzero"`    // absent is the first of the line
	EndLine   *int   `json:"endLine,omitzero"`   // absent is Line
	EndColumn *int   `json:"endColumn,omitzero"` // absent is the last of the line
	Extra
}

// BreakpointLocationsResponseBody has the places in ascending order.
type BreakpointLocationsResponseBody struct {
	Breakpoints []BreakpointLocation `json:"breakpoints"`
	Extra
}

// BreakpointLocation is a place where a breakpoint is possible.
type BreakpointLocation struct {
	Line      int  `json:"line"`
	Column    *int `json:"column,omitzero"`
	EndLine   *int `json:"endLine,omitzero"`
	EndColumn *int `json:"endColumn,omitzero"`
	Extra
}

// BreakpointEventBody tells that a breakpoint changed by itself, not by a request.
type BreakpointEventBody struct {
	Reason     BreakpointEventReason `json:"reason"`
	Breakpoint Breakpoint            `json:"breakpoint"` // found by its id
	Extra
}

// BreakpointEventReason is what happened to a breakpoint.
type BreakpointEventReason string

// The reasons of the schema.
const (
	BreakpointEventReasonChanged BreakpointEventReason = "changed"
	BreakpointEventReasonNew     BreakpointEventReason = "new"
	BreakpointEventReasonRemoved BreakpointEventReason = "removed"
)
