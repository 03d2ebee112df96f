package lsp

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/host"
)

// object is a JSON object.
type object map[string]any

// openSession initializes a language server on the working directory (LSP 3.18, initialize).
func openSession(ctx context.Context, s *host.Session) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	root, err := FileURI(dir)
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
	if err := s.Call(ctx, protocol.MethodInitialize, params, nil); err != nil {
		return err
	}
	return s.Notify(ctx, protocol.MethodInitialized, object{})
}

// closeSession ends a language server. It may have been told to shut down before, by the client's
// own request, and answers InvalidRequest then (LSP 3.18, shutdown).
func closeSession(ctx context.Context, s *host.Session) error {
	err := s.Call(ctx, protocol.MethodShutdown, nil, nil)
	var refused *jsonrpc2.Error
	if err != nil && !(errors.As(err, &refused) && refused.Code == jsonrpc2.CodeInvalidRequest) {
		return err
	}
	return s.Notify(ctx, protocol.MethodExit, nil)
}
