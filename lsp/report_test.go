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

// The tests in this file are public bug reports of other hosts. Each comment says what happened
// there.

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
	srv, done := registering(func(ctx context.Context, s *Session) error {
		ctx, stop := context.WithTimeout(ctx, time.Millisecond)
		defer stop()
		_, err := WorkDoneProgressCreate.Call(ctx, s,
			&protocol.WorkDoneProgressCreateParams{Token: protocol.Integer(1)})
		return err
	})
	p, _ := greet(t, srv, configurable)
	p.Send(notification("test/note", "{}"))
	id, _ := wantCall(t, p, "window/workDoneProgress/create")
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

// Header names in other cases, or with other white space, closed the connection
// (rust-lang/rust-analyzer#15197, modelcontextprotocol/go-sdk#789).
func TestReport022HeaderSpelling(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	body := request("1", "$/x", "")
	for _, header := range []string{
		"content-length:   %d\r\n\r\n", "Content-Length:%d\r\n\r\n",
		"X-Unknown: 1\r\nCONTENT-LENGTH: %d \r\n\r\n",
	} {
		p.SendRaw(fmt.Sprintf(header, len(body)) + body)
		wantError(t, p, "1", jsonrpc2.CodeMethodNotFound)
	}
}

// A charset that is not ours was read as if it were (microsoft/language-server-protocol#600).
func TestReport024Charset(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	p.SendRaw("Content-Length: 2\r\n" +
		"Content-Type: application/vscode-jsonrpc; charset=utf-16\r\n\r\n{}")
	if m := hear(t, p); m.Error == nil || string(m.ID) != "null" {
		t.Errorf("heard %+v, expected an error without an id", m)
	}
	body := request("1", "$/x", "")
	p.SendRaw(fmt.Sprintf("Content-Length: %d\r\n"+
		"Content-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n%s", len(body), body))
	wantError(t, p, "1", jsonrpc2.CodeMethodNotFound)
}

// The length was counted in characters (palantir/python-language-server#25, scalameta/metals#3810).
func TestReport026LengthIsInBytes(t *testing.T) {
	srv := &Server{}
	handleEcho(srv)
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/echo", `["你好𐐀"]`), request("2", "test/echo", `["𐐀"]`))
	p.Expect(result("1", `["你好𐐀"]`), result("2", `["𐐀"]`))
}

// A batch closed the connection (microsoft/vscode-languageserver-node#781).
func TestReport028Batch(t *testing.T) {
	p, _ := greet(t, &Server{}, "{}")
	p.Send("["+request("1", "$/x", "")+","+request("2", "$/x", "")+"]", "[]")
	wantError(t, p, "null", jsonrpc2.CodeInvalidRequest)
	wantError(t, p, "null", jsonrpc2.CodeInvalidRequest)
	settle(t, p)
}

// Ids that are strings came back as numbers, or not at all (nim-lang/langserver#407,
// eclipse-lsp4j/lsp4j#138, MaskRay/ccls#437).
func TestReport031IDs(t *testing.T) {
	proceed := make(chan struct{})
	p, _ := greet(t, reading(proceed), "{}")
	p.Send(didOpenOf("file:///a", ""))
	ids := []string{`"1"`, `1`, `""`, `-1`, `"0b9d2c60-6a28-4a1e-8f5e-0c6a5a0a2f6d"`,
		`9007199254740993`}
	var want []string
	for _, id := range ids {
		p.Send(request(id, "test/text", `{"uri":"file:///a"}`))
		want = append(want, result(id, `"v1 "`))
	}
	close(proceed)
	p.Expect(want...)
}

// Forms of params that mean none were refused (sublimelsp/LSP#2240, zed-industries/zed#45994,
// rust-lang/rust-analyzer#13943).
func TestReport032ShutdownParams(t *testing.T) {
	for _, params := range []string{"", "null", "{}", "[]"} {
		t.Run("params "+params, func(t *testing.T) {
			p, _ := greet(t, &Server{}, "{}")
			p.Send(request("1", "shutdown", params))
			p.Expect(result("1", "null"))
			p.Send(notification("exit", params))
			p.ExpectEnd()
			wantStatus(t, p, 0)
		})
	}
}

// Requests before initialize were handled, or crashed the server (rust-analyzer/lsp-server#30).
func TestReport034RequestBeforeInitialize(t *testing.T) {
	p := start(t, reading(nil))
	p.Send(request("1", "test/text", `{"uri":"file:///a"}`))
	wantError(t, p, "1", CodeServerNotInitialized)
}

// Calls were pending for ever once the connection was closed
// (microsoft/vscode-languageserver-node#715, hashicorp/terraform-ls#22).
func TestReport037CallsOnAClosedConnection(t *testing.T) {
	srv, done := registering(func(ctx context.Context, s *Session) error {
		_, err := s.Configuration(ctx, "a")
		return err
	})
	p, _ := greet(t, srv, configurable)
	p.Send(notification("test/note", "{}"))
	wantCall(t, p, "workspace/configuration")
	p.CloseWrite()
	if err := <-done; !errors.Is(err, host.ErrClosed) {
		t.Errorf("the call failed with %v, expected %v", err, host.ErrClosed)
	}
	p.ExpectEnd()
}

// Progress was created before initialize was answered, which clients refuse
// (typescript-language-server/typescript-language-server#846).
func TestReport038ProgressDuringInitialize(t *testing.T) {
	srv := &Server{
		Initialize: func(ctx context.Context, s *Session, _ *protocol.InitializeResult) error {
			_, w := s.Progress(ctx, "Load", WorkOptions{})
			w.End("loaded")
			return note.Send(ctx, s, json.RawMessage(`{}`))
		},
	}
	p := start(t, srv)
	p.Send(hello(configurable))
	answer(t, p, "0")
	first, second := hear(t, p), hear(t, p)
	if first.Method != "test/note" {
		first, second = second, first
	}
	if first.Method != "test/note" || second.Method != "window/workDoneProgress/create" {
		t.Errorf("heard %+v and %+v", first, second)
	}
}

// Every $/setTrace was logged as an error (open-policy-agent/regal#997, openlawlibrary/pygls#162).
func TestReport041SetTraceIsNoError(t *testing.T) {
	sink := logSink{slog.DiscardHandler, new(atomic.Pointer[Session])}
	srv := &Server{Start: func(_ context.Context, s *Session) error {
		sink.session.Store(s)
		return nil
	}}
	h := &host.Host{Mounts: []host.MethodSet{srv}, Logger: slog.New(sink)}
	p := hosttest.Start(t, h, framing.ContentLength)
	p.Send(hello("{}"))
	answer(t, p, "0")
	p.Send(notification("$/setTrace", `{"value":"off"}`), notification("$/setTrace", "{}"),
		notification("$/setTrace", ""), notification("$/unknown", ""))
	settle(t, p)
}

// A panic in the service of one client ended all clients of a shared server (golang/go#42072).
func TestReport046PanicCostsOneRequest(t *testing.T) {
	srv := &Server{Opened: func(context.Context, *Session, Document) { panic("oops") }}
	echo.Handle(srv, func(context.Context, *Session, json.RawMessage) (json.RawMessage, error) {
		panic("oops")
	})
	h := &host.Host{Mounts: []host.MethodSet{srv}}
	one := hosttest.Start(t, h, framing.ContentLength)
	other := hosttest.Start(t, h, framing.ContentLength)
	for _, p := range []*hosttest.Peer{one, other} {
		p.Send(hello("{}"))
		answer(t, p, "0")
	}
	one.Send(didOpenOf("file:///a", ""), request("1", "test/echo", "[]"))
	wantError(t, one, "1", jsonrpc2.CodeInternalError)
	settle(t, one)
	settle(t, other)
}

// Columns were counted in bytes (asyncswap/solidity-language-server#32, astral-sh/ruff-lsp#358),
// the line behind the last one was out of range (dotnet/roslyn#80119), a change without a range
// crashed (dotnet/roslyn#84679), and CRLF counted as two line ends
// (arduino/arduino-language-server#85).
func TestReport047To050Positions(t *testing.T) {
	span := func(l1, c1, l2, c2 int, text string) string {
		return fmt.Sprintf(`[{"range":{"start":{"line":%d,"character":%d},`+
			`"end":{"line":%d,"character":%d}},"text":%q}]`, l1, c1, l2, c2, text)
	}
	tests := []struct{ name, encoding, text, changes, want string }{
		{"047 utf-16 columns", "utf-16", "a𐐀b", span(0, 3, 0, 4, "X"), "a𐐀X"},
		{"047 utf-8 columns", "utf-8", "a𐐀b", span(0, 5, 0, 6, "X"), "a𐐀X"},
		{"047 utf-32 columns", "utf-32", "a𐐀b", span(0, 2, 0, 3, "X"), "a𐐀X"},
		{"048 end at the line count", "utf-16", "ab\ncd", span(0, 0, 2, 0, "X"), "X"},
		{"048 far beyond", "utf-16", "ab\ncd", span(5, 0, 9, 9, "X"), "ab\ncdX"},
		{"049 without a range", "utf-16", "ab", `[{"text":"all new"}]`, "all new"},
		{"050 CRLF", "utf-16", "ab\r\ncd\r\n", span(1, 0, 1, 2, "X"), "ab\r\nX\r\n"},
		{"050 beyond a line before CRLF", "utf-16", "ab\r\ncd", span(0, 99, 0, 99, "X"), "abX\r\ncd"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := greet(t, reading(nil),
				fmt.Sprintf(`{"general":{"positionEncodings":[%q]}}`, tt.encoding))
			p.Send(didOpenOf("file:///a", tt.text), didChangeOf("file:///a", 2, tt.changes))
			wantText(t, p, "file:///a", "v2 "+tt.want)
		})
	}
}
