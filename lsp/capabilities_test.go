package lsp

import (
	"context"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/host"
)

// serving returns a server with a handler for each of methods.
func serving(c protocol.ServerCapabilities, methods ...string) *Server {
	srv := &Server{Capabilities: c}
	for _, m := range methods {
		srv.Register(m, func(context.Context, *Session, *jsonrpc2.Request) (any, error) {
			return nil, nil
		})
	}
	return srv
}

func TestCapabilities(t *testing.T) {
	const sync = `"positionEncoding":"utf-16","textDocumentSync":{"openClose":true,"change":2`
	legend := protocol.SemanticTokensLegend{TokenTypes: []string{"type"}}
	tests := []struct {
		name   string
		srv    *Server
		client string
		want   string
	}{
		{"nothing but documents", serving(protocol.ServerCapabilities{}), "{}", sync + `}`},
		{"flags", serving(protocol.ServerCapabilities{},
			"textDocument/hover", "textDocument/didSave", "textDocument/willSave"), "{}",
			sync + `,"willSave":true,"save":true},"hoverProvider":true`},
		{"options and a handler that goes with them",
			serving(protocol.ServerCapabilities{
				CompletionProvider: &protocol.CompletionOptions{TriggerCharacters: []string{"."}},
			}, "textDocument/completion", "completionItem/resolve"), "{}",
			sync + `},"completionProvider":{"triggerCharacters":["."],"resolveProvider":true}`},
		{"semantic tokens",
			serving(protocol.ServerCapabilities{
				SemanticTokensProvider: &protocol.SemanticTokensOptions{Legend: legend},
			}, "textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta",
				"textDocument/semanticTokens/range"), "{}",
			sync + `},"semanticTokensProvider":{"legend":{"tokenTypes":["type"],` +
				`"tokenModifiers":[]},"range":true,"full":{"delta":true}}`},
		{"options of the plug-in's own kind stay",
			serving(protocol.ServerCapabilities{
				TextDocumentSync: protocol.TextDocumentSyncKindFull,
				InlayHintProvider: &protocol.InlayHintRegistrationOptions{
					StaticRegistrationOptions: protocol.StaticRegistrationOptions{ID: new("i")},
				},
			}, "inlayHint/resolve"), "{}",
			`"positionEncoding":"utf-16","textDocumentSync":1,` +
				`"inlayHintProvider":{"documentSelector":null,"id":"i"}`},
		{"commands", serving(protocol.ServerCapabilities{
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{"run"}},
		}, "workspace/executeCommand"), "{}",
			sync + `},"executeCommandProvider":{"commands":["run"]}`},
		{"rename options the client knows",
			serving(protocol.ServerCapabilities{}, "textDocument/rename", "textDocument/prepareRename"),
			`{"textDocument":{"rename":{"prepareSupport":true}}}`,
			sync + `},"renameProvider":{"prepareProvider":true}`},
		{"rename options the client does not know",
			serving(protocol.ServerCapabilities{}, "textDocument/rename", "textDocument/prepareRename"),
			`{"textDocument":{"rename":{}}}`, sync + `},"renameProvider":true`},
		{"code action options the client knows",
			serving(protocol.ServerCapabilities{}, "textDocument/codeAction", "codeAction/resolve"),
			`{"textDocument":{"codeAction":{"codeActionLiteralSupport":` +
				`{"codeActionKind":{"valueSet":[]}}}}}`,
			sync + `},"codeActionProvider":{"resolveProvider":true}`},
		{"code action options the client does not know",
			serving(protocol.ServerCapabilities{}, "textDocument/codeAction", "codeAction/resolve"),
			"{}", sync + `},"codeActionProvider":true`},
		{"notebooks", serving(protocol.ServerCapabilities{},
			"notebookDocument/didOpen", "notebookDocument/didSave"), "{}",
			sync + `},"notebookDocumentSync":{"notebookSelector":[{"notebook":"*"}],"save":true}`},
		{"workspace", serving(protocol.ServerCapabilities{},
			"workspace/didChangeWorkspaceFolders", "workspace/didRenameFiles"), "{}",
			sync + `},"workspace":{"workspaceFolders":{"supported":true,` +
				`"changeNotifications":"workspace/didChangeWorkspaceFolders"},` +
				`"fileOperations":{"didRename":` +
				`{"filters":[{"pattern":{"glob":"**"}}]}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, tt.srv)
			p.Send(hello(tt.client))
			p.Expect(result("0", `{"capabilities":{`+tt.want+`}}`))
		})
	}
}

// Sessions share a server, and so once shared what one of them changed in its options.
func TestInitializeChangesOneSessionOnly(t *testing.T) {
	srv := serving(protocol.ServerCapabilities{
		CompletionProvider: &protocol.CompletionOptions{TriggerCharacters: []string{"."}},
	}, "textDocument/completion")
	srv.Initialize = func(_ context.Context, _ *Session, r *protocol.InitializeResult) error {
		r.Capabilities.CompletionProvider.TriggerCharacters[0] += "!"
		return nil
	}
	for range 2 {
		_, res := greet(t, srv, "{}")
		got, _ := host.Member(res, "capabilities", "completionProvider", "triggerCharacters")
		if string(got) != `[".!"]` {
			t.Errorf("trigger characters are %s", got)
		}
	}
}

func TestS5PositionEncodingIsNegotiated(t *testing.T) {
	tests := []struct {
		name, offer string
		want        protocol.PositionEncodingKind
	}{
		{"no offer", `{}`, "utf-16"},
		{"nothing offered", `{"general":{"positionEncodings":[]}}`, "utf-16"},
		{"first known offer", `{"general":{"positionEncodings":["utf-7","utf-8","utf-16"]}}`, "utf-8"},
		{"preference counts", `{"general":{"positionEncodings":["utf-32","utf-8"]}}`, "utf-32"},
		{"unknown offers", `{"general":{"positionEncodings":["utf-7"]}}`, "utf-16"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got, ofDocument protocol.PositionEncodingKind
			srv := &Server{
				// The plug-in has no say in it: the documents are kept in what was agreed on.
				Initialize: func(_ context.Context, _ *Session, r *protocol.InitializeResult) error {
					r.Capabilities.PositionEncoding = "utf-1"
					return nil
				},
				Opened: func(_ context.Context, s *Session, doc Document) {
					got, ofDocument = s.Encoding(), doc.Encoding
				},
			}
			p, res := greet(t, srv, tt.offer)
			p.Send(notification("textDocument/didOpen",
				`{"textDocument":{"uri":"file:///a","languageId":"x","version":1,"text":""}}`))
			settle(t, p)
			said, _ := host.Member(res, "capabilities", "positionEncoding")
			if string(said) != `"`+string(tt.want)+`"` || got != tt.want || ofDocument != tt.want {
				t.Errorf("encoding is %s for the client, %s in the session, %s in documents; "+
					"expected %s", said, got, ofDocument, tt.want)
			}
		})
	}
}
