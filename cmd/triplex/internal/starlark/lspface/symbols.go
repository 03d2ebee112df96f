package lspface

import (
	"context"
	"path/filepath"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

var symbolKinds = map[workspace.SymbolKind]protocol.SymbolKind{
	workspace.VariableSymbol: protocol.SymbolKindVariable,
	workspace.ConstantSymbol: protocol.SymbolKindConstant,
	workspace.FunctionSymbol: protocol.SymbolKindFunction,
}

// documentSymbols returns what a file defines, as a tree if the client takes one.
func documentSymbols(
	_ context.Context, s *lsp.Session, p *protocol.DocumentSymbolParams,
) (protocol.DocumentSymbolResult, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	able := textDocument(s).DocumentSymbol
	if able != nil && isTrue(able.HierarchicalDocumentSymbolSupport) {
		return protocol.DocumentSymbolSlice(d.symbolTree(d.file.Symbols())), nil
	}
	return d.symbolList(protocol.SymbolInformationSlice{}, "", d.file.Symbols()), nil
}

func (d *document) symbolTree(symbols []workspace.Symbol) []protocol.DocumentSymbol {
	list := make([]protocol.DocumentSymbol, len(symbols))
	for i, s := range symbols {
		list[i] = protocol.DocumentSymbol{
			Name: s.Name, Kind: symbolKinds[s.Kind],
			Range: d.rng(s.Span), SelectionRange: d.rng(s.NameSpan),
		}
		if s.Detail != "" {
			list[i].Detail = new(s.Detail)
		}
		if len(s.Children) > 0 {
			list[i].Children = d.symbolTree(s.Children)
		}
	}
	return list
}

// symbolList appends symbols and what is inside them, each with the name of what it is inside of.
func (d *document) symbolList(
	list protocol.SymbolInformationSlice, container string, symbols []workspace.Symbol,
) protocol.SymbolInformationSlice {
	for _, s := range symbols {
		info := protocol.SymbolInformation{
			BaseSymbolInformation: protocol.BaseSymbolInformation{
				Name: s.Name, Kind: symbolKinds[s.Kind],
			},
			Location: protocol.Location{URI: d.uri, Range: d.rng(s.Span)},
		}
		if container != "" {
			info.ContainerName = new(container)
		}
		list = d.symbolList(append(list, info), s.Name, s.Children)
	}
	return list
}

// workspaceSymbols returns the symbols of all files that match a query.
func workspaceSymbols(
	ctx context.Context, s *lsp.Session, p *protocol.WorkspaceSymbolParams,
) (protocol.WorkspaceSymbolResult, error) {
	found, err := stateOf(s).view.Symbols(ctx, p.Query)
	if err != nil {
		return nil, err
	}
	list := make([]protocol.WorkspaceSymbol, len(found))
	for i, f := range found {
		at := newPlace(f.Location.Text, s.Encoding())
		list[i] = protocol.WorkspaceSymbol{
			BaseSymbolInformation: protocol.BaseSymbolInformation{
				Name: f.Name, Kind: symbolKinds[f.Kind],
				ContainerName: new(filepath.Base(f.Location.Name)),
			},
			Location: &protocol.Location{
				URI: stateOf(s).uriOf(f.Location.Name), Range: at.rng(f.Location.Span),
			},
		}
	}
	partial := lsp.NewPartial[protocol.WorkspaceSymbol](s, p.PartialResultToken)
	if err := partial.Add(ctx, list...); err != nil {
		return nil, err
	}
	return protocol.WorkspaceSymbolSlice(partial.Rest()), nil
}
