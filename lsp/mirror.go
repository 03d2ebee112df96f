package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"triplex/host"
)

// mirror holds the methods that keep [Session.Documents], unless the plug-in handles them itself.
var mirror = mirrorMethods()

func mirrorMethods() *host.Mux[*Session] {
	m := new(host.Mux[*Session])
	DidOpen.Handle(m, didOpen)
	DidChange.Handle(m, didChange)
	DidClose.Handle(m, didClose)
	return m
}

func didOpen(ctx context.Context, s *Session, p *protocol.DidOpenTextDocumentParams) error {
	if doc, ok := s.now.Open(p); ok && s.server.Opened != nil {
		s.server.Opened(ctx, s, doc)
	}
	return nil
}

func didChange(ctx context.Context, s *Session, p *protocol.DidChangeTextDocumentParams) error {
	if doc, ok := s.now.Change(p); ok && s.server.Changed != nil {
		s.server.Changed(ctx, s, doc)
	}
	return nil
}

func didClose(ctx context.Context, s *Session, p *protocol.DidCloseTextDocumentParams) error {
	if doc, ok := s.now.Close(p); ok && s.server.Closed != nil {
		s.server.Closed(ctx, s, doc)
	}
	return nil
}
