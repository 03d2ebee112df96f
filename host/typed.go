package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/sourcegraph/jsonrpc2"
)

// Peer is a protocol's view of a session, such as a language client. Typed methods are bound to
// one, so that the compiler keeps the methods of different protocols apart.
type Peer interface {
	// Core returns the session the messages travel on.
	Core() *Session
}

// MethodFunc handles one method of a protocol whose sessions appear as S.
type MethodFunc[S Peer] func(ctx context.Context, s S, req *jsonrpc2.Request) (any, error)

// Registrar collects the methods a plug-in handles. A protocol's server type implements it.
type Registrar[S Peer] interface {
	// Register makes f the handler of method. It panics if the method has one already.
	Register(method string, f MethodFunc[S])
}

// Request describes a request of a protocol: its method, what it takes and what it returns. As a
// package variable it serves both directions, so the compiler checks handlers and calls alike.
type Request[S Peer, P, R any] struct{ Method string }

// Handle makes f the handler of the request on r.
func (m Request[S, P, R]) Handle(r Registrar[S], f func(context.Context, S, P) (R, error)) {
	r.Register(m.Method, func(ctx context.Context, s S, req *jsonrpc2.Request) (any, error) {
		p, err := params[P](s.Core(), req)
		if err != nil {
			return nil, err
		}
		return f(ctx, s, p)
	})
}

// Call sends the request to the peer of s and waits for its answer. See [Session.Call].
func (m Request[S, P, R]) Call(ctx context.Context, s S, p P) (R, error) {
	var res R
	err := s.Core().Call(ctx, m.Method, outgoing(p), &res)
	return res, err
}

// Notification describes a notification of a protocol. Like [Request] it serves both directions.
type Notification[S Peer, P any] struct{ Method string }

// Handle makes f the handler of the notification on r. An error f returns is logged.
func (m Notification[S, P]) Handle(r Registrar[S], f func(context.Context, S, P) error) {
	r.Register(m.Method, func(ctx context.Context, s S, req *jsonrpc2.Request) (any, error) {
		p, err := params[P](s.Core(), req)
		if err != nil {
			return nil, err
		}
		return nil, f(ctx, s, p)
	})
}

// Send sends the notification to the peer of s. See [Session.Notify].
func (m Notification[S, P]) Send(ctx context.Context, s S, p P) error {
	return s.Core().Notify(ctx, m.Method, outgoing(p))
}

// NoParams is the params type of a method without any. Whatever a peer sends in their place
// (nothing, null, an empty object or array) is accepted, and nothing is sent.
type NoParams struct{}

func outgoing(p any) any {
	if _, none := p.(NoParams); none {
		return nil
	}
	return p
}

// params decodes the params of req with the codec of the session's dialect. A handler whose P is a
// pointer never gets nil.
func params[P any](s *Session, req *jsonrpc2.Request) (P, error) {
	var p P
	if _, none := any(p).(NoParams); none {
		return p, nil
	}
	raw := json.RawMessage("null")
	if req.Params != nil {
		raw = *req.Params
	}
	err := s.dialect().unmarshal(raw, &p)
	if v := reflect.ValueOf(&p).Elem(); err == nil && v.Kind() == reflect.Pointer && v.IsNil() {
		err = errors.New("missing")
	}
	if err != nil {
		return p, &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidParams,
			Message: fmt.Sprintf("params of %s: %v", req.Method, err),
		}
	}
	return p, nil
}
