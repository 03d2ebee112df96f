package mcp

import (
	"context"

	"triplex/host"
)

// object is a JSON object.
type object map[string]any

// openSession initializes a server of the legacy era (2025-11-25, Lifecycle).
func openSession(ctx context.Context, s *host.Session) error {
	params := object{
		"protocolVersion": "2025-11-25",
		"clientInfo":      object{"name": "triplex", "version": "1"},
		"capabilities":    object{},
	}
	if err := s.Call(ctx, methodInitialize, params, nil); err != nil {
		return err
	}
	return s.Notify(ctx, "notifications/initialized", nil)
}
