package mount

import (
	"context"
	"errors"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// backSet is the method set of the session with a server: what the server asks of the client.
type backSet struct{ relay *relay }

// Name implements [host.MethodSet].
func (b backSet) Name() string { return b.relay.set.name }

// Dialect implements [host.MethodSet].
func (b backSet) Dialect() *host.Dialect { return asClient(b.relay.set.protocol) }

// Open implements [host.MethodSet].
func (b backSet) Open(_ context.Context, far *host.Session) (host.Handler, error) {
	return back{b.relay, far}, nil
}

// back passes the messages of a server on to the client.
type back struct {
	relay *relay
	far   *host.Session
}

// Handle implements [host.Handler]. A request that the client does not answer fails after the call
// timeout of its session.
func (b back) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	near := b.relay.near
	m := message(ctx, req)
	if req.Notif {
		return nil, b.pass(ctx, m)
	}
	params := b.relay.set.splice(m, b.far, 0)
	f, err := near.Forward(ctx, req.Method, params)
	if err != nil {
		return nil, err
	}
	result, err := f.Wait(ctx)
	switch {
	case err == nil:
		return b.relay.set.answer(m, near, result), nil
	case errors.Is(err, host.ErrCallTimeout), errors.Is(err, host.ErrClosed):
		return nil, failure(err)
	}
	return nil, err
}

// pass passes a notification on, unless it cancels a request of the server's own, which the session
// with the server has seen to.
func (b back) pass(ctx context.Context, m *host.Message) error {
	protocol := b.relay.set.protocol
	if protocol.CancelTarget != nil {
		if id := protocol.CancelTarget(m); id != nil {
			_, method := b.far.Origin(id)
			if method == "" || method != protocol.EndedByCancel {
				return nil
			}
			defer b.far.Drop(id)
		}
	}
	return b.relay.near.Pass(ctx, m.Method, b.relay.set.splice(m, b.far, 0))
}
