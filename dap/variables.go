package dap

// Variable is a name and a value. A client shows variables with children as a tree.
type Variable struct {
	Name             string                    `json:"name"`
	Value            string                    `json:"value"` // one line or more; may be empty
	Type             *string                   `json:"type,omitzero"`
	PresentationHint *VariablePresentationHint `json:"presentationHint,omitzero"`
	EvaluateName     *string                   `json:"evaluateName,omitzero"` // an expression for it

	// VariablesReference is not 0 if there are children, and valid until execution is resumed.
	VariablesReference int `json:"variablesReference"`
	// NamedVariables and IndexedVariables count the children, so that they can be paged.
	NamedVariables   *int `json:"namedVariables,omitzero"`
	IndexedVariables *int `json:"indexedVariables,omitzero"`

	MemoryReference              *string `json:"memoryReference,omitzero"`
	DeclarationLocationReference *int    `json:"declarationLocationReference,omitzero"`
	ValueLocationReference       *int    `json:"valueLocationReference,omitzero"` // as of a function
	Extra
}

// VariablePresentationHint is how a client shows a variable or a value.
type VariablePresentationHint struct {
	Kind       *VariableKind       `json:"kind,omitzero"`
	Attributes []VariableAttribute `json:"attributes,omitzero"`
	Visibility *VariableVisibility `json:"visibility,omitzero"`
	// Lazy is set if evaluation has to be asked for by the user; absent is false.
	Lazy *bool `json:"lazy,omitzero"`
	Extra
}

// VariableKind is what a variable is in its language.
type VariableKind string

// The kinds of the schema.
const (
	VariableKindProperty         VariableKind = "property"
	VariableKindMethod           VariableKind = "method"
	VariableKindClass            VariableKind = "class"
	VariableKindData             VariableKind = "data"
	VariableKindEvent            VariableKind = "event"
	VariableKindBaseClass        VariableKind = "baseClass"
	VariableKindInnerClass       VariableKind = "innerClass"
	VariableKindInterface        VariableKind = "interface"
	VariableKindMostDerivedClass VariableKind = "mostDerivedClass"
	VariableKindVirtual          VariableKind = "virtual"        // made by the adapter
	VariableKindDataBreakpoint   VariableKind = "dataBreakpoint" // deprecated
)

// VariableAttribute is a property of a variable.
type VariableAttribute string

// The attributes of the schema.
const (
	VariableAttributeStatic            VariableAttribute = "static"
	VariableAttributeConstant          VariableAttribute = "constant"
	VariableAttributeReadOnly          VariableAttribute = "readOnly"
	VariableAttributeRawString         VariableAttribute = "rawString"
	VariableAttributeHasObjectID       VariableAttribute = "hasObjectId"
	VariableAttributeCanHaveObjectID   VariableAttribute = "canHaveObjectId"
	VariableAttributeHasSideEffects    VariableAttribute = "hasSideEffects"
	VariableAttributeHasDataBreakpoint VariableAttribute = "hasDataBreakpoint"
)

// VariableVisibility is how far a variable can be seen in its language.
type VariableVisibility string

// The visibilities of the schema.
const (
	VariableVisibilityPublic    VariableVisibility = "public"
	VariableVisibilityPrivate   VariableVisibility = "private"
	VariableVisibilityProtected VariableVisibility = "protected"
	VariableVisibilityInternal  VariableVisibility = "internal"
	VariableVisibilityFinal     VariableVisibility = "final"
)

// ValueFormat says how values are to be written.
type ValueFormat struct {
	Hex *bool `json:"hex,omitzero"`
	Extra
}

// VariablesArguments asks for the children of a variable or scope.
type VariablesArguments struct {
	VariablesReference int              `json:"variablesReference"`
	Filter             *VariablesFilter `json:"filter,omitzero"` // absent is both
	Start              *int             `json:"start,omitzero"`  // from 0; absent is 0
	Count              *int             `json:"count,omitzero"`  // absent and 0 are all
	Format             *ValueFormat     `json:"format,omitzero"`
	Extra
}

// VariablesFilter selects children.
type VariablesFilter string

// The filters of the schema.
const (
	VariablesFilterIndexed VariablesFilter = "indexed"
	VariablesFilterNamed   VariablesFilter = "named"
)

// VariablesResponseBody has the children asked for.
type VariablesResponseBody struct {
	Variables []Variable `json:"variables"`
	Extra
}

// SetVariableArguments gives a variable in a container another value.
type SetVariableArguments struct {
	VariablesReference int          `json:"variablesReference"` // the container
	Name               string       `json:"name"`
	Value              string       `json:"value"`
	Format             *ValueFormat `json:"format,omitzero"`
	Extra
}

// SetVariableResponseBody is the variable's value now.
type SetVariableResponseBody struct {
	Value                  string  `json:"value"`
	Type                   *string `json:"type,omitzero"`
	VariablesReference     *int    `json:"variablesReference,omitzero"`
	NamedVariables         *int    `json:"namedVariables,omitzero"`
	IndexedVariables       *int    `json:"indexedVariables,omitzero"`
	MemoryReference        *string `json:"memoryReference,omitzero"`
	ValueLocationReference *int    `json:"valueLocationReference,omitzero"`
	Extra
}
