package dap

import "encoding/json"

// Source is a text that is debugged: a file, or one that only the adapter has.
type Source struct {
	Name *string `json:"name,omitzero"` // short, for people
	Path *string `json:"path,omitzero"` // in the client's [PathFormat]
	// SourceReference is not 0 if the text is to be had by the `source` request only. It is valid
	// for the session.
	SourceReference  *int             `json:"sourceReference,omitzero"`
	PresentationHint *SourceRendering `json:"presentationHint,omitzero"`
	Origin           *string          `json:"origin,omitzero"` // such as "inlined content"
	Sources          []Source         `json:"sources,omitzero"`
	AdapterData      json.RawMessage  `json:"adapterData,omitzero"` // clients send it back
	Checksums        []Checksum       `json:"checksums,omitzero"`
	Extra
}

// SourceRendering is how a client shows a source.
type SourceRendering string

// The renderings of the schema.
const (
	SourceRenderingNormal      SourceRendering = "normal"
	SourceRenderingEmphasize   SourceRendering = "emphasize"
	SourceRenderingDeemphasize SourceRendering = "deemphasize"
)

// Checksum is the checksum of a source's text.
type Checksum struct {
	Algorithm ChecksumAlgorithm `json:"algorithm"`
	Checksum  string            `json:"checksum"` // in hexadecimal
	Extra
}

// ChecksumAlgorithm is how a checksum is calculated.
type ChecksumAlgorithm string

// The algorithms of the schema.
const (
	ChecksumAlgorithmMD5       ChecksumAlgorithm = "MD5"
	ChecksumAlgorithmSHA1      ChecksumAlgorithm = "SHA1"
	ChecksumAlgorithmSHA256    ChecksumAlgorithm = "SHA256"
	ChecksumAlgorithmTimestamp ChecksumAlgorithm = "timestamp"
)

// SourceArguments asks for the text of a source.
type SourceArguments struct {
	Source          *Source `json:"source,omitzero"`
	SourceReference int     `json:"sourceReference"` // what clients sent before Source
	Extra
}

// SourceResponseBody is the text of a source.
type SourceResponseBody struct {
	Content  string  `json:"content"`
	MIMEType *string `json:"mimeType,omitzero"`
	Extra
}

// LoadedSourcesArguments is empty: the request asks for all sources.
type LoadedSourcesArguments struct {
	Extra
}

// LoadedSourcesResponseBody has the sources that are loaded.
type LoadedSourcesResponseBody struct {
	Sources []Source `json:"sources"`
	Extra
}

// LoadedSourceEventBody tells of a source that was loaded, changed or unloaded.
type LoadedSourceEventBody struct {
	Reason LoadReason `json:"reason"`
	Source Source     `json:"source"`
	Extra
}

// LoadReason is what happened to a source or module.
type LoadReason string

// The reasons of the schema.
const (
	LoadReasonNew     LoadReason = "new"
	LoadReasonChanged LoadReason = "changed"
	LoadReasonRemoved LoadReason = "removed"
)

// Module is a library or another unit that the debuggee loads.
type Module struct {
	ID             ModuleID `json:"id"`
	Name           string   `json:"name"`
	Path           *string  `json:"path,omitzero"`
	IsOptimized    *bool    `json:"isOptimized,omitzero"`
	IsUserCode     *bool    `json:"isUserCode,omitzero"`
	Version        *string  `json:"version,omitzero"`
	SymbolStatus   *string  `json:"symbolStatus,omitzero"` // for people
	SymbolFilePath *string  `json:"symbolFilePath,omitzero"`
	DateTimeStamp  *string  `json:"dateTimeStamp,omitzero"` // RFC 3339
	AddressRange   *string  `json:"addressRange,omitzero"`
	Extra
}

// ModulesArguments asks for modules.
type ModulesArguments struct {
	StartModule *int `json:"startModule,omitzero"` // from 0; absent is 0
	ModuleCount *int `json:"moduleCount,omitzero"` // absent and 0 are all
	Extra
}

// ModulesResponseBody has modules.
type ModulesResponseBody struct {
	Modules      []Module `json:"modules"`
	TotalModules *int     `json:"totalModules,omitzero"`
	Extra
}

// ModuleEventBody tells of a module that was loaded, changed or unloaded.
type ModuleEventBody struct {
	Reason LoadReason `json:"reason"`
	Module Module     `json:"module"` // only the id is needed for one unloaded
	Extra
}

// LocationsArguments asks for the place that a location reference stands for.
type LocationsArguments struct {
	LocationReference int `json:"locationReference"`
	Extra
}

// LocationsResponseBody is a place in a source.
type LocationsResponseBody struct {
	Source    Source `json:"source"`
	Line      int    `json:"line"`
	Column    *int   `json:"column,omitzero"`
	EndLine   *int   `json:"endLine,omitzero"`
	EndColumn *int   `json:"endColumn,omitzero"`
	Extra
}
