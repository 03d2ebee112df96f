package mcp

import (
	"context"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// running are the requests of HTTP sessions that are being handled. They end with their sessions:
// the server waits for them then, but does not tell them. The zero value is empty.
type running struct {
	mu  sync.Mutex // guards the field below
	all map[*runningRequest]struct{}
}

type runningRequest struct {
	session string
	cancel  context.CancelFunc
}

// track is middleware that keeps account of the requests.
func (t *running) track(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		id := req.GetSession().ID()
		if id == "" {
			return next(ctx, method, req) // of a host's session, or one that stands alone
		}
		ctx, cancel := context.WithCancel(ctx)
		r := &runningRequest{id, cancel}
		t.add(r)
		defer t.remove(r)
		return next(ctx, method, req)
	}
}

func (t *running) add(r *runningRequest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all == nil {
		t.all = map[*runningRequest]struct{}{}
	}
	t.all[r] = struct{}{}
}

func (t *running) remove(r *runningRequest) {
	r.cancel()
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.all, r)
}

// end cancels the requests of a session.
func (t *running) end(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.all {
		if r.session == session {
			r.cancel()
		}
	}
}
