package dap

// EvaluateArguments asks for the value of an expression.
type EvaluateArguments struct {
	Expression string           `json:"expression"`
	FrameID    *int             `json:"frameId,omitzero"` // absent: the global scope
	Line       *int             `json:"line,omitzero"`    // where the user reads the expression
	Column     *int             `json:"column,omitzero"`
	Source     *Source          `json:"source,omitzero"`
	Context    *EvaluateContext `json:"context,omitzero"`
	Format     *ValueFormat     `json:"format,omitzero"`
	Extra
}

// EvaluateContext is what the value of an expression is wanted for.
type EvaluateContext string

// The contexts of the schema. Evaluation for a hover must not have side effects.
const (
	EvaluateContextWatch     EvaluateContext = "watch"
	EvaluateContextREPL      EvaluateContext = "repl"
	EvaluateContextHover     EvaluateContext = "hover"
	EvaluateContextClipboard EvaluateContext = "clipboard"
	EvaluateContextVariables EvaluateContext = "variables"
)

// EvaluateResponseBody is the value of an expression; see [Variable] for its members.
type EvaluateResponseBody struct {
	Result                 string                    `json:"result"`
	Type                   *string                   `json:"type,omitzero"`
	PresentationHint       *VariablePresentationHint `json:"presentationHint,omitzero"`
	VariablesReference     int                       `json:"variablesReference"`
	NamedVariables         *int                      `json:"namedVariables,omitzero"`
	IndexedVariables       *int                      `json:"indexedVariables,omitzero"`
	MemoryReference        *string                   `json:"memoryReference,omitzero"`
	ValueLocationReference *int                      `json:"valueLocationReference,omitzero"`
	Extra
}

// SetExpressionArguments gives what an expression denotes another value.
type SetExpressionArguments struct {
	Expression string       `json:"expression"`
	Value      string       `json:"value"`            // an expression
	FrameID    *int         `json:"frameId,omitzero"` // absent: the global scope
	Format     *ValueFormat `json:"format,omitzero"`
	Extra
}

// SetExpressionResponseBody is the value now; see [Variable] for its members.
type SetExpressionResponseBody struct {
	Value                  string                    `json:"value"`
	Type                   *string                   `json:"type,omitzero"`
	PresentationHint       *VariablePresentationHint `json:"presentationHint,omitzero"`
	VariablesReference     *int                      `json:"variablesReference,omitzero"`
	NamedVariables         *int                      `json:"namedVariables,omitzero"`
	IndexedVariables       *int                      `json:"indexedVariables,omitzero"`
	MemoryReference        *string                   `json:"memoryReference,omitzero"`
	ValueLocationReference *int                      `json:"valueLocationReference,omitzero"`
	Extra
}

// CompletionsArguments asks how a text can go on at a place.
type CompletionsArguments struct {
	FrameID *int   `json:"frameId,omitzero"` // absent: the global scope
	Text    string `json:"text"`
	Column  int    `json:"column"`        // UTF-16 code units
	Line    *int   `json:"line,omitzero"` // absent is the first
	Extra
}

// CompletionsResponseBody has the proposals.
type CompletionsResponseBody struct {
	Targets []CompletionItem `json:"targets"`
	Extra
}

// CompletionItem is a proposal how a text can go on.
type CompletionItem struct {
	Label    string              `json:"label"`
	Text     *string             `json:"text,omitzero"` // to insert; absent is Label
	SortText *string             `json:"sortText,omitzero"`
	Detail   *string             `json:"detail,omitzero"`
	Type     *CompletionItemType `json:"type,omitzero"`
	// Start and Length are the part of the text that is replaced, in UTF-16 code units; absent:
	// Text is inserted at the place.
	Start  *int `json:"start,omitzero"`
	Length *int `json:"length,omitzero"`
	// SelectionStart and SelectionLength are the part of Text that is selected then.
	SelectionStart  *int `json:"selectionStart,omitzero"`
	SelectionLength *int `json:"selectionLength,omitzero"`
	Extra
}

// CompletionItemType is what a proposal is; clients show it as an icon.
type CompletionItemType string

// The types of the schema.
const (
	CompletionItemTypeMethod      CompletionItemType = "method"
	CompletionItemTypeFunction    CompletionItemType = "function"
	CompletionItemTypeConstructor CompletionItemType = "constructor"
	CompletionItemTypeField       CompletionItemType = "field"
	CompletionItemTypeVariable    CompletionItemType = "variable"
	CompletionItemTypeClass       CompletionItemType = "class"
	CompletionItemTypeInterface   CompletionItemType = "interface"
	CompletionItemTypeModule      CompletionItemType = "module"
	CompletionItemTypeProperty    CompletionItemType = "property"
	CompletionItemTypeUnit        CompletionItemType = "unit"
	CompletionItemTypeValue       CompletionItemType = "value"
	CompletionItemTypeEnum        CompletionItemType = "enum"
	CompletionItemTypeKeyword     CompletionItemType = "keyword"
	CompletionItemTypeSnippet     CompletionItemType = "snippet"
	CompletionItemTypeText        CompletionItemType = "text"
	CompletionItemTypeColor       CompletionItemType = "color"
	CompletionItemTypeFile        CompletionItemType = "file"
	CompletionItemTypeReference   CompletionItemType = "reference"
	CompletionItemTypeCustomColor CompletionItemType = "customcolor"
)
