package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// The tests in this file are public bug reports of other hosts, about what is on the wire and when.
// Each comment says what happened there.

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
