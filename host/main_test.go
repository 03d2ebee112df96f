package host_test

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/goleak"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// TestMain also lets the test binary be the process that a test talks to over stdio.
func TestMain(m *testing.M) {
	if name := os.Getenv(stdioHost); name != "" {
		os.Exit(serveStdio(name))
	}
	goleak.VerifyTestMain(m)
}

// set is a method set made of a dialect and a function.
type set struct {
	name    string
	dialect *host.Dialect
	open    func(ctx context.Context, s *host.Session) (host.Handler, error)
}

func (m set) Name() string {
	if m.name == "" {
		return "test"
	}
	return m.name
}

func (m set) Dialect() *host.Dialect {
	if m.dialect == nil {
		return host.Plain
	}
	return m.dialect
}

func (m set) Open(ctx context.Context, s *host.Session) (host.Handler, error) {
	return m.open(ctx, s)
}

// handler returns a set of the plain dialect whose sessions all share h.
func handler(h host.Handler) set { return handlerOf(nil, h) }

func handlerOf(d *host.Dialect, h host.Handler) set {
	return set{dialect: d, open: func(context.Context, *host.Session) (host.Handler, error) {
		return h, nil
	}}
}

// methods is a Handler that is a table.
type methods map[string]host.HandlerFunc

func (m methods) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if f := m[req.Method]; f != nil {
		return f(ctx, req)
	}
	return nil, host.MethodNotFound(req.Method)
}

// serving returns a host with one method set of the plain dialect.
func serving(h host.Handler) *host.Host { return hostOf(handler(h)) }

func hostOf(sets ...host.MethodSet) *host.Host { return &host.Host{Mounts: sets} }

// attach starts a session of h in memory and returns the other end of its stream. At the end of
// the test the host is closed.
func attach(t *testing.T, h *host.Host) (io.ReadWriteCloser, *host.Session) {
	t.Helper()
	near, far := hosttest.Streams()
	s, err := h.Attach(far, host.PeerInfo{Network: "pipe"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		near.Close()
		h.Close()
	})
	return near, s
}

// params returns what a message has as params, "" for none.
func params(req *jsonrpc2.Request) string {
	if req.Params == nil {
		return ""
	}
	return string(*req.Params)
}

// request returns the text of a request; params may be empty.
func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,` + call(method, params)
}

// notification returns the text of a notification; params may be empty.
func notification(method, params string) string {
	return `{"jsonrpc":"2.0",` + call(method, params)
}

func call(method, params string) string {
	if params == "" {
		return `"method":"` + method + `"}`
	}
	return `"method":"` + method + `","params":` + params + `}`
}

// result returns the text of an answer.
func result(id, result string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// failure returns the text of an error answer.
func failure(id, err string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"error":` + err + `}`
}

const cancelled = `{"code":-32800,"message":"request cancelled"}`

// wantIn fails the test unless text has part in it.
func wantIn(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("got %s\nwant something with %q in it", text, part)
	}
}

// framings are those a session can settle on.
var framings = []framing.Framing{framing.Newline, framing.ContentLength}
