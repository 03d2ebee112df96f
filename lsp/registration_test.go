package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// registering returns a server that runs f when it is told test/note, and where its error goes.
func registering(f func(context.Context, *Session) error) (*Server, <-chan error) {
	srv, done := &Server{}, make(chan error, 1)
	note.Handle(srv, func(ctx context.Context, s *Session, _ json.RawMessage) error {
		done <- f(ctx, s)
		return nil
	})
	return srv, done
}

const watchable = `{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}},` +
	`"textDocument":{"hover":{"dynamicRegistration":true},` +
	`"synchronization":{"dynamicRegistration":true}}}`

func TestD1RegisterAndUnregister(t *testing.T) {
	srv, done := registering(func(ctx context.Context, s *Session) error {
		const method = protocol.MethodWorkspaceDidChangeWatchedFiles
		var ids []string
		for range 2 {
			id, err := s.Register(ctx, method, &protocol.DidChangeWatchedFilesRegistrationOptions{})
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		err := s.Unregister(ctx, ids[0])
		if err == nil && s.Unregister(ctx, ids[0]) == nil {
			t.Error("one registration was taken back twice")
		}
		return err
	})
	p, _ := greet(t, srv, watchable)
	p.Send(notification("test/note", "{}"))
	var ids []string
	for range 2 {
		call, params := wantCall(t, p, "client/registerCapability")
		var got protocol.RegistrationParams
		if err := Unmarshal(params, &got); err != nil || len(got.Registrations) != 1 {
			t.Fatalf("params %s: %v", params, err)
		}
		r := got.Registrations[0]
		if string(r.RegisterOptions) != `{"watchers":[]}` {
			t.Errorf("options are %s", r.RegisterOptions)
		}
		ids = append(ids, r.ID)
		p.Send(result(call, "null"))
	}
	if ids[0] == ids[1] {
		t.Errorf("two registrations have the id %s", ids[0])
	}
	call, params := wantCall(t, p, "client/unregisterCapability")
	want := `{"unregisterations":[{"id":"` + ids[0] + `","method":"workspace/didChangeWatchedFiles"}]}`
	if string(params) != want {
		t.Errorf("params are %s, expected %s", params, want)
	}
	p.Send(result(call, "null"))
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestD1RegisterIsRefused(t *testing.T) {
	tests := []struct {
		name, capabilities, method string
		unsupported                bool
		want                       string
	}{
		{"not dynamic", "{}", "workspace/didChangeWatchedFiles", true,
			"workspace.didChangeWatchedFiles.dynamicRegistration"},
		{"flag is false", `{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":false}}}`,
			"workspace/didChangeWatchedFiles", true, "dynamicRegistration"},
		{"static as well", watchable, "textDocument/hover", false, "hoverProvider was announced"},
		{"static documents", watchable, "textDocument/didOpen", false, "textDocumentSync"},
		{"unknown", watchable, "test/note", false, "no registration of this name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, done := registering(func(ctx context.Context, s *Session) error {
				_, err := s.Register(ctx, tt.method, nil)
				return err
			})
			Hover.Handle(srv, func(
				context.Context, *Session, *protocol.HoverParams,
			) (*protocol.Hover, error) {
				return nil, nil
			})
			p, _ := greet(t, srv, tt.capabilities)
			p.Send(notification("test/note", "{}"))
			err := <-done
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, expected one with %q", err, tt.want)
			}
			if errors.Is(err, errors.ErrUnsupported) != tt.unsupported {
				t.Errorf("error is %v; unsupported %t was expected", err, tt.unsupported)
			}
			settle(t, p)
		})
	}
}

func TestD1NotBeforeInitialized(t *testing.T) {
	srv, done := registering(func(ctx context.Context, s *Session) error {
		_, err := s.Register(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, nil)
		return err
	})
	p := start(t, srv)
	p.Send(hello(watchable))
	answer(t, p, "0")
	p.Send(notification("test/note", "{}"))
	if err := <-done; err == nil {
		t.Error("a capability was registered before initialized")
	}
	settle(t, p)
}

// Servers used to register without being able to, and to crash on the error they then got
// (microsoft/vscode-languageserver-node#713, microsoft/pyright#1302).
func TestReport040RegisterCapabilityIsRefusedByTheClient(t *testing.T) {
	srv, done := registering(func(ctx context.Context, s *Session) error {
		id, err := s.Register(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, nil)
		if id != "" || s.Unregister(ctx, "registration-1") == nil {
			t.Error("a refused registration is remembered")
		}
		return err
	})
	p, _ := greet(t, srv, watchable)
	p.Send(notification("test/note", "{}"))
	call, _ := wantCall(t, p, "client/registerCapability")
	p.Send(`{"jsonrpc":"2.0","id":` + call + `,"error":{"code":-32601,"message":"what?"}}`)
	if err := <-done; err == nil || !strings.Contains(err.Error(), "what?") {
		t.Errorf("error is %v, expected the client's", err)
	}
	settle(t, p)
}
