package lspface

import (
	"context"
	"math"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

var foldKinds = map[workspace.FoldKind]protocol.FoldingRangeKind{
	workspace.CommentFold: protocol.FoldingRangeKindComment,
	workspace.LoadFold:    protocol.FoldingRangeKindImports,
}

// folds returns what may be folded, no more than the client wants.
func folds(
	_ context.Context, s *lsp.Session, p *protocol.FoldingRangeParams,
) ([]protocol.FoldingRange, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	able := textDocument(s).FoldingRange
	if able == nil {
		able = new(protocol.FoldingRangeClientCapabilities)
	}
	limit := uint32(math.MaxUint32)
	if able.RangeLimit != nil {
		limit = *able.RangeLimit
	}
	list := []protocol.FoldingRange{}
	for _, fold := range d.file.Folds() {
		if uint32(len(list)) == limit {
			break
		}
		r := d.rng(fold.Span)
		f := protocol.FoldingRange{
			StartLine: r.Start.Line, EndLine: r.End.Line, Kind: foldKinds[fold.Kind],
		}
		if !isTrue(able.LineFoldingOnly) {
			// From the end of the first line, which stays to be seen.
			line := d.text.LineSpan(int(r.Start.Line))
			f.StartCharacter = new(d.position(line.End).Character)
			f.EndCharacter = new(r.End.Character)
		}
		list = append(list, f)
	}
	return list, nil
}

// selections returns for each position the ranges that a selection there grows through.
func selections(
	ctx context.Context, s *lsp.Session, p *protocol.SelectionRangeParams,
) ([]protocol.SelectionRange, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol.SelectionRange{}
	for _, pos := range p.Positions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		spans := d.file.Selections(d.offset(pos))
		var around *protocol.SelectionRange
		for i := len(spans) - 1; i >= 0; i-- {
			around = &protocol.SelectionRange{Range: d.rng(spans[i]), Parent: around}
		}
		if around == nil {
			around = &protocol.SelectionRange{Range: protocol.Range{Start: pos, End: pos}}
		}
		list = append(list, *around)
	}
	return list, nil
}

// inlayHints returns the names of the parameters that arguments in a range are for.
func inlayHints(
	_ context.Context, s *lsp.Session, p *protocol.InlayHintParams,
) ([]protocol.InlayHint, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol.InlayHint{}
	for _, h := range d.file.InlayHints(d.span(p.Range)) {
		list = append(list, protocol.InlayHint{
			Position:     d.position(h.Offset),
			Label:        protocol.String(h.Label),
			Kind:         protocol.InlayHintKindParameter,
			PaddingRight: new(true),
		})
	}
	return list, nil
}
