package lsp

import (
	"context"
	"errors"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// errNotUnderstood is what a call gets that the client does not understand. It wraps
// [errors.ErrUnsupported].
func errNotUnderstood(method string) error {
	return fmt.Errorf("%s: %w: the client has not announced it", method, errors.ErrUnsupported)
}

// ShowMessage shows a message to the user. It does not wait for anything to become of it.
func (s *Session) ShowMessage(ctx context.Context, t protocol.MessageType, text string) error {
	return ShowMessage.Send(ctx, s, &protocol.ShowMessageParams{Type: t, Message: text})
}

// LogMessage writes a message to the client's log.
func (s *Session) LogMessage(ctx context.Context, t protocol.MessageType, text string) error {
	return LogMessage.Send(ctx, s, &protocol.LogMessageParams{Type: t, Message: text})
}

// PublishDiagnostics tells the client all problems of one document: none clears them. The URI of
// an open document is sent as the client spelled it; the version should be that of the text in
// which the problems were found.
func (s *Session) PublishDiagnostics(
	ctx context.Context, p *protocol.PublishDiagnosticsParams,
) error {
	spelled := *p
	spelled.URI = s.spelling(p.URI)
	return PublishDiagnostics.Send(ctx, s, &spelled)
}

// spelling returns u as the client spells it, as far as that is known.
func (s *Session) spelling(u uri.URI) uri.URI {
	if doc, ok := s.now.Get(u); ok {
		return doc.URI
	}
	return u
}

// Configuration asks the client for settings and returns the value of each section, nil for one
// the client knows nothing of. Of a client without workspace/configuration it asks nothing: the
// error is [errors.ErrUnsupported] then.
func (s *Session) Configuration(
	ctx context.Context, sections ...string,
) ([]protocol.LSPAny, error) {
	w := s.ClientCapabilities().Workspace
	if w == nil || !isTrue(w.Configuration) {
		return nil, errNotUnderstood(Configuration.Method)
	}
	p := &protocol.ConfigurationParams{}
	for _, name := range sections {
		p.Items = append(p.Items, protocol.ConfigurationItem{Section: &name})
	}
	values, err := Configuration.Call(ctx, s, p)
	if err != nil {
		return nil, err
	}
	if len(values) != len(sections) {
		return nil, fmt.Errorf("%s: the client answered %d values for %d sections",
			Configuration.Method, len(values), len(sections))
	}
	for i, v := range values {
		if v.Kind() == 'n' {
			values[i] = nil
		}
	}
	return values, nil
}

// ApplyEdit asks the client to edit the workspace; label is what its user may read of it in an
// undo list. The error says why the client did not, and is [errors.ErrUnsupported] if it was not
// asked because it cannot.
func (s *Session) ApplyEdit(
	ctx context.Context, label string, edit protocol.WorkspaceEdit,
) error {
	w := s.ClientCapabilities().Workspace
	if w == nil || !isTrue(w.ApplyEdit) {
		return errNotUnderstood(ApplyEdit.Method)
	}
	res, err := ApplyEdit.Call(ctx, s, &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: edit})
	if err != nil {
		return err
	}
	if res == nil || !res.Applied {
		return fmt.Errorf("%s: the client did not apply the edit%s", ApplyEdit.Method, reason(res))
	}
	return nil
}

func reason(res *protocol.ApplyWorkspaceEditResult) string {
	if res == nil || res.FailureReason == nil {
		return ""
	}
	return ": " + *res.FailureReason
}
