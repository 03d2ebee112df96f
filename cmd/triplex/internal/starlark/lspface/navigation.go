package lspface

import (
	"context"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

// definition leads to where what is at a place is defined, through load statements.
func definition(
	_ context.Context, s *lsp.Session, p *protocol.DefinitionParams,
) (protocol.DefinitionResult, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	found := d.file.Definition(off)
	able := textDocument(s).Definition
	if able == nil || !isTrue(able.LinkSupport) {
		return protocol.LocationSlice(d.locations(found)), nil
	}
	links := protocol.DefinitionLinkSlice{}
	for _, link := range d.linksTo(off, found) {
		links = append(links, protocol.DefinitionLink(link))
	}
	return links, nil
}

// declaration leads to where what is at a place is declared in its file.
func declaration(
	_ context.Context, s *lsp.Session, p *protocol.DeclarationParams,
) (protocol.DeclarationResult, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	found := d.file.Declaration(off)
	able := textDocument(s).Declaration
	if able == nil || !isTrue(able.LinkSupport) {
		return protocol.LocationSlice(d.locations(found)), nil
	}
	links := protocol.DeclarationLinkSlice{}
	for _, link := range d.linksTo(off, found) {
		links = append(links, protocol.DeclarationLink(link))
	}
	return links, nil
}

// linksTo returns links to locations that begin at the whole of what is at an offset: a client by
// itself would take a word of a load path for it.
func (d *document) linksTo(off int, found []workspace.Location) []protocol.LocationLink {
	var origin *protocol.Range
	if h := d.file.Hover(off); h != nil {
		origin = new(d.rng(h.Span))
	}
	links := make([]protocol.LocationLink, len(found))
	for i, l := range found {
		to := d.location(l)
		links[i] = protocol.LocationLink{
			OriginSelectionRange: origin, TargetURI: to.URI,
			TargetRange: to.Range, TargetSelectionRange: to.Range,
		}
	}
	return links
}

// references finds the occurrences of what is at a place in all files.
func references(
	ctx context.Context, s *lsp.Session, p *protocol.ReferenceParams,
) ([]protocol.Location, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	refs, err := d.file.References(ctx, off)
	if err != nil {
		return nil, err
	}
	var list []protocol.Location
	for _, ref := range refs {
		if p.Context.IncludeDeclaration || !ref.Declaration {
			list = append(list, d.location(ref.Location))
		}
	}
	found := lsp.NewPartial[protocol.Location](s, p.PartialResultToken)
	if err := found.Add(ctx, list...); err != nil {
		return nil, err
	}
	return found.Rest(), nil
}

func highlights(
	_ context.Context, s *lsp.Session, p *protocol.DocumentHighlightParams,
) ([]protocol.DocumentHighlight, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	list := []protocol.DocumentHighlight{}
	for _, o := range d.file.Highlights(off) {
		kind := protocol.DocumentHighlightKindRead
		if o.Write {
			kind = protocol.DocumentHighlightKindWrite
		}
		list = append(list, protocol.DocumentHighlight{Range: d.rng(o.Span), Kind: kind})
	}
	return list, nil
}

// links returns the modules of load statements as links to their files.
func links(
	_ context.Context, s *lsp.Session, p *protocol.DocumentLinkParams,
) ([]protocol.DocumentLink, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol.DocumentLink{}
	for _, link := range d.file.Links() {
		list = append(list, protocol.DocumentLink{
			Range: d.rng(link.Span), Target: new(stateOf(s).uriOf(link.Target)),
		})
	}
	return list, nil
}
