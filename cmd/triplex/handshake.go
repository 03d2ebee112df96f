package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
	"triplex/host/cli"
	"triplex/lsp"
)

// object is a JSON object.
type object map[string]any

// handshakes are how `call --as` opens and ends a conversation. They ask for nothing that a server
// might have to be configured for, and let the server say what it can do.
var handshakes = map[string]cli.Handshake{
	"lsp": {Open: openLSP, Close: closeLSP},
	"dap": {Open: openDAP, Close: closeDAP},
	"mcp": {Open: openMCP},
}

// openLSP initializes a language server on the working directory (LSP 3.18, initialize).
func openLSP(ctx context.Context, s *host.Session) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	root, err := lsp.FileURI(dir)
	if err != nil {
		return err
	}
	params := object{
		"processId":        os.Getpid(),
		"clientInfo":       object{"name": "triplex"},
		"rootUri":          root,
		"workspaceFolders": []object{{"uri": root, "name": filepath.Base(dir)}},
		"capabilities":     object{},
	}
	if err := s.Call(ctx, "initialize", params, nil); err != nil {
		return err
	}
	return s.Notify(ctx, "initialized", object{})
}

// closeLSP takes leave of a language server. It may have been told to shut down before, by the call
// itself, and answers InvalidRequest then (LSP 3.18, shutdown).
func closeLSP(ctx context.Context, s *host.Session) error {
	err := s.Call(ctx, "shutdown", nil, nil)
	var refused *jsonrpc2.Error
	if err != nil && !(errors.As(err, &refused) && refused.Code == jsonrpc2.CodeInvalidRequest) {
		return err
	}
	return s.Notify(ctx, "exit", nil)
}

// openDAP initializes a debug adapter, which may then be told to launch (DAP, initialize).
func openDAP(ctx context.Context, s *host.Session) error {
	return s.Call(ctx, "initialize", object{
		"clientID":        "triplex",
		"adapterID":       "triplex",
		"linesStartAt1":   true,
		"columnsStartAt1": true,
		"pathFormat":      "path",
	}, nil)
}

func closeDAP(ctx context.Context, s *host.Session) error {
	return s.Call(ctx, "disconnect", object{}, nil)
}

// openMCP initializes an MCP server (MCP 2025-11-25, lifecycle).
func openMCP(ctx context.Context, s *host.Session) error {
	params := object{
		"protocolVersion": "2025-11-25",
		"clientInfo":      object{"name": "triplex", "version": "1"},
		"capabilities":    object{},
	}
	if err := s.Call(ctx, "initialize", params, nil); err != nil {
		return err
	}
	return s.Notify(ctx, "notifications/initialized", nil)
}
