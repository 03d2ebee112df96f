package lspface

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

var severities = map[workspace.Severity]protocol.DiagnosticSeverity{
	workspace.Error:   protocol.DiagnosticSeverityError,
	workspace.Warning: protocol.DiagnosticSeverityWarning,
	workspace.Hint:    protocol.DiagnosticSeverityHint,
}

// maxProblems is how many problems of a document, and of lint beside them, a client is told of.
// Nobody reads more, and a file of some megabytes may have hundreds of thousands.
const maxProblems = 1000

// worst returns the problems, or the worst of them if they are too many.
func worst(problems []workspace.Problem) []workspace.Problem {
	if len(problems) <= maxProblems {
		return problems
	}
	problems = slices.Clone(problems)
	slices.SortStableFunc(problems, func(a, b workspace.Problem) int {
		return cmp.Compare(a.Severity, b.Severity)
	})
	return problems[:maxProblems]
}

// diagnostics translates problems of the document, with as much as its client understands.
func (d *document) diagnostics(problems []workspace.Problem) []protocol.Diagnostic {
	able := diagnosticAbilities(d.session)
	problems = worst(problems)
	list := make([]protocol.Diagnostic, len(problems))
	for i, p := range problems {
		list[i] = protocol.Diagnostic{
			Range:    d.rng(p.Span),
			Severity: severities[p.Severity],
			Code:     protocol.String(p.Code),
			Source:   protocol.NewOptional(section),
			Message:  protocol.String(p.Msg),
		}
		if p.Unnecessary && slices.Contains(able.TagSupport.ValueSet, protocol.DiagnosticTagUnnecessary) {
			list[i].Tags = protocol.NewDiagnosticTags(protocol.DiagnosticTagUnnecessary)
		}
		if !isTrue(able.RelatedInformation) {
			continue
		}
		for _, r := range p.Related {
			list[i].RelatedInformation = append(list[i].RelatedInformation,
				protocol.DiagnosticRelatedInformation{
					Location: d.location(r.Location), Message: r.Msg,
				})
		}
	}
	return list
}

// diagnosticAbilities returns what the client understands of problems, whichever way it gets them.
func diagnosticAbilities(s *lsp.Session) protocol.DiagnosticsCapabilities {
	t := textDocument(s)
	switch {
	case t.Diagnostic != nil:
		return t.Diagnostic.DiagnosticsCapabilities
	case t.PublishDiagnostics != nil:
		return t.PublishDiagnostics.DiagnosticsCapabilities
	}
	return protocol.DiagnosticsCapabilities{}
}

// pullDiagnostics answers with the problems of a document, or that they are as they were. What lint
// finds comes with them if the client cannot be told to ask again.
func pullDiagnostics(
	ctx context.Context, s *lsp.Session, p *protocol.DocumentDiagnosticParams,
) (protocol.DocumentDiagnosticReport, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	c := stateOf(s).checker
	list, err := c.problems(ctx, d)
	if err != nil {
		return nil, err
	}
	if !c.refreshes() {
		found, err := d.file.Lint(ctx)
		if ctx.Err() != nil {
			return nil, err
		}
		list = append(list, d.diagnostics(found)...)
	}
	id, err := resultID(list)
	if err != nil {
		return nil, err
	}
	if p.PreviousResultID != nil && *p.PreviousResultID == id {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{
				Kind: "unchanged", ResultID: id,
			},
		}, nil
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{
		FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{
			Kind: "full", ResultID: &id, Items: list,
		},
	}, nil
}

// resultID returns an id that the same problems have, and no others.
func resultID(list []protocol.Diagnostic) (string, error) {
	raw, err := protocol.Marshal(list)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8]), nil
}
