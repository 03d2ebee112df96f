package cli

import (
	"context"

	"triplex/host"
)

// Handshake is how a client of a protocol opens and ends a conversation. A nil function does
// nothing.
type Handshake struct {
	// Open is called before the client's own request, on a session with the server.
	Open func(ctx context.Context, s *host.Session) error
	// Close is called after it.
	Close func(ctx context.Context, s *host.Session) error
}
