package mcpface

import (
	"context"
	"fmt"
	"strings"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Target is a name in a file: at a place, or that of a symbol.
type Target struct {
	File   string `json:"file,omitempty" jsonschema:"path, absolute or relative to a folder"`
	Line   int    `json:"line,omitempty" jsonschema:"line of the name, from 1"`
	Column int    `json:"column,omitempty" jsonschema:"column of the name in characters, from 1"`
	Symbol string `json:"symbol,omitempty" jsonschema:"the name, instead of line and column"`
}

// A Place is a part of a file, with the first line of it.
type Place struct {
	File string `json:"file"`
	Range
	Text string `json:"text,omitempty" jsonschema:"the line of source"`
	Note string `json:"note,omitempty"`
}

func placeOf(l workspace.Location) Place {
	return Place{
		File: l.Name, Range: rangeOf(l.Text, l.Span), Text: lineAt(l.Text, l.Span.Start),
	}
}

// places returns those of some locations that may be shown.
func (f *Face) places(locations []workspace.Location) []Place {
	list := []Place{}
	for _, l := range locations {
		if f.isVisible(l.Name) {
			list = append(list, placeOf(l))
		}
	}
	return list
}

// locate returns the file and the offset of a target.
func (c call) locate(ctx context.Context, in Target) (*workspace.File, int, error) {
	switch {
	case in.Symbol != "" && in.File == "":
		return c.locateAnywhere(ctx, in.Symbol)
	case in.Symbol == "" && (in.File == "" || in.Line == 0 || in.Column == 0):
		return nil, 0, failf(codeArguments,
			"give file, line and column, which count from 1, or a symbol")
	}
	file, err := c.open(in.File)
	if err != nil {
		return nil, 0, err
	}
	if in.Symbol != "" {
		off, err := locateIn(file, in.Symbol)
		return file, off, err
	}
	off, err := offset(file.Text(), in.Line, in.Column)
	return file, off, err
}

// locateAnywhere looks for a symbol of the workspace.
func (c call) locateAnywhere(ctx context.Context, symbol string) (*workspace.File, int, error) {
	found, err := c.guest(sourceName).Symbols(ctx, symbol)
	if err != nil {
		return nil, 0, err
	}
	var same []workspace.FoundSymbol
	for _, s := range found {
		if s.Name == symbol && c.isVisible(s.Location.Name) {
			same = append(same, s)
		}
	}
	switch len(same) {
	case 0:
		return nil, 0, failf(codeNotFound, "no file of the workspace defines %s%s",
			clip(symbol, maxName), similar(found))
	case 1:
		file, err := c.open(same[0].Location.Name)
		return file, same[0].Location.Span.Start, err
	}
	return nil, 0, failf(codeAmbiguous, "%s is defined in several files, name one: %s",
		symbol, where(same))
}

// maxNamed is how many alternatives a failure names.
const maxNamed = 10

// similar names symbols that may have been meant.
func similar(found []workspace.FoundSymbol) string {
	found, _ = bounded(found, maxNamed)
	var names []string
	for _, s := range found {
		names = appendNew(names, s.Name)
	}
	if len(names) == 0 {
		return ""
	}
	return " (similar: " + strings.Join(names, ", ") + ")"
}

func where(found []workspace.FoundSymbol) string {
	var list []string
	rest, omitted := bounded(found, maxNamed)
	for _, s := range rest {
		line, _ := position(s.Location.Text, s.Location.Span.Start)
		list = append(list, fmt.Sprintf("%s:%d", s.Location.Name, line))
	}
	if omitted > 0 {
		list = append(list, fmt.Sprintf("and %d more", omitted))
	}
	return strings.Join(list, ", ")
}

// locateIn returns the offset of a name in a file: of what the file defines, or else of the first
// word that is this name, such as that of a parameter.
func locateIn(file *workspace.File, symbol string) (int, error) {
	if s := findSymbol(file.Symbols(), symbol); s != nil {
		return s.NameSpan.Start, nil
	}
	text := file.Text()
	for _, token := range file.Tokens(source.Span{End: text.Len()}) {
		switch token.Kind {
		case workspace.VariableToken, workspace.FunctionToken, workspace.ParameterToken,
			workspace.PropertyToken, workspace.MethodToken:
			if text.Slice(token.Span) == symbol {
				return token.Span.Start, nil
			}
		}
	}
	return 0, failf(codeNotFound, "%s has no name %s", file.Name(), clip(symbol, maxName))
}

// findSymbol returns the symbol of a name, that of an inner function by its name alone or behind
// those of the functions around it and dots.
func findSymbol(symbols []workspace.Symbol, name string) *workspace.Symbol {
	for i := range symbols {
		s := &symbols[i]
		if s.Name == name {
			return s
		}
		rest, _ := strings.CutPrefix(name, s.Name+".")
		if found := findSymbol(s.Children, rest); found != nil {
			return found
		}
	}
	return nil
}

type definitionOut struct {
	Outcome
	Definitions []Place `json:"definitions,omitzero" jsonschema:"none for built-in names"`
	Signature   string  `json:"signature,omitempty" jsonschema:"the name with its parameters or type"`
	Kind        string  `json:"kind,omitempty"`
	Doc         string  `json:"doc,omitempty"`
}

// maxDoc is how many bytes of documentation are returned.
const maxDoc = 16 << 10

func (c call) definition(ctx context.Context, in Target) (out definitionOut, err error) {
	file, off, err := c.locate(ctx, in)
	if err != nil {
		return out, err
	}
	out.Definitions = c.places(file.Definition(off))
	hover := file.Hover(off)
	if hover != nil && (hover.From == "" || c.isVisible(hover.From)) {
		out.Signature, out.Kind = clip(hover.Code, maxMessage), hover.Kind
		out.Doc = clip(hover.Doc, maxDoc)
	}
	if len(out.Definitions) == 0 && out.Signature == "" {
		return out, nothingAt(file, off)
	}
	return out, nil
}

func nothingAt(file *workspace.File, off int) error {
	line, column := position(file.Text(), off)
	return failf(codeNotFound, "there is no known name at line %d, column %d: %s",
		line, column, lineAt(file.Text(), off))
}

// A Reference is an occurrence of a name.
type Reference struct {
	Place
	Write       bool `json:"write,omitempty" jsonschema:"the name is given a value here"`
	Declaration bool `json:"declaration,omitempty" jsonschema:"defined or loaded here"`
}

type referencesOut struct {
	Outcome
	References []Reference `json:"references,omitzero" jsonschema:"by file and place"`
	Omitted    int         `json:"omitted,omitempty" jsonschema:"how many are not in the list"`
}

func (c call) references(ctx context.Context, in Target) (out referencesOut, err error) {
	file, off, err := c.locate(ctx, in)
	if err != nil {
		return out, err
	}
	found, err := file.References(ctx, off)
	if err != nil {
		return out, err
	}
	if len(found) == 0 {
		return out, nothingAt(file, off)
	}
	out.References = []Reference{}
	for _, r := range found {
		if !c.isVisible(r.Name) {
			continue
		}
		if len(out.References) == maxReferences {
			out.Omitted++
			continue
		}
		out.References = append(out.References, Reference{placeOf(r.Location), r.Write, r.Declaration})
	}
	return out, nil
}
