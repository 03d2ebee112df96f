package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"go.uber.org/goleak"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start starts a session of srv whose peer has said nothing yet.
func start(t *testing.T, srv *Server) *hosttest.Peer {
	t.Helper()
	return startWith(t, srv, host.Limits{})
}

func startWith(t *testing.T, srv *Server, l host.Limits) *hosttest.Peer {
	t.Helper()
	h := &host.Host{Mounts: []host.MethodSet{srv}, Limits: l}
	return hosttest.Start(t, h, framing.ContentLength)
}

// request and notification return messages; params may be empty.
func request(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q%s}`, id, method, member(params))
}

func notification(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q%s}`, method, member(params))
}

func member(params string) string {
	if params == "" {
		return ""
	}
	return `,"params":` + params
}

func result(id, value string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, value)
}

// hello returns an initialize request with id 0.
func hello(capabilities string) string {
	return request("0", "initialize", `{"processId":null,"rootUri":null,"capabilities":`+
		capabilities+`}`)
}

// greet starts a session of srv and initializes it. It returns the result of initialize too.
func greet(t *testing.T, srv *Server, capabilities string) (*hosttest.Peer, json.RawMessage) {
	t.Helper()
	return greetWith(t, srv, capabilities, host.Limits{})
}

func greetWith(
	t *testing.T, srv *Server, capabilities string, l host.Limits,
) (*hosttest.Peer, json.RawMessage) {
	t.Helper()
	p := startWith(t, srv, l)
	p.Send(hello(capabilities))
	res := answer(t, p, "0")
	p.Send(notification("initialized", "{}"))
	return p, res
}

// message is what a peer hears.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *jsonrpc2.Error
}

// hear returns the next message.
func hear(t *testing.T, p *hosttest.Peer) message {
	t.Helper()
	var m message
	if raw := p.Receive(); json.Unmarshal(raw, &m) != nil {
		t.Fatalf("not a message: %s", raw)
	}
	return m
}

// answer returns the result in the next message, which must answer the request with that id.
func answer(t *testing.T, p *hosttest.Peer, id string) json.RawMessage {
	t.Helper()
	m := hear(t, p)
	if string(m.ID) != id || m.Error != nil || m.Method != "" {
		t.Fatalf("heard %+v, expected the result of request %s", m, id)
	}
	return m.Result
}

// wantError checks that the next message answers the request with that id with an error.
func wantError(t *testing.T, p *hosttest.Peer, id string, code int64) {
	t.Helper()
	m := hear(t, p)
	if string(m.ID) != id || m.Error == nil || m.Error.Code != code {
		t.Fatalf("heard %+v, expected the error %d for request %s", m, code, id)
	}
}

// wantCall returns the id of the next message, which must be a request of that method.
func wantCall(t *testing.T, p *hosttest.Peer, method string) (id string, params json.RawMessage) {
	t.Helper()
	m := hear(t, p)
	if m.ID == nil || m.Method != method {
		t.Fatalf("heard %+v, expected the request %s", m, method)
	}
	return string(m.ID), m.Params
}

// settle waits until everything sent before has been handled, and nothing else was said.
func settle(t *testing.T, p *hosttest.Peer) {
	t.Helper()
	p.Send(request(`"sync"`, "test/unknown", ""))
	wantError(t, p, `"sync"`, jsonrpc2.CodeMethodNotFound)
}

// custom methods of tests
var (
	echo = Request[json.RawMessage, json.RawMessage]{Method: "test/echo"}
	note = Notification[json.RawMessage]{Method: "test/note"}
)

// handleEcho makes srv answer test/echo with its params.
func handleEcho(srv *Server) {
	echo.Handle(srv, func(_ context.Context, _ *Session, p json.RawMessage) (json.RawMessage, error) {
		return p, nil
	})
}
