package mcpface

import (
	"context"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

type symbolsIn struct {
	File  string `json:"file,omitempty" jsonschema:"path of the file whose symbols are listed"`
	Query string `json:"query,omitempty" jsonschema:"letters of names to look for, without a file"`
}

// A Symbol is a name that a file defines.
type Symbol struct {
	Name      string `json:"name"`
	Kind      string `json:"kind" jsonschema:"function, variable or constant"`
	Signature string `json:"signature,omitempty"`
	Container string `json:"container,omitempty" jsonschema:"the function around it"`
	File      string `json:"file"`
	Range
}

type symbolsOut struct {
	Outcome
	Symbols []Symbol `json:"symbols,omitzero"`
	Omitted int      `json:"omitted,omitempty" jsonschema:"how many are not in the list"`
}

func (c call) symbols(ctx context.Context, in symbolsIn) (out symbolsOut, err error) {
	switch {
	case in.File != "" && in.Query != "":
		return out, failf(codeArguments, "give either file or query, not both")
	case in.File != "":
		err = c.fileSymbols(&out, in.File)
	default:
		err = c.workspaceSymbols(ctx, &out, in.Query)
	}
	return out, err
}

func (c call) fileSymbols(out *symbolsOut, name string) error {
	file, err := c.open(name)
	if err != nil {
		return err
	}
	out.Symbols = []Symbol{}
	out.add(file, "", file.Symbols())
	return nil
}

// add appends symbols of a file, and after each those inside it.
func (out *symbolsOut) add(file *workspace.File, container string, symbols []workspace.Symbol) {
	for _, s := range symbols {
		if len(out.Symbols) == maxSymbols {
			out.Omitted++
		} else {
			symbol := symbolOf(s, file.Name())
			symbol.Container, symbol.Range = container, rangeOf(file.Text(), s.Span)
			out.Symbols = append(out.Symbols, symbol)
		}
		out.add(file, s.Name, s.Children)
	}
}

func symbolOf(s workspace.Symbol, file string) Symbol {
	symbol := Symbol{Name: s.Name, Kind: "variable", Signature: clip(s.Detail, maxLine), File: file}
	switch s.Kind {
	case workspace.FunctionSymbol:
		symbol.Kind = "function"
	case workspace.ConstantSymbol:
		symbol.Kind = "constant"
	}
	return symbol
}

func (c call) workspaceSymbols(ctx context.Context, out *symbolsOut, query string) error {
	found, err := c.guest(sourceName).Symbols(ctx, query)
	if err != nil {
		return err
	}
	out.Symbols = []Symbol{}
	for _, s := range found {
		switch {
		case !c.isVisible(s.Location.Name):
		case len(out.Symbols) == maxSymbols:
			out.Omitted++
		default:
			symbol := symbolOf(s.Symbol, s.Location.Name)
			symbol.Range = rangeOf(s.Location.Text, s.Location.Span)
			out.Symbols = append(out.Symbols, symbol)
		}
	}
	return nil
}
