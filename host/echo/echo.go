// Package echo is the method set that tests and tools talk to: it answers with what it was sent,
// waits, fails, panics and calls back on demand. It speaks plain JSON-RPC 2.0.
//
//	echo     any params       the params verbatim, null if there are none
//	add      [a,b] or {a,b}   their sum
//	sleep    {ms}             "done" after ms milliseconds; can be cancelled
//	fail     {code,message,data}  exactly that error
//	panic                     panics
//	ask      {method,params}  sends that request to the peer and passes its answer on
//	tell     {method,params,times}  sends that notification times times, then answers times
//	count                     notification: adds one to the session's counter
//	counted                   the session's counter
package echo

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// Set is the echo method set. The zero value is ready to mount.
type Set struct{}

// Name implements [host.MethodSet].
func (Set) Name() string { return "echo" }

// Dialect implements [host.MethodSet].
func (Set) Dialect() *host.Dialect { return host.Plain }

// Open implements [host.MethodSet].
func (Set) Open(_ context.Context, s *host.Session) (host.Handler, error) {
	return &handler{session: s}, nil
}

// handler serves one session.
type handler struct {
	session *host.Session
	count   atomic.Int64
}

// Handle implements [host.Handler].
func (h *handler) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "echo":
		return params(req), nil
	case "add":
		return add(params(req))
	case "sleep":
		return sleep(ctx, params(req))
	case "fail":
		return nil, fail(params(req))
	case "panic":
		panic("as asked")
	case "ask":
		return h.ask(ctx, params(req))
	case "tell":
		return h.tell(ctx, params(req))
	case "count":
		return h.count.Add(1), nil
	case "counted":
		return h.count.Load(), nil
	}
	return nil, host.MethodNotFound(req.Method)
}

func params(req *jsonrpc2.Request) json.RawMessage {
	if req.Params == nil {
		return nil
	}
	return *req.Params
}

func invalid(format string, args ...any) error {
	return &jsonrpc2.Error{
		Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf(format, args...),
	}
}

// member decodes one member of the params; want says what it should be. Package json would take
// names in any case for it.
func member(params json.RawMessage, name string, v any, want string) error {
	raw, ok := host.Member(params, name)
	if !ok || string(raw) == "null" || json.Unmarshal(raw, v) != nil {
		return invalid("want {%q: %s}", name, want)
	}
	return nil
}

func add(raw json.RawMessage) (any, error) {
	a, b, err := summands(raw)
	if err != nil {
		return nil, err
	}
	if x, err := a.Int64(); err == nil {
		if y, err := b.Int64(); err == nil {
			return new(big.Int).Add(big.NewInt(x), big.NewInt(y)), nil
		}
	}
	x, errA := a.Float64()
	y, errB := b.Float64()
	if errA != nil || errB != nil || math.IsInf(x+y, 0) {
		return nil, invalid("the sum of %s and %s is too large", a, b)
	}
	return x + y, nil
}

// summands returns the two numbers to add, given by position or by name.
func summands(raw json.RawMessage) (a, b json.Number, err error) {
	var terms []json.RawMessage
	if json.Unmarshal(raw, &terms) != nil {
		first, _ := host.Member(raw, "a")
		second, _ := host.Member(raw, "b")
		terms = []json.RawMessage{first, second}
	}
	if len(terms) != 2 || !isNumber(terms[0]) || !isNumber(terms[1]) {
		return "", "", invalid(`want exactly two numbers, [a,b] or {"a":a,"b":b}`)
	}
	return json.Number(terms[0]), json.Number(terms[1]), nil
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
}

func sleep(ctx context.Context, raw json.RawMessage) (any, error) {
	var ms float64
	if err := member(raw, "ms", &ms, "milliseconds"); err != nil {
		return nil, err
	}
	if ms < 0 || ms > math.MaxInt64/1e6 {
		return nil, invalid("cannot sleep for %v milliseconds", ms)
	}
	timer := time.NewTimer(time.Duration(ms * float64(time.Millisecond)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return "done", nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func fail(raw json.RawMessage) error {
	e := new(jsonrpc2.Error)
	if err := member(raw, "code", &e.Code, "integer"); err != nil {
		return err
	}
	if err := member(raw, "message", &e.Message, "string"); err != nil {
		return err
	}
	if data, ok := host.Member(raw, "data"); ok {
		e.Data = &data
	}
	return e
}

// message returns what ask and tell are to send.
func message(raw json.RawMessage) (method string, params json.RawMessage, err error) {
	if err := member(raw, "method", &method, "string"); err != nil {
		return "", nil, err
	}
	params, _ = host.Member(raw, "params")
	if len(params) > 0 && params[0] != '{' && params[0] != '[' && params[0] != 'n' {
		return "", nil, invalid(`want "params", an object or an array, or none`)
	}
	return method, params, nil
}

func (h *handler) ask(ctx context.Context, raw json.RawMessage) (any, error) {
	method, params, err := message(raw)
	if err != nil {
		return nil, err
	}
	var answer json.RawMessage
	if err := h.session.Call(ctx, method, params, &answer); err != nil {
		return nil, err
	}
	return answer, nil
}

func (h *handler) tell(ctx context.Context, raw json.RawMessage) (any, error) {
	method, params, err := message(raw)
	if err != nil {
		return nil, err
	}
	var times uint
	if err := member(raw, "times", &times, "whole number"); err != nil {
		return nil, err
	}
	for range times {
		if err := h.session.Notify(ctx, method, params); err != nil {
			return nil, err
		}
	}
	return times, nil
}
