package mcp

import (
	"context"
	"encoding/json"
	"math"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tokens are the progress tokens of the requests in flight, by key.
type tokens map[string]*token

type token struct {
	users int     // requests in flight that have it; a careful client sees to it that this is 1
	last  float64 // the progress that was reported last
}

func (t tokens) add(key string) {
	if t[key] == nil {
		t[key] = &token{last: math.Inf(-1)}
	}
	t[key].users++
}

func (t tokens) remove(key string) {
	if t[key] == nil {
		return
	}
	if t[key].users--; t[key].users == 0 {
		delete(t, key)
	}
}

// progress reports whether a notification of progress may be sent: for a token that a request in
// flight has, and with a value above the last (2025-11-25, Progress, behavior requirements).
func (t tokens) progress(key string, value float64) bool {
	token := t[key]
	if token == nil || !(value > token.last) {
		return false
	}
	token.last = value
	return true
}

// reports is what a request over HTTP may report of its progress. On the sessions of a host that is
// up to their life cycle, which knows the order on the wire.
type reports struct {
	mu     sync.Mutex // guards the fields below
	tokens tokens     // at most one; nil when the request has been handled
}

// reportsKey is the key of a request's reports in its context.
type reportsKey struct{}

// expectReports is middleware for received requests: what they may report, they may until they
// have been handled.
func expectReports(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if linkFrom(ctx) != nil {
			return next(ctx, method, req)
		}
		r := &reports{tokens: tokens{}}
		if params := req.GetParams(); !isNil(params) {
			if token := params.GetMeta()["progressToken"]; token != nil {
				r.tokens.add(tokenKey(token))
			}
		}
		defer r.end()
		return next(context.WithValue(ctx, reportsKey{}, r), method, req)
	}
}

// dropReports is middleware for what is sent: it drops the reports that nobody expects.
func dropReports(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		r, _ := ctx.Value(reportsKey{}).(*reports)
		p, reports := req.GetParams().(*sdk.ProgressNotificationParams)
		if r != nil && reports && !r.progress(p) {
			return nil, nil
		}
		return next(ctx, method, req)
	}
}

func (r *reports) progress(p *sdk.ProgressNotificationParams) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tokens.progress(tokenKey(p.ProgressToken), p.Progress)
}

func (r *reports) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens = nil
}

// tokenKey is the key of a token that has been decoded.
func tokenKey(token any) string {
	raw, _ := json.Marshal(token) // what cannot be encoded is no token
	return key(raw)
}
