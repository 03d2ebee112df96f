package mcpface

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// Bounds of what tools return.
const (
	maxProblems   = 200
	maxSymbols    = 300
	maxReferences = 500
	maxText       = 512 << 10 // bytes of a formatted file
)

func (f *Face) addReading() {
	addTool(f, &sdk.Tool{
		Name: "starlark_check",
		Description: "Find what is wrong with a Starlark file, or with source text: syntax, names," +
			" loads, calls and lint. An editor's unsaved text is what is checked.",
		Annotations: reads("Check Starlark"),
	}, call.check)
	addTool(f, &sdk.Tool{
		Name: "starlark_format",
		Description: "Lay out a Starlark file, or source text, by the rules of buildifier. Returns" +
			" the text and changes no file.",
		Annotations: reads("Format Starlark"),
	}, call.format)
	addTool(f, &sdk.Tool{
		Name: "starlark_symbols",
		Description: "List the functions and globals of a Starlark file, or find those of the" +
			" workspace whose names hold the letters of a query in order.",
		Annotations: reads("List symbols"),
	}, call.symbols)
	addTool(f, &sdk.Tool{
		Name: "starlark_definition",
		Description: "Find where a name is defined, across load statements, with its signature" +
			" and documentation. Give file, line and column, or a symbol of the" +
			" file, or of the workspace.",
		Annotations: reads("Find definition"),
	}, call.definition)
	addTool(f, &sdk.Tool{
		Name: "starlark_references",
		Description: "Find where a name is used, in all files of the workspace. Give file, line" +
			" and column, or a symbol of the file, or of the workspace.",
		Annotations: reads("Find references"),
	}, call.references)
}

// A Problem is something wrong with a file.
type Problem struct {
	Code     string `json:"code" jsonschema:"kind of the problem"`
	Severity string `json:"severity" jsonschema:"error, warning or hint"`
	Message  string `json:"message"`
	Range
	Related []Place  `json:"related,omitempty" jsonschema:"places that help to understand it"`
	Fixes   []string `json:"fixes,omitempty" jsonschema:"what an editor offers to do about it"`
}

type checkOut struct {
	Outcome
	File     string    `json:"file,omitempty"`
	Problems []Problem `json:"problems,omitzero" jsonschema:"in the order of the text"`
	Omitted  int       `json:"omitted,omitempty" jsonschema:"how many problems are not in the list"`
}

var severities = [...]string{
	workspace.Error: "error", workspace.Warning: "warning", workspace.Hint: "hint",
}

// check finds the problems that an editor shows, those of lint among them.
func (c call) check(ctx context.Context, in Input) (out checkOut, err error) {
	file, err := c.openEither(in)
	if err != nil {
		return out, err
	}
	found, err := file.Problems(ctx)
	if err != nil {
		return out, err
	}
	lint, err := file.Lint(ctx)
	if err != nil {
		return out, err
	}
	found = append(found, lint...)
	slices.SortStableFunc(found, func(a, b workspace.Problem) int {
		return a.Span.Start - b.Span.Start
	})
	found, out.Omitted = bounded(found, maxProblems)
	out.File, out.Problems = file.Name(), []Problem{}
	for _, p := range found {
		out.Problems = append(out.Problems, c.problem(file, p))
	}
	return out, nil
}

func (c call) problem(file *workspace.File, p workspace.Problem) Problem {
	out := Problem{
		Code: p.Code, Severity: severities[p.Severity], Message: clip(p.Msg, maxMessage),
		Range: rangeOf(file.Text(), p.Span),
	}
	for _, r := range p.Related {
		if c.isVisible(r.Name) {
			place := placeOf(r.Location)
			place.Note = r.Msg
			out.Related = append(out.Related, place)
		}
	}
	for _, fix := range p.Fixes {
		out.Fixes = append(out.Fixes, fix.Title)
	}
	return out
}

type formatOut struct {
	Outcome
	File    string `json:"file,omitempty"`
	Changed bool   `json:"changed,omitempty" jsonschema:"whether the text differs from before"`
	Text    string `json:"text,omitempty" jsonschema:"the whole text, laid out"`
}

func (c call) format(_ context.Context, in Input) (out formatOut, err error) {
	file, err := c.openEither(in)
	if err != nil {
		return out, err
	}
	edits, err := file.Format()
	if err != nil {
		return out, failf(codeSyntax, "%v", err)
	}
	text, err := source.Apply(file.Text().String(), edits)
	if err != nil {
		return out, err
	}
	if len(text) > maxText {
		return out, failf(codeTooLarge, "the text has %d bytes, which is more than the %d that are"+
			" returned: let an editor format it", len(text), maxText)
	}
	out.File, out.Text, out.Changed = file.Name(), text, len(edits) > 0
	return out, nil
}
