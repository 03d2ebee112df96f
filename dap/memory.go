package dap

// ReadMemoryArguments asks for memory.
type ReadMemoryArguments struct {
	MemoryReference string `json:"memoryReference"`
	Offset          *int64 `json:"offset,omitzero"` // bytes; absent is 0; within 2^53
	Count           int64  `json:"count"`           // bytes; at most 2^53-1
	Extra
}

// ReadMemoryResponseBody is memory.
type ReadMemoryResponseBody struct {
	Address         string  `json:"address"`                  // of the first byte; 0x for hexadecimal
	UnreadableBytes *int64  `json:"unreadableBytes,omitzero"` // after the last byte read
	Data            *string `json:"data,omitzero"`            // in base64
	Extra
}

// WriteMemoryArguments changes memory.
type WriteMemoryArguments struct {
	MemoryReference string `json:"memoryReference"`
	Offset          *int64 `json:"offset,omitzero"` // bytes; absent is 0; within 2^53
	// AllowPartial accepts that not all bytes are written; absent is false.
	AllowPartial *bool  `json:"allowPartial,omitzero"`
	Data         string `json:"data"` // in base64
	Extra
}

// WriteMemoryResponseBody tells what was written, if that was less than asked for.
type WriteMemoryResponseBody struct {
	Offset       *int64 `json:"offset,omitzero"`
	BytesWritten *int   `json:"bytesWritten,omitzero"`
	Extra
}

// MemoryEventBody tells that memory has changed.
type MemoryEventBody struct {
	MemoryReference string `json:"memoryReference"`
	Offset          int64  `json:"offset"` // bytes; within 2^53
	Count           int64  `json:"count"`  // bytes; at most 2^53-1
	Extra
}

// DisassembleArguments asks for machine instructions.
type DisassembleArguments struct {
	MemoryReference   string `json:"memoryReference"`
	Offset            *int64 `json:"offset,omitzero"`            // bytes; absent is 0
	InstructionOffset *int64 `json:"instructionOffset,omitzero"` // instructions after Offset
	InstructionCount  int    `json:"instructionCount"`           // exactly so many are answered
	ResolveSymbols    *bool  `json:"resolveSymbols,omitzero"`
	Extra
}

// DisassembleResponseBody has machine instructions.
type DisassembleResponseBody struct {
	Instructions []DisassembledInstruction `json:"instructions"`
	Extra
}

// DisassembledInstruction is a machine instruction.
type DisassembledInstruction struct {
	Address          string  `json:"address"` // 0x for hexadecimal
	InstructionBytes *string `json:"instructionBytes,omitzero"`
	Instruction      string  `json:"instruction"`
	Symbol           *string `json:"symbol,omitzero"`
	// Location, Line and the rest are given where they differ from the instruction before.
	Location         *Source               `json:"location,omitzero"`
	Line             *int                  `json:"line,omitzero"`
	Column           *int                  `json:"column,omitzero"`
	EndLine          *int                  `json:"endLine,omitzero"`
	EndColumn        *int                  `json:"endColumn,omitzero"`
	PresentationHint *InstructionRendering `json:"presentationHint,omitzero"`
	Extra
}

// InstructionRendering is how a client shows an instruction.
type InstructionRendering string

// The renderings of the schema; an invalid instruction fills a gap.
const (
	InstructionRenderingNormal  InstructionRendering = "normal"
	InstructionRenderingInvalid InstructionRendering = "invalid"
)
