package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestL1BeforeInitializeRequestsAreRefusedAndNotificationsDropped(t *testing.T) {
	srv := &Server{}
	handleEcho(srv)
	note.Handle(srv, func(context.Context, *Session, json.RawMessage) error {
		t.Error("a notification was handled before initialize")
		return nil
	})
	p := start(t, srv)
	p.Send(
		notification("test/note", "{}"),
		request("1", "test/echo", "[]"),
		request("2", "shutdown", ""),
		notification("initialized", "{}"),
	)
	wantError(t, p, "1", CodeServerNotInitialized)
	wantError(t, p, "2", CodeServerNotInitialized)
	p.Send(hello("{}"))
	answer(t, p, "0")
}

func TestL2InitializeIsRefusedTheSecondTime(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	p.Send(hello("{}"))
	wantError(t, p, "0", jsonrpc2.CodeInvalidRequest)
	settle(t, p)
}

// The refusal of a repeated initialize once passed for the failure of the first: with the same id
// it looked like its answer.
func TestL2InitializeIsRefusedWhileTheFirstGoesOn(t *testing.T) {
	proceed := make(chan struct{})
	srv := &Server{
		Initialize: func(context.Context, *Session, *protocol.InitializeResult) error {
			<-proceed
			return nil
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"), hello("{}"))
	wantError(t, p, "0", jsonrpc2.CodeInvalidRequest)
	close(proceed)
	answer(t, p, "0")
	settle(t, p)
}

func TestL3WhatMayBeSaidDuringInitialize(t *testing.T) {
	token := protocol.String("mine")
	progress := func(token protocol.ProgressToken) func(context.Context, *Session) error {
		return func(ctx context.Context, s *Session) error {
			return Progress.Send(ctx, s,
				&protocol.ProgressParams{Token: token, Value: protocol.LSPAny(`{}`)})
		}
	}
	tests := []struct {
		name  string
		send  func(context.Context, *Session) error
		early bool
	}{
		{"showMessage", func(ctx context.Context, s *Session) error {
			return s.ShowMessage(ctx, protocol.MessageTypeInfo, "hi")
		}, true},
		{"logMessage", func(ctx context.Context, s *Session) error {
			return s.LogMessage(ctx, protocol.MessageTypeInfo, "hi")
		}, true},
		{"telemetry", func(ctx context.Context, s *Session) error {
			return Telemetry.Send(ctx, s, protocol.LSPAny(`{}`))
		}, true},
		{"progress on its token", progress(token), true},
		{"progress on another token", progress(protocol.String("other")), false},
		{"progress on a token of another type", progress(protocol.Integer(7)), false},
		{"diagnostics", func(ctx context.Context, s *Session) error {
			return s.PublishDiagnostics(ctx, &protocol.PublishDiagnosticsParams{URI: "file:///a"})
		}, false},
		{"custom notification", func(ctx context.Context, s *Session) error {
			return note.Send(ctx, s, json.RawMessage(`{}`))
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := &Server{
				Initialize: func(ctx context.Context, s *Session, _ *protocol.InitializeResult) error {
					return tt.send(ctx, s)
				},
			}
			p := start(t, srv)
			p.Send(request("0", "initialize", `{"capabilities":{},"workDoneToken":"mine"}`))
			first, second := hear(t, p), hear(t, p)
			if tt.early {
				first, second = second, first
			}
			if first.ID == nil || second.ID != nil {
				t.Errorf("early %t: heard %+v and %+v in the wrong order", tt.early, first, second)
			}
		})
	}
}

func TestL3RequestToTheUserMayBeAskedDuringInitialize(t *testing.T) {
	srv := &Server{
		Initialize: func(ctx context.Context, s *Session, r *protocol.InitializeResult) error {
			item, err := ShowMessageRequest.Call(ctx, s,
				&protocol.ShowMessageRequestParams{Type: protocol.MessageTypeInfo, Message: "?"})
			r.ServerInfo.Name = item.Title
			return err
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"))
	id, _ := wantCall(t, p, "window/showMessageRequest")
	p.Send(result(id, `{"title":"yes"}`))
	if name, _ := host.Member(answer(t, p, "0"), "serverInfo", "name"); string(name) != `"yes"` {
		t.Errorf("the user's answer came through as %s", name)
	}
}

func TestL3HeldMessagesKeepTheirOrder(t *testing.T) {
	srv := &Server{
		Start: func(ctx context.Context, s *Session) error {
			return note.Send(ctx, s, json.RawMessage(`[0]`))
		},
		Initialize: func(ctx context.Context, s *Session, _ *protocol.InitializeResult) error {
			return errors.Join(note.Send(ctx, s, json.RawMessage(`[1]`)),
				note.Send(ctx, s, json.RawMessage(`[2]`)))
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"))
	answer(t, p, "0")
	for _, want := range []string{"[0]", "[1]", "[2]"} {
		if m := hear(t, p); string(m.Params) != want {
			t.Errorf("heard %+v, expected %s", m, want)
		}
	}
}

// Work that a handler starts during initialize can ask the client: it waits until initialize is
// answered.
func TestL3CallsAreHeldToo(t *testing.T) {
	answered := make(chan error, 1)
	srv := &Server{
		Initialize: func(_ context.Context, s *Session, _ *protocol.InitializeResult) error {
			s.Core().Go(func(ctx context.Context) {
				_, err := echo.Call(ctx, s, json.RawMessage(`[]`))
				answered <- err
			})
			return nil
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"))
	answer(t, p, "0")
	id, _ := wantCall(t, p, "test/echo")
	p.Send(result(id, "null"))
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

func TestL4DuringInitializeRequestsAreRefusedAndNotificationsDropped(t *testing.T) {
	proceed := make(chan struct{})
	srv := &Server{
		Initialize: func(context.Context, *Session, *protocol.InitializeResult) error {
			<-proceed
			return nil
		},
		Opened: func(context.Context, *Session, Document) {
			t.Error("a document was opened during initialize")
		},
	}
	p := start(t, srv)
	p.Send(
		hello("{}"),
		notification("textDocument/didOpen",
			`{"textDocument":{"uri":"file:///a","languageId":"x","version":1,"text":""}}`),
		request("1", "textDocument/hover", "{}"),
	)
	wantError(t, p, "1", CodeServerNotInitialized)
	close(proceed)
	answer(t, p, "0")
	settle(t, p)
}

func TestL4ExitIsHeededDuringInitialize(t *testing.T) {
	srv := &Server{
		Initialize: func(ctx context.Context, _ *Session, _ *protocol.InitializeResult) error {
			<-ctx.Done()
			return ctx.Err()
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"), notification("exit", ""))
	wantError(t, p, "0", -32800)
	p.ExpectEnd()
	wantStatus(t, p, 1)
}

func TestL5AfterAFailedInitializeTheClientMayTryAgain(t *testing.T) {
	failures := 0
	srv := &Server{
		Initialize: func(context.Context, *Session, *protocol.InitializeResult) error {
			if failures++; failures == 1 {
				data := json.RawMessage(`{"retry":true}`)
				return &jsonrpc2.Error{Code: CodeRequestFailed, Message: "no licence", Data: &data}
			}
			return nil
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"))
	m := hear(t, p)
	if m.Error == nil || m.Error.Data == nil || string(*m.Error.Data) != `{"retry":true}` {
		t.Fatalf("heard %+v, expected an error that says retry", m)
	}
	p.Send(request("1", "test/echo", ""))
	wantError(t, p, "1", CodeServerNotInitialized)
	p.Send(hello("{}"))
	answer(t, p, "0")
	settle(t, p)
}

func TestL6InitializedCountsOnce(t *testing.T) {
	for _, params := range []string{"", "{}", "null", "[]"} {
		t.Run("params "+params, func(t *testing.T) {
			times := 0
			srv := &Server{}
			Initialized.Handle(srv,
				func(context.Context, *Session, *protocol.InitializedParams) error {
					times++
					return nil
				})
			p := start(t, srv)
			p.Send(hello("{}"))
			answer(t, p, "0")
			p.Send(notification("initialized", params), notification("initialized", params))
			settle(t, p)
			if times != 1 {
				t.Errorf("initialized was handled %d times", times)
			}
		})
	}
}

func TestL7AfterShutdownOnlyExitCounts(t *testing.T) {
	srv := &Server{}
	note.Handle(srv, func(context.Context, *Session, json.RawMessage) error {
		t.Error("a notification was handled after shutdown")
		return nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "shutdown", ""))
	p.Expect(result("1", "null"))
	p.Send(request("2", "test/echo", ""), request("3", "shutdown", ""),
		notification("test/note", "{}"), hello("{}"))
	wantError(t, p, "2", jsonrpc2.CodeInvalidRequest)
	wantError(t, p, "3", jsonrpc2.CodeInvalidRequest)
	wantError(t, p, "0", jsonrpc2.CodeInvalidRequest)
	p.Send(notification("exit", ""))
	p.ExpectEnd()
	wantStatus(t, p, 0)
}

// A request that arrives behind shutdown is refused even if shutdown is not answered yet.
func TestL7ShutdownCountsWhenItIsRead(t *testing.T) {
	proceed := make(chan struct{})
	srv := &Server{}
	Shutdown.Handle(srv, func(context.Context, *Session, host.NoParams) (protocol.LSPAny, error) {
		<-proceed
		return nil, nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "shutdown", ""), request("2", "test/echo", ""))
	wantError(t, p, "2", jsonrpc2.CodeInvalidRequest)
	close(proceed)
	p.Expect(result("1", "null"))
}

func TestL7ShutdownIsNullWhateverItsHandlerReturns(t *testing.T) {
	for name, ret := range map[string]error{"value": nil, "error": errors.New("busy")} {
		t.Run(name, func(t *testing.T) {
			srv := &Server{}
			Shutdown.Handle(srv,
				func(context.Context, *Session, host.NoParams) (protocol.LSPAny, error) {
					return protocol.LSPAny(`"bye"`), ret
				})
			p, _ := greet(t, srv, "{}")
			p.Send(request("1", "shutdown", ""))
			p.Expect(result("1", "null"))
		})
	}
}

func wantStatus(t *testing.T, p *hosttest.Peer, want int) {
	t.Helper()
	p.Close()
	<-p.Session.Done()
	if got := p.Session.ExitStatus(); got != want {
		t.Errorf("exit status is %d, expected %d", got, want)
	}
}

func TestL8AndL9ExitStatus(t *testing.T) {
	tests := []struct {
		name string
		end  func(p *hosttest.Peer)
		want int
	}{
		{"exit before initialize", func(p *hosttest.Peer) {
			p.Send(notification("exit", ""))
		}, 1},
		{"exit without shutdown", func(p *hosttest.Peer) {
			p.Send(hello("{}"))
			p.Receive()
			p.Send(notification("exit", ""))
		}, 1},
		{"exit after shutdown", func(p *hosttest.Peer) {
			p.Send(hello("{}"))
			p.Receive()
			p.Send(request("1", "shutdown", ""), notification("exit", ""))
			p.Receive()
		}, 0},
		{"end of input at once", func(p *hosttest.Peer) { p.CloseWrite() }, 1},
		{"end of input after initialize", func(p *hosttest.Peer) {
			p.Send(hello("{}"))
			p.Receive()
			p.CloseWrite()
		}, 1},
		{"end of input after shutdown", func(p *hosttest.Peer) {
			p.Send(hello("{}"))
			p.Receive()
			p.Send(request("1", "shutdown", ""))
			p.CloseWrite()
			p.Receive()
		}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, &Server{})
			tt.end(p)
			p.ExpectEnd()
			wantStatus(t, p, tt.want)
		})
	}
}

// One client's exit is its own: other sessions of the host go on.
func TestL8ExitEndsOneSession(t *testing.T) {
	srv := &Server{}
	handleEcho(srv)
	h := &host.Host{Mounts: []host.MethodSet{srv}}
	one := hosttest.Start(t, h, framing.ContentLength)
	other := hosttest.Start(t, h, framing.ContentLength)
	other.Send(hello("{}"))
	other.Receive()
	one.Send(notification("exit", ""))
	one.ExpectEnd()
	other.Send(request("1", "test/echo", "[1]"))
	other.Expect(result("1", "[1]"))
}

func TestL9EndOfInputAnswersWhatIsInFlight(t *testing.T) {
	tests := []struct {
		name        string
		take, drain time.Duration // take: by the handler, unless it is cancelled before
		want        string
	}{
		{"in time", time.Second, 2 * time.Second, result("1", "[1]")},
		{"too slow", time.Hour, 2 * time.Second,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"request cancelled"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := &Server{}
				echo.Handle(srv, func(
					ctx context.Context, _ *Session, p json.RawMessage,
				) (json.RawMessage, error) {
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					case <-time.After(tt.take):
						return p, nil
					}
				})
				p, _ := greetWith(t, srv, "{}", host.Limits{DrainTimeout: tt.drain})
				p.Send(request("1", "test/echo", "[1]"))
				p.CloseWrite()
				p.Expect(tt.want)
				p.ExpectEnd()
			})
		})
	}
}

func TestL12NothingIsAskedAfterShutdown(t *testing.T) {
	asked := make(chan error, 1)
	srv := &Server{}
	var session *Session
	Shutdown.Handle(srv, func(
		ctx context.Context, s *Session, _ host.NoParams,
	) (protocol.LSPAny, error) {
		session = s
		return nil, nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "shutdown", ""))
	p.Expect(result("1", "null"))
	session.Core().Go(func(ctx context.Context) {
		_, err := echo.Call(ctx, session, nil)
		asked <- errors.Join(err, note.Send(ctx, session, nil))
	})
	p.Expect(notification("test/note", ""))
	var wire *jsonrpc2.Error
	if err := <-asked; !errors.As(err, &wire) || wire.Code != jsonrpc2.CodeInvalidRequest {
		t.Errorf("a call after shutdown returned %v", err)
	}
}

func TestBatchesAreRefused(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	p.Send("[" + request("1", "test/echo", "") + "," + request("2", "test/echo", "") + "]")
	wantError(t, p, "null", jsonrpc2.CodeInvalidRequest)
	settle(t, p)
}

func TestDollarMethods(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	p.Send(notification("$/unknown", "{}"), request("1", "$/unknown", "{}"))
	wantError(t, p, "1", jsonrpc2.CodeMethodNotFound)
	p.Send(request("2", "$/cancelRequest", `{"id":1}`))
	wantError(t, p, "2", jsonrpc2.CodeMethodNotFound)
}
