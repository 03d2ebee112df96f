package cli

import (
	"context"
	"encoding/json"
	"io"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
)

// clientSet is the method set of a client: what the server may ask of it.
type clientSet struct {
	dialect *host.Dialect
	// answers are the results of the server's requests; others get -32601.
	answers map[string]json.RawMessage
	// notified is called with each notification, one at a time; nil drops them.
	notified func(method string, params *json.RawMessage)
}

// Name implements [host.MethodSet].
func (c *clientSet) Name() string { return "client" }

// Dialect implements [host.MethodSet].
func (c *clientSet) Dialect() *host.Dialect { return c.dialect }

// Open implements [host.MethodSet].
func (c *clientSet) Open(context.Context, *host.Session) (host.Handler, error) {
	return host.HandlerFunc(c.handle), nil
}

func (c *clientSet) handle(_ context.Context, req *jsonrpc2.Request) (any, error) {
	if req.Notif {
		if c.notified != nil {
			c.notified(req.Method, req.Params)
		}
		return nil, nil
	}
	if answer, ok := c.answers[req.Method]; ok {
		return answer, nil
	}
	return nil, host.MethodNotFound(req.Method)
}

// asClient returns the dialect for the client's end of a session: what it says of the life cycle,
// and of the order of requests, is for servers. After a damaged message a strict client ends the
// session.
func asClient(d *host.Dialect, strict bool) *host.Dialect {
	client := *d
	client.NewLifecycle = func() host.Lifecycle { return clientLifecycle{strict} }
	client.Lane = nil
	return &client
}

// clientLifecycle keeps a client from answering what is damaged. A server of another protocol may
// find that answer damaged too, and answer it, and so on without end.
type clientLifecycle struct{ strict bool }

// Incoming implements [host.Lifecycle].
func (clientLifecycle) Incoming(*host.Message) host.Verdict { return host.Verdict{} }

// Outgoing implements [host.Lifecycle].
func (c clientLifecycle) Outgoing(m *host.Message) host.Verdict {
	if m.Kind == host.KindResponse && m.ID == nil {
		return host.Verdict{Action: host.Drop, End: c.strict}
	}
	return host.Verdict{}
}

// AcceptsBatch implements [host.Lifecycle].
func (clientLifecycle) AcceptsBatch() bool { return true }

// ExitStatus implements [host.Lifecycle].
func (clientLifecycle) ExitStatus() int { return 0 }

// converse runs talk on a session with the server at the other end of stream, ends the session in
// order, and returns what talk returned.
func converse(
	stream io.ReadWriteCloser, set *clientSet, f framing.Framing, talk func(*host.Session) error,
) error {
	h := &host.Host{Mounts: []host.MethodSet{set}, Framing: f}
	s, err := h.Attach(stream, host.PeerInfo{Network: "server"})
	if err != nil {
		return err
	}
	err = talk(s)
	s.End()
	<-s.Done()
	return err
}
