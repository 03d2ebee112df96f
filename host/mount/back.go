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
	params := b.relay.set.splice(m, b.far, 0)
	if req.Notif {
		return nil, near.Pass(ctx, req.Method, params)
	}
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
