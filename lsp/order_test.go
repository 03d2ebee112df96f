package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/host"
	"triplex/host/hosttest"
)

// textOf asks for the text of an open document, after it was told to go on if it is to wait.
var textOf = Request[*protocol.TextDocumentIdentifier, string]{Method: "test/text"}

// reading returns a server that answers test/text. If proceed is not nil, it takes a value from
// it before it answers, and after it has looked the document up.
func reading(proceed <-chan struct{}) *Server {
	srv := &Server{}
	textOf.Handle(srv, func(
		ctx context.Context, s *Session, p *protocol.TextDocumentIdentifier,
	) (string, error) {
		doc, ok := s.Documents().Get(p.URI)
		if !ok {
			return "", &jsonrpc2.Error{Code: CodeRequestFailed, Message: "not open"}
		}
		if proceed != nil {
			<-proceed
		}
		return fmt.Sprintf("v%d %s", doc.Version, doc.Text), nil
	})
	return srv
}

func wantText(t *testing.T, p *hosttest.Peer, uri, want string) {
	t.Helper()
	p.Send(request(`"text"`, "test/text", fmt.Sprintf(`{"uri":%q}`, uri)))
	quoted, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	p.Expect(result(`"text"`, string(quoted)))
}

// parking returns a server whose test/echo waits until its context ends, and then returns what
// ret makes of that. Each handler that waits sends to started.
func parking(
	started chan<- struct{}, ret func(error) (json.RawMessage, error),
) *Server {
	srv := &Server{}
	echo.Handle(srv, func(
		ctx context.Context, _ *Session, _ json.RawMessage,
	) (json.RawMessage, error) {
		started <- struct{}{}
		<-ctx.Done()
		return ret(ctx.Err())
	})
	return srv
}

func cancel(id string) string { return notification("$/cancelRequest", `{"id":`+id+`}`) }

// The rules C4, C5, O4 and O5 are public bug reports too: 014, 017, 001 and 004 in report_test.go.

func TestC1CancelMatchesTheTypeOfTheID(t *testing.T) {
	started := make(chan struct{}, 1)
	srv := parking(started, func(err error) (json.RawMessage, error) { return nil, err })
	p, _ := greet(t, srv, "{}")
	p.Send(request("7", "test/echo", "[]"))
	<-started
	p.Send(cancel(`"7"`))
	settle(t, p)
	p.Send(cancel("7"))
	wantError(t, p, "7", -32800)
}

func TestC2ACancelledRequestIsAnsweredOnce(t *testing.T) {
	tests := []struct {
		name string
		ret  func(error) (json.RawMessage, error)
		want string
	}{
		{"with a partial result",
			func(error) (json.RawMessage, error) { return json.RawMessage(`["some"]`), nil },
			result("1", `["some"]`)},
		{"with the context's error",
			func(err error) (json.RawMessage, error) { return nil, err },
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"request cancelled"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			started := make(chan struct{}, 1)
			p, _ := greet(t, parking(started, tt.ret), "{}")
			p.Send(request("1", "test/echo", "[]"))
			<-started
			p.Send(cancel("1"), cancel("1"))
			p.Expect(tt.want)
			settle(t, p)
		})
	}
}

func TestC3CancellingWhatIsNotInFlightMeansNothing(t *testing.T) {
	srv := &Server{}
	handleEcho(srv)
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/echo", "[]"))
	p.Expect(result("1", "[]"))
	p.Send(cancel("1"), cancel(`"never"`))
	p.Send(request("1", "test/echo", "[]"))
	p.Expect(result("1", "[]"))
}

// givingUp returns a server that makes a call when it is told test/note, and gives it up when give
// is closed.
func givingUp(
	give <-chan struct{}, call func(context.Context, *Session) error,
) (*Server, <-chan error) {
	return registering(func(ctx context.Context, s *Session) error {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		s.Core().Go(func(context.Context) {
			<-give
			stop()
		})
		return call(ctx, s)
	})
}

func TestC6GivingUpACallTellsTheClient(t *testing.T) {
	give := make(chan struct{})
	srv, done := givingUp(give, func(ctx context.Context, s *Session) error {
		_, err := echo.Call(ctx, s, json.RawMessage(`[]`))
		return err
	})
	p, _ := greet(t, srv, "{}")
	p.Send(notification("test/note", "{}"))
	id, _ := wantCall(t, p, "test/echo")
	close(give)
	p.Expect(cancel(id))
	if err := <-done; err == nil {
		t.Error("the call succeeded")
	}
	p.Send(result(id, "null"))
	settle(t, p)
}

func TestC7TheEndOfTheConnectionEndsEveryContext(t *testing.T) {
	started, ended := make(chan struct{}, 2), make(chan struct{}, 2)
	srv := parking(started, func(err error) (json.RawMessage, error) {
		ended <- struct{}{}
		return nil, err
	})
	p, _ := greetWith(t, srv, "{}", host.Limits{DrainTimeout: time.Millisecond})
	p.Send(request("1", "test/echo", "[]"), request("2", "test/echo", "[]"))
	<-started
	<-started
	p.Close()
	<-ended
	<-ended
}

func TestO1NotificationsRunOneAtATime(t *testing.T) {
	var running, seen int // no lock: the race detector would see two at once
	srv := &Server{}
	note.Handle(srv, func(_ context.Context, _ *Session, p json.RawMessage) error {
		if running++; running != 1 || string(p) != fmt.Sprintf("[%d]", seen) {
			t.Errorf("%s is handled beside %d others, after %d", p, running-1, seen)
		}
		runtime.Gosched()
		seen++
		running--
		return nil
	})
	p, _ := greet(t, srv, "{}")
	var all []string
	for i := range 100 {
		all = append(all, notification("test/note", fmt.Sprintf("[%d]", i)))
	}
	p.Send(all...)
	settle(t, p)
	if seen != 100 {
		t.Errorf("%d of 100 were handled", seen)
	}
}

func TestO2RequestsRunBesideEachOther(t *testing.T) {
	proceed := make(chan struct{})
	p, _ := greet(t, reading(proceed), "{}")
	p.Send(didOpenOf("file:///a", "x"),
		request("1", "test/text", `{"uri":"file:///a"}`),
		request("2", "test/text", `{"uri":"file:///a"}`))
	settle(t, p)
	proceed <- struct{}{}
	proceed <- struct{}{}
	p.Expect(result("1", `"v1 x"`), result("2", `"v1 x"`))
}

// A notification behind a running request is handled at once, and does not change what the
// request has taken.
func TestO3ARunningRequestHoldsNothingUp(t *testing.T) {
	proceed := make(chan struct{})
	changed := make(chan struct{}, 1)
	srv := reading(proceed)
	srv.Changed = func(context.Context, *Session, Document) { changed <- struct{}{} }
	p, _ := greet(t, srv, "{}")
	p.Send(didOpenOf("file:///a", "x"), request("1", "test/text", `{"uri":"file:///a"}`))
	settle(t, p)
	p.Send(didChangeOf("file:///a", 2, `[{"text":"y"}]`))
	<-changed
	proceed <- struct{}{}
	p.Expect(result("1", `"v1 x"`))
}

func TestO6WhatAHandlerSaysKeepsItsOrder(t *testing.T) {
	srv := &Server{}
	echo.Handle(srv, func(ctx context.Context, s *Session, _ json.RawMessage) (
		json.RawMessage, error,
	) {
		for i := range 50 {
			if err := note.Send(ctx, s, json.RawMessage(fmt.Sprintf("[%d]", i))); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/echo", "[]"))
	for i := range 50 {
		p.Expect(notification("test/note", fmt.Sprintf("[%d]", i)))
	}
	p.Expect(result("1", "null"))
}
