package dap

// InitializeRequestArguments is what a client says of itself in the `initialize` request. The
// client may use a feature it claims support for; the adapter must not where it does not.
type InitializeRequestArguments struct {
	ClientID   *string `json:"clientID,omitzero"`
	ClientName *string `json:"clientName,omitzero"` // for people
	AdapterID  string  `json:"adapterID"`
	Locale     *string `json:"locale,omitzero"` // of the user interface, such as en-US

	// LinesStartAt1 and ColumnsStartAt1 tell how the client counts; absent is true.
	LinesStartAt1   *bool `json:"linesStartAt1,omitzero"`
	ColumnsStartAt1 *bool `json:"columnsStartAt1,omitzero"`
	// PathFormat is the form of the paths of sources; absent is [PathFormatPath].
	PathFormat *PathFormat `json:"pathFormat,omitzero"`

	// The features that the client supports; absent is false.
	SupportsVariableType                *bool `json:"supportsVariableType,omitzero"`
	SupportsVariablePaging              *bool `json:"supportsVariablePaging,omitzero"`
	SupportsRunInTerminalRequest        *bool `json:"supportsRunInTerminalRequest,omitzero"`
	SupportsMemoryReferences            *bool `json:"supportsMemoryReferences,omitzero"`
	SupportsProgressReporting           *bool `json:"supportsProgressReporting,omitzero"`
	SupportsInvalidatedEvent            *bool `json:"supportsInvalidatedEvent,omitzero"`
	SupportsMemoryEvent                 *bool `json:"supportsMemoryEvent,omitzero"`
	SupportsArgsCanBeInterpretedByShell *bool `json:"supportsArgsCanBeInterpretedByShell,omitzero"`
	SupportsStartDebuggingRequest       *bool `json:"supportsStartDebuggingRequest,omitzero"`
	SupportsANSIStyling                 *bool `json:"supportsANSIStyling,omitzero"`

	Extra
}

// PathFormat is the form in which a client gives and expects paths of sources.
type PathFormat string

// The path formats of the schema.
const (
	PathFormatPath PathFormat = "path"
	PathFormatURI  PathFormat = "uri"
)

// Capabilities is what a debug adapter can do: the body of the `initialize` response, and of the
// `capabilities` event for what changes later. An absent boolean is false. A [Server] fills in
// what its handlers imply.
type Capabilities struct {
	SupportsConfigurationDoneRequest   *bool `json:"supportsConfigurationDoneRequest,omitzero"`
	SupportsFunctionBreakpoints        *bool `json:"supportsFunctionBreakpoints,omitzero"`
	SupportsConditionalBreakpoints     *bool `json:"supportsConditionalBreakpoints,omitzero"`
	SupportsHitConditionalBreakpoints  *bool `json:"supportsHitConditionalBreakpoints,omitzero"`
	SupportsEvaluateForHovers          *bool `json:"supportsEvaluateForHovers,omitzero"`
	SupportsStepBack                   *bool `json:"supportsStepBack,omitzero"` // and reverseContinue
	SupportsSetVariable                *bool `json:"supportsSetVariable,omitzero"`
	SupportsRestartFrame               *bool `json:"supportsRestartFrame,omitzero"`
	SupportsGotoTargetsRequest         *bool `json:"supportsGotoTargetsRequest,omitzero"`
	SupportsStepInTargetsRequest       *bool `json:"supportsStepInTargetsRequest,omitzero"`
	SupportsCompletionsRequest         *bool `json:"supportsCompletionsRequest,omitzero"`
	SupportsModulesRequest             *bool `json:"supportsModulesRequest,omitzero"`
	SupportsRestartRequest             *bool `json:"supportsRestartRequest,omitzero"`
	SupportsExceptionOptions           *bool `json:"supportsExceptionOptions,omitzero"`
	SupportsValueFormattingOptions     *bool `json:"supportsValueFormattingOptions,omitzero"`
	SupportsExceptionInfoRequest       *bool `json:"supportsExceptionInfoRequest,omitzero"`
	SupportTerminateDebuggee           *bool `json:"supportTerminateDebuggee,omitzero"`
	SupportSuspendDebuggee             *bool `json:"supportSuspendDebuggee,omitzero"`
	SupportsDelayedStackTraceLoading   *bool `json:"supportsDelayedStackTraceLoading,omitzero"`
	SupportsLoadedSourcesRequest       *bool `json:"supportsLoadedSourcesRequest,omitzero"`
	SupportsLogPoints                  *bool `json:"supportsLogPoints,omitzero"`
	SupportsTerminateThreadsRequest    *bool `json:"supportsTerminateThreadsRequest,omitzero"`
	SupportsSetExpression              *bool `json:"supportsSetExpression,omitzero"`
	SupportsTerminateRequest           *bool `json:"supportsTerminateRequest,omitzero"`
	SupportsDataBreakpoints            *bool `json:"supportsDataBreakpoints,omitzero"`
	SupportsReadMemoryRequest          *bool `json:"supportsReadMemoryRequest,omitzero"`
	SupportsWriteMemoryRequest         *bool `json:"supportsWriteMemoryRequest,omitzero"`
	SupportsDisassembleRequest         *bool `json:"supportsDisassembleRequest,omitzero"`
	SupportsCancelRequest              *bool `json:"supportsCancelRequest,omitzero"`
	SupportsBreakpointLocationsRequest *bool `json:"supportsBreakpointLocationsRequest,omitzero"`
	SupportsClipboardContext           *bool `json:"supportsClipboardContext,omitzero"`
	SupportsSteppingGranularity        *bool `json:"supportsSteppingGranularity,omitzero"`
	SupportsInstructionBreakpoints     *bool `json:"supportsInstructionBreakpoints,omitzero"`
	SupportsExceptionFilterOptions     *bool `json:"supportsExceptionFilterOptions,omitzero"`
	SupportsDataBreakpointBytes        *bool `json:"supportsDataBreakpointBytes,omitzero"`
	SupportsANSIStyling                *bool `json:"supportsANSIStyling,omitzero"`

	// SupportsSingleThreadExecution is set if singleThread is heeded by what resumes execution.
	SupportsSingleThreadExecution *bool `json:"supportsSingleThreadExecutionRequests,omitzero"`

	// ExceptionFilters are the filters that `setExceptionBreakpoints` accepts.
	ExceptionFilters []ExceptionBreakpointsFilter `json:"exceptionBreakpointFilters,omitzero"`
	// CompletionTriggerCharacters ask for completions as they are typed; absent is ".".
	CompletionTriggerCharacters []string `json:"completionTriggerCharacters,omitzero"`
	// AdditionalModuleColumns are members of modules that the client shows beside the usual.
	AdditionalModuleColumns []ColumnDescriptor `json:"additionalModuleColumns,omitzero"`
	// SupportedChecksumAlgorithms are those the adapter uses in the checksums of sources.
	SupportedChecksumAlgorithms []ChecksumAlgorithm `json:"supportedChecksumAlgorithms,omitzero"`
	// BreakpointModes are the kinds of breakpoint the user may choose from, such as hardware.
	BreakpointModes []BreakpointMode `json:"breakpointModes,omitzero"`

	Extra
}

// CapabilitiesEventBody tells which capabilities changed; what is absent stays as it was.
type CapabilitiesEventBody struct {
	Capabilities Capabilities `json:"capabilities"`
	Extra
}

// ExceptionBreakpointsFilter is a kind of exception on which the user can have execution stop.
type ExceptionBreakpointsFilter struct {
	Filter               string  `json:"filter"` // its id in `setExceptionBreakpoints`
	Label                string  `json:"label"`
	Description          *string `json:"description,omitzero"`
	Default              *bool   `json:"default,omitzero"` // on from the start; absent is false
	SupportsCondition    *bool   `json:"supportsCondition,omitzero"`
	ConditionDescription *string `json:"conditionDescription,omitzero"` // what to type as condition
	Extra
}

// ColumnDescriptor is a column of the client's table of modules.
type ColumnDescriptor struct {
	AttributeName string      `json:"attributeName"` // the member of a module to show
	Label         string      `json:"label"`
	Format        *string     `json:"format,omitzero"`
	Type          *ColumnType `json:"type,omitzero"`  // absent is [ColumnTypeString]
	Width         *int        `json:"width,omitzero"` // characters
	Extra
}

// ColumnType is the type of the values in a column.
type ColumnType string

// The column types of the schema.
const (
	ColumnTypeString           ColumnType = "string"
	ColumnTypeNumber           ColumnType = "number"
	ColumnTypeBoolean          ColumnType = "boolean"
	ColumnTypeUnixTimestampUTC ColumnType = "unixTimestampUTC"
)

// BreakpointMode is a kind of breakpoint, such as hardware, that breakpoints name as their mode.
type BreakpointMode struct {
	Mode        string                        `json:"mode"` // its id
	Label       string                        `json:"label"`
	Description *string                       `json:"description,omitzero"`
	AppliesTo   []BreakpointModeApplicability `json:"appliesTo"`
	Extra
}

// BreakpointModeApplicability is a family of breakpoints that a mode can be chosen for.
type BreakpointModeApplicability string

// The families of the schema.
const (
	BreakpointModeApplicabilitySource      BreakpointModeApplicability = "source"
	BreakpointModeApplicabilityException   BreakpointModeApplicability = "exception"
	BreakpointModeApplicabilityData        BreakpointModeApplicability = "data"
	BreakpointModeApplicabilityInstruction BreakpointModeApplicability = "instruction"
)
