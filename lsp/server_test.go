package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestRegisterPanicsForWhatNoHandlerGets(t *testing.T) {
	for _, method := range []string{"initialize", "exit", "$/cancelRequest"} {
		t.Run(method, func(t *testing.T) {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, method) {
					t.Errorf("panic is %q, expected one about %s", p, method)
				}
			}()
			serving(protocol.ServerCapabilities{}, method)
		})
	}
}

func TestNameIsThatOfTheServer(t *testing.T) {
	for name, want := range map[string]string{"": "lsp", "acme": "acme"} {
		srv := &Server{Info: protocol.ServerInfo{Name: name}}
		if got := srv.Name(); got != want {
			t.Errorf("name is %q, expected %q", got, want)
		}
	}
}

func TestHandlersOfOwnMethodsRunAfterThem(t *testing.T) {
	var seen []string
	srv := &Server{}
	Initialized.Handle(srv, func(context.Context, *Session, *protocol.InitializedParams) error {
		seen = append(seen, "initialized")
		return errors.New("not the client's business")
	})
	SetTrace.Handle(srv, func(_ context.Context, s *Session, p *protocol.SetTraceParams) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		seen = append(seen, "trace "+string(s.trace))
		return nil
	})
	Shutdown.Handle(srv, func(context.Context, *Session, host.NoParams) (protocol.LSPAny, error) {
		seen = append(seen, "shutdown")
		return nil, nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(notification("$/setTrace", `{"value":"verbose"}`), request("1", "shutdown", ""))
	p.Expect(result("1", "null"))
	if want := []string{"initialized", "trace verbose", "shutdown"}; !slices.Equal(seen, want) {
		t.Errorf("handlers ran: %q, expected %q", seen, want)
	}
}

func TestStateIsOfOneSession(t *testing.T) {
	stopped := make(chan any, 2)
	srv := &Server{
		Start: func(_ context.Context, s *Session) error {
			s.State = new(int)
			return nil
		},
		Stop: func(s *Session, cause error) { stopped <- cause },
	}
	count := Request[host.NoParams, int]{Method: "test/count"}
	count.Handle(srv, func(_ context.Context, s *Session, _ host.NoParams) (int, error) {
		n := s.State.(*int)
		*n++
		return *n, nil
	})
	for range 2 {
		p, _ := greet(t, srv, "{}")
		p.Send(request("1", "test/count", ""))
		p.Expect(result("1", "1"))
		p.Send(request("2", "shutdown", ""), notification("exit", ""))
		answer(t, p, "2")
		if cause := <-stopped; cause != nil {
			t.Errorf("an orderly end has the cause %v", cause)
		}
	}
}

func TestErrorOfStartEndsTheSession(t *testing.T) {
	srv := &Server{
		Start: func(context.Context, *Session) error { return errors.New("no licence") },
		Stop:  func(*Session, error) { t.Error("a session that never began was stopped") },
	}
	wantOpenError(t, srv, "no licence")
}

// wantOpenError checks that a session of srv ends at once, with an error that contains want.
func wantOpenError(t *testing.T, srv *Server, want string) {
	t.Helper()
	p := start(t, srv)
	p.ExpectEnd()
	p.Close()
	<-p.Session.Done()
	checkError(t, p.Session.Err(), want)
}

func TestSessionKnowsItsClient(t *testing.T) {
	started := make(chan *Session, 1)
	srv := &Server{Start: func(_ context.Context, s *Session) error {
		started <- s
		return nil
	}}
	p := start(t, srv)
	s := <-started
	if s.InitializeParams() != nil || s.ClientInfo().Name != "" ||
		s.ClientCapabilities().Window != nil || s.Encoding() != "utf-16" {
		t.Error("the session knows a client that has said nothing")
	}
	p.Send(request("0", "initialize",
		`{"capabilities":{"window":{}},"clientInfo":{"name":"ed"},"locale":"de"}`))
	answer(t, p, "0")
	if s.ClientInfo().Name != "ed" || s.ClientCapabilities().Window == nil ||
		*s.InitializeParams().Locale != "de" || s.Core() != p.Session {
		t.Errorf("the session knows %+v", s.InitializeParams())
	}
}

// didOpenOf, didChangeOf and didCloseOf return notifications about a document.
func didOpenOf(uri, text string) string {
	quoted, _ := json.Marshal(text)
	return notification("textDocument/didOpen", fmt.Sprintf(
		`{"textDocument":{"uri":%q,"languageId":"x","version":1,"text":%s}}`, uri, quoted))
}

func didChangeOf(uri string, version int, changes string) string {
	return notification("textDocument/didChange", fmt.Sprintf(
		`{"textDocument":{"uri":%q,"version":%d},"contentChanges":%s}`, uri, version, changes))
}

func didCloseOf(uri string) string {
	return notification("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri))
}

func TestHooksSeeDocumentsInOrder(t *testing.T) {
	var seen []string
	see := func(what string) func(context.Context, *Session, Document) {
		return func(_ context.Context, s *Session, doc Document) {
			_, isOpen := s.Documents().Get(doc.URI)
			seen = append(seen, fmt.Sprintf("%s %s v%d %q open %t",
				what, doc.URI, doc.Version, doc.Text.String(), isOpen))
		}
	}
	srv := &Server{Opened: see("opened"), Changed: see("changed"), Closed: see("closed")}
	p, _ := greet(t, srv, "{}")
	p.Send(
		didChangeOf("file:///C:/a", 9, `[{"text":"of no document"}]`),
		didCloseOf("file:///C:/a"),
		didOpenOf("file:///C:/a", "one"),
		didOpenOf("file:///c%3A/a", "again"),
		didChangeOf("file:///c:/a", 2, `[{"text":"two"}]`),
		didCloseOf("file:///c%3a/a"),
	)
	settle(t, p)
	want := []string{
		`opened file:///C:/a v1 "one" open true`,
		`changed file:///C:/a v2 "two" open true`,
		`closed file:///C:/a v2 "two" open false`,
	}
	if !slices.Equal(seen, want) {
		t.Errorf("hooks saw\n%s\nexpected\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
}

func TestPlugInMayKeepDocumentsItself(t *testing.T) {
	srv := &Server{Opened: func(context.Context, *Session, Document) {
		t.Error("a hook was called for a document the plug-in keeps")
	}}
	var opened string
	DidOpen.Handle(srv, func(
		_ context.Context, _ *Session, p *protocol.DidOpenTextDocumentParams,
	) error {
		opened = p.TextDocument.Text
		return nil
	})
	DidChange.Handle(srv, func(
		context.Context, *Session, *protocol.DidChangeTextDocumentParams,
	) error {
		return nil
	})
	DidClose.Handle(srv, func(
		context.Context, *Session, *protocol.DidCloseTextDocumentParams,
	) error {
		return nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(didOpenOf("file:///a", "mine"))
	settle(t, p)
	if opened != "mine" {
		t.Errorf("the plug-in was given %q", opened)
	}
}

func TestS1AllOfOpenChangeAndCloseOrNone(t *testing.T) {
	wantOpenError(t, serving(protocol.ServerCapabilities{}, "textDocument/didOpen"),
		`"textDocument/didChange"`)
}

// A server calls a client, and a client a server, with the same typed value.
func TestDescriptorsServeBothDirections(t *testing.T) {
	ask := Request[*protocol.ExecuteCommandParams, []protocol.LSPAny]{Method: "test/ask"}
	srv := &Server{}
	ask.Handle(srv, func(
		ctx context.Context, s *Session, p *protocol.ExecuteCommandParams,
	) ([]protocol.LSPAny, error) {
		return Configuration.Call(ctx, s, &protocol.ConfigurationParams{})
	})
	client := &host.Host{Mounts: []host.MethodSet{clientSet{}}, Framing: framing.ContentLength}
	server := &host.Host{Mounts: []host.MethodSet{srv}, Framing: framing.ContentLength}
	_, atClient := hosttest.Pair(t, server, client)
	s := &Session{link: &link{core: atClient}}
	_, err := Initialize.Call(t.Context(), s, &protocol.InitializeParams{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := ask.Call(t.Context(), s, &protocol.ExecuteCommandParams{})
	if err != nil || len(got) != 1 || string(got[0]) != `"setting"` {
		t.Errorf("the answer is %s, %v", got, err)
	}
}

// clientSet is the least a client is: the codec of LSP, and one setting.
type clientSet struct{}

func (clientSet) Name() string { return "client" }

func (clientSet) Dialect() *host.Dialect {
	return &host.Dialect{
		Name: "client", Framing: framing.ContentLength,
		Marshal: Dialect.Marshal, Unmarshal: Dialect.Unmarshal,
	}
}

func (clientSet) Open(_ context.Context, core *host.Session) (host.Handler, error) {
	var m host.Mux[*Session]
	Configuration.Handle(&m, func(
		context.Context, *Session, *protocol.ConfigurationParams,
	) ([]protocol.LSPAny, error) {
		return []protocol.LSPAny{protocol.LSPAny(`"setting"`)}, nil
	})
	return host.HandlerFunc(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		return m.Serve(ctx, &Session{link: &link{core: core}}, req)
	}), nil
}

// A change that could not be read went by without a word, and what the server said from then on was
// about another text.
func TestALostChangeIsLogged(t *testing.T) {
	sink := logSink{slog.DiscardHandler, new(atomic.Pointer[Session])}
	srv := &Server{Start: func(_ context.Context, s *Session) error {
		sink.session.Store(s)
		return nil
	}}
	h := &host.Host{Mounts: []host.MethodSet{srv}, Logger: slog.New(sink)}
	p := hosttest.Start(t, h, framing.ContentLength)
	p.Send(hello("{}"))
	answer(t, p, "0")
	p.Send(notification("textDocument/didChange",
		`{"textDocument":{"uri":"untitled:1","version":2},"contentChanges":{"text":"x"}}`))
	if m := hear(t, p); !strings.Contains(string(m.Params), "not be as the client has it") {
		t.Errorf("heard %+v, want what was logged", m)
	}
	settle(t, p)
}
