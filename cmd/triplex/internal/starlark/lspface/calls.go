package lspface

import (
	"context"
	"path/filepath"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

// prepareCalls returns the function whose name is at a place.
func prepareCalls(
	_ context.Context, s *lsp.Session, p *protocol.CallHierarchyPrepareParams,
) ([]protocol.CallHierarchyItem, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	fn := d.file.Function(off)
	if fn == nil {
		return nil, nil
	}
	return []protocol.CallHierarchyItem{d.callItem(*fn)}, nil
}

func (d *document) callItem(fn workspace.Function) protocol.CallHierarchyItem {
	in := newPlace(fn.Location.Text, d.enc)
	item := protocol.CallHierarchyItem{
		Name:           fn.Name,
		Kind:           protocol.SymbolKindFunction,
		Detail:         new(filepath.Base(fn.Location.Name)),
		URI:            stateOf(d.session).uriOf(fn.Location.Name),
		Range:          in.rng(fn.Location.Span),
		SelectionRange: in.rng(fn.NameSpan),
	}
	if fn.Name == fn.Location.Name { // the top level of a file
		item.Kind, item.Name = protocol.SymbolKindModule, filepath.Base(fn.Name)
	}
	return item
}

func incomingCalls(
	ctx context.Context, s *lsp.Session, p *protocol.CallHierarchyIncomingCallsParams,
) ([]protocol.CallHierarchyIncomingCall, error) {
	d, off, err := itemAt(s, &p.Item)
	if err != nil || p.Item.Kind == protocol.SymbolKindModule {
		return nil, err // nobody calls the top level of a file
	}
	edges, err := d.file.IncomingCalls(ctx, off)
	if err != nil {
		return nil, err
	}
	list := []protocol.CallHierarchyIncomingCall{}
	for _, e := range edges {
		list = append(list, protocol.CallHierarchyIncomingCall{
			From:       d.callItem(e.Function),
			FromRanges: newPlace(e.Function.Location.Text, d.enc).ranges(e.Calls),
		})
	}
	return list, nil
}

func outgoingCalls(
	_ context.Context, s *lsp.Session, p *protocol.CallHierarchyOutgoingCallsParams,
) ([]protocol.CallHierarchyOutgoingCall, error) {
	d, off, err := itemAt(s, &p.Item)
	if err != nil {
		return nil, err
	}
	list := []protocol.CallHierarchyOutgoingCall{}
	for _, e := range d.file.OutgoingCalls(off) {
		list = append(list, protocol.CallHierarchyOutgoingCall{
			To: d.callItem(e.Function), FromRanges: d.ranges(e.Calls),
		})
	}
	return list, nil
}

// itemAt returns the file of an item and the offset of its name.
func itemAt(s *lsp.Session, item *protocol.CallHierarchyItem) (*document, int, error) {
	return at(s, &protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: item.URI},
		Position:     item.SelectionRange.Start,
	})
}
