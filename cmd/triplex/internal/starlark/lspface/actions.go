package lspface

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

// codeActions offers what solves the problems in a range, and to organize the load statements.
// Clients that know no actions are offered the commands among them.
func codeActions(
	ctx context.Context, s *lsp.Session, p *protocol.CodeActionParams,
) ([]protocol.CommandOrCodeAction, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	list := []protocol.CommandOrCodeAction{}
	able := textDocument(s).CodeAction
	if able == nil || len(able.CodeActionLiteralSupport.CodeActionKind.ValueSet) == 0 {
		if len(d.file.OrganizeLoads()) > 0 {
			list = append(list, d.command("Organize loads", organizeCommand))
		}
		return list, nil
	}
	if wants(p.Context.Only, protocol.CodeActionKindQuickFix) {
		found, err := d.file.Actions(ctx, d.span(p.Range))
		if err != nil {
			return nil, err
		}
		for _, a := range found {
			list = append(list, d.quickFix(a))
		}
	}
	if edits := d.file.OrganizeLoads(); len(edits) > 0 &&
		wants(p.Context.Only, protocol.CodeActionKindSourceOrganizeImports) {
		list = append(list, &protocol.CodeAction{
			Title: "Organize loads",
			Kind:  new(protocol.CodeActionKindSourceOrganizeImports),
			Edit:  d.edit(edits),
		})
	}
	return list, nil
}

func (d *document) quickFix(a workspace.Action) *protocol.CodeAction {
	return &protocol.CodeAction{
		Title:       a.Title,
		Kind:        new(protocol.CodeActionKindQuickFix),
		Diagnostics: d.diagnostics([]workspace.Problem{*a.Problem}),
		Edit:        d.edit(a.Edits),
	}
}

// wants reports whether a client that asks only for some kinds of actions gets one of the given
// kind: a kind stands for all that begin with it and a dot.
func wants(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(o protocol.CodeActionKind) bool {
		return o == "" || o == kind || strings.HasPrefix(string(kind), string(o)+".")
	})
}
