package host

import (
	"context"
	"log/slog"
)

// sessionLog is a log handler that names the session in what it logs, and only then: handlers of
// some makes keep kilobytes for each set of attributes, and most sessions have nothing to log.
type sessionLog struct {
	slog.Handler
	s *Session
}

func (l sessionLog) labelled() slog.Handler {
	return l.Handler.WithAttrs([]slog.Attr{
		slog.Uint64("session", l.s.id), slog.String("peer", l.s.peer.String()),
	})
}

// Handle implements [slog.Handler].
func (l sessionLog) Handle(ctx context.Context, r slog.Record) error {
	return l.labelled().Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (l sessionLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return l.labelled().WithAttrs(attrs)
}

// WithGroup implements [slog.Handler].
func (l sessionLog) WithGroup(name string) slog.Handler { return l.labelled().WithGroup(name) }
