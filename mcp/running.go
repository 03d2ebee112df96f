package mcp

import (
	"context"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// running are the requests of HTTP clients that are being handled. They end with their sessions,
// and those that stand alone when their clients have gone: the server waits for them then, but does
// not tell them. The zero value is empty.
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
			ctx, cancel := whilePresent(ctx)
			defer cancel()
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancel(ctx)
		r := &runningRequest{id, cancel}
		t.add(r)
		defer t.remove(r)
		return next(ctx, method, req)
	}
}

// postKey is the key of the context of a POST in those of its messages, if these stand alone.
type postKey struct{}

// standing returns a POST whose messages stand alone: nobody can come back for their answers.
func standing(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), postKey{}, r.Context()))
}

// whilePresent returns a context that also ends when a client of a message that stands alone goes.
func whilePresent(ctx context.Context) (context.Context, context.CancelFunc) {
	post, ok := ctx.Value(postKey{}).(context.Context)
	if !ok {
		return ctx, func() {} // of a host's session, which sees to that itself
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(post, cancel)
	return ctx, func() { stop(); cancel() }
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
