package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// LogTrace tells a client that traces the session what the server does, with details if it wants
// them; otherwise it does nothing (LSP 3.18, setTrace and logTrace).
func (s *Session) LogTrace(ctx context.Context, text, details string) error {
	p := &protocol.LogTraceParams{Message: text}
	s.mu.Lock()
	trace := s.trace
	s.mu.Unlock()
	switch trace {
	case protocol.TraceValueMessages:
	case protocol.TraceValueVerbose:
		p.Verbose = &details
	default:
		return nil
	}
	return LogTrace.Send(ctx, s, p)
}

// setTrace notes what the client wants to be told. An unknown value changes nothing.
func (s *Session) setTrace(v protocol.TraceValue) {
	switch v {
	case protocol.TraceValueOff, protocol.TraceValueMessages, protocol.TraceValueVerbose:
		s.mu.Lock()
		s.trace = v
		s.mu.Unlock()
	}
}
