package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// The tests in this file are public bug reports of other hosts, about concurrency. Each comment
// says what happened there.

const configurable = `{"workspace":{"configuration":true},"window":{"workDoneProgress":true}}`

// A queue of requests was full, and the answer to the server's own call was stuck behind it
// (golang/go#32631, ebkalderon/tower-lsp#313).
func TestReport001And010AnswersBehindAFullQueue(t *testing.T) {
	started := make(chan struct{}, 500)
	srv := parking(started, func(err error) (json.RawMessage, error) { return nil, err })
	configured := make(chan error, 1)
	note.Handle(srv, func(ctx context.Context, s *Session, _ json.RawMessage) error {
		_, err := s.Configuration(ctx, "a")
		configured <- err
		return nil
	})
	p, _ := greet(t, srv, configurable)
	var slow []string
	for i := range 500 {
		slow = append(slow, request(fmt.Sprint(i+1), "test/echo", "[]"))
	}
	p.Send(slow...)
	p.Send(notification("test/note", "{}"))
	id, _ := wantCall(t, p, "workspace/configuration")
	p.Send(result(id, "[1]"))
	if err := <-configured; err != nil {
		t.Error(err)
	}
}

// A callback from the handler of a notification never returned (creachadair/jrpc2#78,
// eclipse-lsp4j/lsp4j#775).
func TestReport002CallbackFromANotification(t *testing.T) {
	var errs [2]error
	ask := func(ctx context.Context, s *Session) error {
		_, err := WorkDoneProgressCreate.Call(ctx, s,
			&protocol.WorkDoneProgressCreateParams{Token: protocol.Integer(1)})
		return err
	}
	srv := &Server{Opened: func(ctx context.Context, s *Session, _ Document) {
		errs[1] = ask(ctx, s)
	}}
	Initialized.Handle(srv, func(
		ctx context.Context, s *Session, _ *protocol.InitializedParams,
	) error {
		errs[0] = ask(ctx, s)
		return nil
	})
	p, _ := greet(t, srv, configurable)
	p.Send(didOpenOf("file:///a", ""))
	for range errs {
		id, _ := wantCall(t, p, "window/workDoneProgress/create")
		p.Send(result(id, "null"))
	}
	settle(t, p)
	if err := errors.Join(errs[:]...); err != nil {
		t.Error(err)
	}
}

// Four handlers waited for a client that never answered, the queue filled up, and nothing was
// read for hours (bitwisecook/tcl-lsp#1334).
func TestReport004ClientNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := &Server{}
		echo.Handle(srv, func(
			ctx context.Context, s *Session, _ json.RawMessage,
		) (json.RawMessage, error) {
			_, err := s.Configuration(ctx, "a")
			return nil, err
		})
		p, _ := greetWith(t, srv, configurable, host.Limits{CallTimeout: 10 * time.Second})
		for i := range 400 {
			p.Send(request(fmt.Sprint(i+1), "test/echo", "[]"))
			wantCall(t, p, "workspace/configuration")
		}
		p.Send(request("401", "$/x", ""))
		wantError(t, p, "401", jsonrpc2.CodeMethodNotFound)
		answers, cancels := 0, 0
		for range 800 {
			switch m := hear(t, p); {
			case m.Method == "$/cancelRequest":
				cancels++
			case m.Error != nil && m.Error.Code == jsonrpc2.CodeInternalError:
				answers++
			}
		}
		if answers != 400 || cancels != 400 {
			t.Errorf("%d requests failed and %d calls were given up, expected 400 of each",
				answers, cancels)
		}
	})
}

// logSink tells the client what is logged as a warning or an error.
type logSink struct {
	slog.Handler
	session *atomic.Pointer[Session]
}

func (l logSink) Enabled(context.Context, slog.Level) bool { return true }
func (l logSink) WithAttrs([]slog.Attr) slog.Handler       { return l }

func (l logSink) Handle(ctx context.Context, r slog.Record) error {
	if s := l.session.Load(); s != nil && r.Level >= slog.LevelWarn {
		return s.LogMessage(ctx, protocol.MessageTypeLog, r.Message)
	}
	return nil
}

// A logger that notified its client over the connection deadlocked on a protocol error
// (sourcegraph/jsonrpc2#98).
func TestReport007LoggerNotifiesTheClient(t *testing.T) {
	sink := logSink{slog.DiscardHandler, new(atomic.Pointer[Session])}
	srv := &Server{Start: func(_ context.Context, s *Session) error {
		sink.session.Store(s)
		return nil
	}}
	note.Handle(srv, func(context.Context, *Session, json.RawMessage) error { panic("oops") })
	h := &host.Host{Mounts: []host.MethodSet{srv}, Logger: slog.New(sink)}
	p := hosttest.Start(t, h, framing.ContentLength)
	p.Send(hello("{}"))
	answer(t, p, "0")
	p.Send(`{`, notification("test/note", "{}"))
	wantError(t, p, "null", jsonrpc2.CodeParseError)
	if m := hear(t, p); m.Method != "window/logMessage" {
		t.Errorf("heard %+v, expected what was logged", m)
	}
	settle(t, p)
}

// Closing a connection while an answer arrived sent on a closed channel, and the panic took the
// process down (sourcegraph/jsonrpc2#103).
func TestReport008CloseRacesAnswers(t *testing.T) {
	const calls = 1000
	var failed sync.WaitGroup
	failed.Add(calls)
	srv := &Server{}
	note.Handle(srv, func(_ context.Context, s *Session, _ json.RawMessage) error {
		for range calls {
			s.Core().Go(func(ctx context.Context) {
				defer failed.Done()
				echo.Call(ctx, s, json.RawMessage(`[]`))
			})
		}
		return nil
	})
	p, _ := greet(t, srv, "{}")
	p.Send(notification("test/note", "{}"))
	for range calls / 4 {
		id, _ := wantCall(t, p, "test/echo")
		p.Send(result(id, "[]"))
	}
	p.Session.Close()
	failed.Wait()
}

// Concurrent handlers reordered changes (ebkalderon/tower-lsp#284, sourcegraph/go-langserver#155,
// tliron/glsp#39, microsoft/language-server-protocol#12).
func TestReport011ConcurrentHandlersReorderDidChange(t *testing.T) {
	p, _ := greet(t, reading(nil), "{}")
	all := []string{didOpenOf("file:///a", "")}
	want := ""
	for i := range 1000 {
		c := string(rune('a' + i%26))
		want += c
		all = append(all, didChangeOf("file:///a", i+2, fmt.Sprintf(`[{"range":{"start":`+
			`{"line":0,"character":%d},"end":{"line":0,"character":%[1]d}},"text":%q}]`, i, c)))
	}
	p.Send(all...)
	wantText(t, p, "file:///a", "v1001 "+want)
}

// A request took its snapshot after a change that came behind it (microsoft/typescript-go#2765).
func TestReport012SnapshotAfterALaterChange(t *testing.T) {
	for range 50 {
		p, _ := greet(t, reading(nil), "{}")
		p.Send(didOpenOf("file:///a", "one"),
			request("1", "test/text", `{"uri":"file:///a"}`),
			didChangeOf("file:///a", 2, `[{"text":"two"}]`))
		m := hear(t, p)
		if string(m.Result) != `"v1 one"` {
			t.Fatalf("the request saw %s", m.Result)
		}
	}
}

// A cancel stood in the queue behind what it was to cancel
// (microsoft/vscode-languageserver-node#722, openlawlibrary/pygls#517).
func TestReport014CancelBehindTheQueue(t *testing.T) {
	proceed := make(chan struct{})
	srv := &Server{}
	note.Handle(srv, func(context.Context, *Session, json.RawMessage) error {
		<-proceed
		return nil
	})
	var runs atomic.Int32
	echo.Handle(srv, func(
		context.Context, *Session, json.RawMessage,
	) (json.RawMessage, error) {
		runs.Add(1)
		return nil, nil
	})
	p, _ := greet(t, srv, "{}")
	all := []string{notification("test/note", "{}")}
	for id := 2; id <= 60; id++ {
		all = append(all, request(fmt.Sprint(id), "test/echo", "[]"))
	}
	for id := 2; id <= 60; id++ {
		all = append(all, cancel(fmt.Sprint(id)))
	}
	p.Send(all...)
	for id := 2; id <= 60; id++ {
		wantError(t, p, fmt.Sprint(id), -32800)
	}
	close(proceed)
	settle(t, p)
	if n := runs.Load(); n != 0 {
		t.Errorf("%d cancelled requests were handled", n)
	}
}

// The late answer to a call that was given up crashed the loop (openlawlibrary/pygls#621).
func TestReport015LateAnswerToACancelledCall(t *testing.T) {
	give := make(chan struct{})
	srv, done := givingUp(give, func(ctx context.Context, s *Session) error {
		_, err := WorkDoneProgressCreate.Call(ctx, s,
			&protocol.WorkDoneProgressCreateParams{Token: protocol.Integer(1)})
		return err
	})
	p, _ := greet(t, srv, configurable)
	p.Send(notification("test/note", "{}"))
	id, _ := wantCall(t, p, "window/workDoneProgress/create")
	close(give)
	p.Expect(cancel(id))
	<-done
	p.Send(result(id, "null"), result(id, "null"),
		`{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32800,"message":"late"}}`)
	settle(t, p)
}

// A handler's error, made because it was cancelled, beat the cancellation (KStocky/HLSL-LSP#85).
func TestReport017CancelBeatsTheHandlersError(t *testing.T) {
	started := make(chan struct{}, 1)
	srv := parking(started, func(error) (json.RawMessage, error) {
		return nil, &jsonrpc2.Error{Code: CodeRequestFailed, Message: "interrupted"}
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/echo", "[]"))
	<-started
	p.Send(cancel("1"))
	wantError(t, p, "1", -32800)
}

// Cancelling an unknown id logged errors, or stopped the server (python-lsp-jsonrpc#5).
func TestReport018CancelOfAnUnknownID(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	p.Send(cancel("777"), notification("$/cancelRequest", ""), cancel("{}"),
		notification("$/cancelRequest", "[]"), cancel("null"))
	settle(t, p)
}

// A client that gave up while the server started was not heard
// (microsoft/language-server-protocol#246).
func TestReport020AbortDuringInitialize(t *testing.T) {
	srv := &Server{
		Initialize: func(ctx context.Context, _ *Session, _ *protocol.InitializeResult) error {
			<-ctx.Done()
			return ctx.Err()
		},
	}
	p := start(t, srv)
	p.Send(hello("{}"), cancel("0"))
	wantError(t, p, "0", -32800)
	p.Send(notification("exit", ""))
	p.ExpectEnd()
}
