package lspface

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/lsp"
)

// prepareRename returns the name at a place, or says why it cannot be changed.
func prepareRename(
	_ context.Context, s *lsp.Session, p *protocol.PrepareRenameParams,
) (protocol.PrepareRenameResult, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	span, err := d.file.PrepareRename(off)
	if err != nil {
		return nil, failed(err)
	}
	return &protocol.PrepareRenamePlaceholder{
		Range: d.rng(span), Placeholder: d.text.Slice(span),
	}, nil
}

// rename returns the edits of all files that give what is at a place another name.
func rename(
	ctx context.Context, s *lsp.Session, p *protocol.RenameParams,
) (*protocol.WorkspaceEdit, error) {
	d, off, err := at(s, &p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	edits, err := d.file.Rename(ctx, off, p.NewName)
	if err == nil {
		err = d.applicable(edits)
	}
	if err != nil {
		return nil, failed(err)
	}
	return workspaceEdit(s, edits), nil
}

// applicable returns an error if the client would apply edits to another text than they are for:
// that of a file which is open in another editor, and not saved there.
func (d *document) applicable(edits []workspace.FileEdit) error {
	for _, e := range edits {
		if _, ok := d.session.Documents().Get(stateOf(d.session).uriOf(e.Name)); ok {
			continue
		}
		content, err := os.ReadFile(e.Name)
		if err != nil {
			return err
		}
		if string(content) != e.Text.String() {
			return fmt.Errorf("%s has changes that another editor has not saved",
				filepath.Base(e.Name))
		}
	}
	return nil
}

// workspaceEdit returns edits of several files, with the versions they are for if the client
// understands that.
func workspaceEdit(s *lsp.Session, edits []workspace.FileEdit) *protocol.WorkspaceEdit {
	able := inWorkspace(s).WorkspaceEdit
	versioned := able != nil && isTrue(able.DocumentChanges)
	out := &protocol.WorkspaceEdit{}
	if !versioned {
		out.Changes = make(map[uri.URI][]protocol.TextEdit)
	}
	for _, e := range edits {
		u := stateOf(s).uriOf(e.Name)
		list := newPlace(e.Text, s.Encoding()).edits(e.Edits)
		if versioned {
			out.DocumentChanges = append(out.DocumentChanges, documentEdit(s, u, list))
		} else {
			out.Changes[u] = list
		}
	}
	return out
}

// applyEdits has the client make edits that another user of the workspace wants.
func (st *session) applyEdits(
	ctx context.Context, label string, edits []workspace.FileEdit,
) error {
	return st.client.ApplyEdit(ctx, label, *workspaceEdit(st.client, edits))
}

func documentEdit(
	s *lsp.Session, u uri.URI, edits []protocol.TextEdit,
) *protocol.TextDocumentEdit {
	e := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u},
	}}
	if doc, ok := s.Documents().Get(u); ok {
		e.TextDocument.Version = new(doc.Version)
	}
	for i := range edits {
		e.Edits = append(e.Edits, &edits[i])
	}
	return e
}

// edit returns edits of the document itself as those of a workspace.
func (d *document) edit(edits []source.Edit) *protocol.WorkspaceEdit {
	return workspaceEdit(d.session,
		[]workspace.FileEdit{{Name: d.name, Text: d.text, Edits: edits}})
}

func format(
	_ context.Context, s *lsp.Session, p *protocol.DocumentFormattingParams,
) ([]protocol.TextEdit, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	edits, err := d.file.Format()
	if err != nil {
		return nil, failed(err)
	}
	return d.edits(edits), nil
}

func formatRange(
	_ context.Context, s *lsp.Session, p *protocol.DocumentRangeFormattingParams,
) ([]protocol.TextEdit, error) {
	return formatPart(s, p.TextDocument.URI, []protocol.Range{p.Range})
}

func formatRanges(
	_ context.Context, s *lsp.Session, p *protocol.DocumentRangesFormattingParams,
) ([]protocol.TextEdit, error) {
	return formatPart(s, p.TextDocument.URI, p.Ranges)
}

// formatPart formats ranges. What two of them would change alike is changed once.
func formatPart(
	s *lsp.Session, u uri.URI, ranges []protocol.Range,
) ([]protocol.TextEdit, error) {
	d, err := open(s, u)
	if err != nil {
		return nil, err
	}
	var all []source.Edit
	seen := make(map[source.Span]bool)
	for _, r := range ranges {
		edits, err := d.file.FormatRange(d.span(r))
		if err != nil {
			return nil, failed(err)
		}
		for _, e := range edits {
			if !seen[e.Span] {
				seen[e.Span] = true
				all = append(all, e)
			}
		}
	}
	return d.edits(all), nil
}
