package mcp

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// handler is one session of a host. The server sees it as several clients, each with a link of its
// own: one for each era that is spoken on the session, and one for each subscriptions/listen,
// because a client of the server can have but one of these.
type handler struct {
	set     *Set
	session *host.Session
	slots   slots

	// The links of the two eras are opened in the order of the session, one message at a time.
	legacy, modern *link

	mu    sync.Mutex // guards the fields below
	links map[*link]struct{}
	over  bool
}

// Handle implements [host.Handler].
func (h *handler) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	var params json.RawMessage
	if req.Params != nil {
		params = *req.Params
	}
	version, modern := requestVersion(params)
	switch {
	case req.Notif:
		h.notify(req.Method, params)
		return nil, nil
	case params == nil:
		params = json.RawMessage("{}") // the server's word for missing params is -32600
	case modern:
		return h.callModern(ctx, req.Method, params, version)
	}
	return h.callLegacy(ctx, req.Method, params)
}

// notify hands on a notification: all that a modern client can send has been dealt with already.
func (h *handler) notify(method string, params json.RawMessage) {
	if h.legacy != nil {
		h.legacy.notify(method, params)
	}
}

// callLegacy handles a request of the legacy era. What follows initialize waits for its answer.
func (h *handler) callLegacy(
	ctx context.Context, method string, params json.RawMessage,
) (any, error) {
	first := method == methodInitialize
	if h.legacy == nil && !first {
		return nil, refusal(jsonrpc2.CodeInvalidRequest, "%s came before initialize", method)
	}
	if h.legacy == nil {
		var err error
		if h.legacy, err = h.open(&link{}); err != nil {
			return nil, err
		}
	}
	if first {
		return h.legacy.call(ctx, method, params, nil)
	}
	return h.legacy.call(ctx, method, params, func() { host.Release(ctx) })
}

func (h *handler) callModern(
	ctx context.Context, method string, params, version json.RawMessage,
) (any, error) {
	supportable := isSupportable(version)
	if supportable && method == methodListen {
		return h.listen(ctx, params)
	}
	if h.modern == nil {
		var err error
		if h.modern, err = h.open(&link{modern: true}); err != nil {
			return nil, err
		}
	}
	release := func() { host.Release(ctx) }
	if !supportable {
		return nil, h.modern.refuseVersion(ctx, version, release)
	}
	res, err := h.modern.call(ctx, method, params, release)
	if method == methodDiscover {
		err = asLegacy(err)
	}
	return res, err
}

// listen handles subscriptions/listen, which goes on until its client cancels it or the session
// begins to end. Then it is answered, if anybody waits for that.
func (h *handler) listen(ctx context.Context, params json.RawMessage) (any, error) {
	l, err := h.open(&link{modern: true, listen: newSubscription(host.RawID(ctx))})
	if err != nil {
		return nil, err
	}
	defer h.close(l)
	c := l.send(methodListen, params)
	host.Release(ctx)
	ending := h.session.Ending()
	select {
	case <-l.listen.acknowledged: // a session that ends at once does not cut the beginning short
	case out := <-c.answer:
		return out.result, out.err
	case <-ctx.Done():
		ending = nil
	}
	select {
	case out := <-c.answer:
		return out.result, out.err
	case <-ctx.Done():
	case <-ending:
	}
	l.cancel(c)
	return l.await(c)
}

// open connects a link to the server.
func (h *handler) open(l *link) (*link, error) {
	if err := l.open(h); err != nil {
		return nil, err
	}
	h.mu.Lock()
	over := h.over
	if !over {
		h.links[l] = struct{}{}
	}
	h.mu.Unlock()
	if over {
		l.leave()
		return nil, host.ErrClosed
	}
	return l, nil
}

func (h *handler) close(l *link) {
	h.mu.Lock()
	delete(h.links, l)
	h.mu.Unlock()
	l.leave()
}

// Close ends the session's clients of the server, all at the same time.
func (h *handler) Close(error) {
	h.mu.Lock()
	h.over = true
	var left sync.WaitGroup
	for l := range h.links {
		left.Go(l.leave)
	}
	h.mu.Unlock()
	left.Wait()
}
