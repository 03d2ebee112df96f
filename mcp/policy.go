package mcp

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// contain is middleware that lets a panic cost its request an error -32603 and nothing else. Each
// handler has a goroutine, so that one that ends it instead of returning leaves the server's alone.
// What a handler starts on goroutines of its own is out of reach.
func (s *Set) contain(next sdk.MethodHandler) sdk.MethodHandler {
	return func(
		ctx context.Context, method string, req sdk.Request,
	) (res sdk.Result, err error) {
		done := make(chan struct{})
		go func() {
			returned := false
			defer close(done)
			defer func() {
				if p := recover(); !returned {
					res, err = nil, s.panicked(ctx, method, p)
				}
			}()
			res, err = next(ctx, method, req)
			returned = true
		}()
		<-done
		return res, err
	}
}

// panicked logs that a handler panicked, or ended its goroutine, and returns what the client is
// told.
func (s *Set) panicked(ctx context.Context, method string, p any) error {
	s.logger(ctx).Error("handler panicked",
		"method", method, "panic", p, "stack", string(debug.Stack()))
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeInternalError,
		Message: "internal error: the handler of " + method + " panicked",
	}
}

// logger returns the logger for what happens under ctx.
func (s *Set) logger(ctx context.Context) *slog.Logger {
	if l := linkFrom(ctx); l != nil {
		return l.session.Logger()
	}
	return s.options.Logger
}

// slots has room for the requests that may run at the same time.
type slots chan struct{}

// limit is middleware that lets only so many requests of a session run at the same time.
func (s *Set) limit(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if !isLimited(method) {
			return next(ctx, method, req)
		}
		slots := s.slots
		if l := linkFrom(ctx); l != nil {
			slots = l.slots
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		defer func() { <-slots }()
		return next(ctx, method, req)
	}
}

// isLimited reports whether a method is work. A subscription only waits, for as long as it likes.
func isLimited(method string) bool {
	switch method {
	case methodInitialize, methodPing, methodDiscover, methodListen:
		return false
	}
	return !strings.HasPrefix(method, notifications)
}
