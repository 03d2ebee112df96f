package dap

import (
	"context"

	"triplex/host"
)

// openSession initializes a debug adapter, which may then be told to launch (DAP, initialize).
func openSession(ctx context.Context, s *host.Session) error {
	return s.Call(ctx, Initialize.Method, &InitializeRequestArguments{
		ClientID:        new("triplex"),
		AdapterID:       "triplex",
		LinesStartAt1:   new(true),
		ColumnsStartAt1: new(true),
		PathFormat:      new(PathFormatPath),
	}, nil)
}

// closeSession ends a debug session, and with it what was launched.
func closeSession(ctx context.Context, s *host.Session) error {
	return s.Call(ctx, Disconnect.Method, &DisconnectArguments{}, nil)
}
