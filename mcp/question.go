package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// unanswered is the error of a question to the client that it did not answer, or with an error. The
// code of that is about the question, and not about the request that gave rise to it.
type unanswered struct{ error }

// Unwrap returns the client's error, or why there was no answer.
func (e *unanswered) Unwrap() error { return e.error }

// ask is middleware for what is sent. It marks the errors of questions; that of one which was not
// answered in time names the limit.
func ask(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if strings.HasPrefix(method, notifications) {
			return next(ctx, method, req)
		}
		res, err := next(ctx, method, req)
		switch cause := context.Cause(ctx); {
		case err == nil:
			return res, nil
		case errors.Is(cause, host.ErrCallTimeout):
			err = fmt.Errorf("%s: %w", method, cause)
		}
		return nil, &unanswered{err}
	}
}

// askWithin returns middleware for what is sent: it bounds the time in which the client of an HTTP
// session is to answer a question. On the sessions of a host these do so themselves.
func askWithin(limit time.Duration) sdk.Middleware {
	late := fmt.Errorf("%w (--call-timeout %s)", host.ErrCallTimeout, limit)
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if req.GetSession().ID() == "" || strings.HasPrefix(method, notifications) {
				return next(ctx, method, req)
			}
			ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
			defer cancel()
			return next(ctx, method, req)
		}
	}
}

// resolve is middleware for received requests: a question without answer is the error of the tool
// that asked it, which the model is told of (2025-11-25, Tools, error handling), and an internal
// error elsewhere.
func resolve(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		if !errors.As(err, new(*unanswered)) {
			return res, err
		}
		if method != methodCall {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		}
		failed := new(sdk.CallToolResult)
		failed.SetError(err)
		return failed, nil
	}
}
