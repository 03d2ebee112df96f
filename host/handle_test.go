package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// returning is a Handler that returns the same for each message.
func returning(result any, err error) host.HandlerFunc {
	return func(context.Context, *jsonrpc2.Request) (any, error) { return result, err }
}

// noError is an error whose Error method panics on a nil pointer, as that of most types does.
type noError struct{ text string }

func (e *noError) Error() string { return e.text }

// explosive cannot be encoded.
type explosive struct{}

func (explosive) MarshalJSON() ([]byte, error) { panic("encoding") }

func TestAnswers(t *testing.T) {
	data := json.RawMessage(`{"k":1.0}`)
	badData := json.RawMessage(`{`)
	limit := &jsonrpc2.Error{Code: 7, Message: "limit", Data: &data}
	raw := json.RawMessage(`{"b":1.50,"a":"<\u0041>"}`)
	for _, c := range []struct {
		name   string
		result any
		err    error
		want   string // members of the answer behind the id
	}{
		{"a value", map[string]string{"k": "<&>"}, nil, `"result":{"k":"<&>"}`},
		{"nothing", nil, nil, `"result":null`},
		{"raw JSON as it is", raw, nil, `"result":{"b":1.50,"a":"<\u0041>"}`},
		{"pointer to raw JSON", &raw, nil, `"result":{"b":1.50,"a":"<\u0041>"}`},
		{"nil raw JSON", json.RawMessage(nil), nil, `"result":null`},
		{"nil pointer to raw JSON", (*json.RawMessage)(nil), nil, `"result":null`},
		{"raw text that is no JSON", json.RawMessage(`{"a":`), nil,
			`"error":{"code":-32603,"message":"the result of m cannot be encoded: ` +
				`invalid JSON at byte 5: ` +
				`expected a value, found the end of the text"}`},
		{"a value that JSON does not have", math.Inf(1), nil,
			`"error":{"code":-32603,"message":"the result of m cannot be encoded: ` +
				`json: unsupported value: +Inf"}`},
		{"an error of the wire", nil, limit,
			`"error":{"code":7,"message":"limit","data":{"k":1.0}}`},
		{"wrapped", nil, fmt.Errorf("deep: %w", errors.Join(errors.New("x"), limit)),
			`"error":{"code":7,"message":"limit","data":{"k":1.0}}`},
		{"any other error", "ignored", errors.New("disk full"),
			`"error":{"code":-32603,"message":"disk full"}`},
		{"an error with data that is no JSON", nil,
			&jsonrpc2.Error{Code: 7, Message: "limit", Data: &badData},
			`"error":{"code":7,"message":"limit (data: invalid JSON at byte 1: ` +
				`expected a member name in quotes, found the end of the text)"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := hosttest.Start(t, serving(returning(c.result, c.err)), framing.Newline)
			p.Send(request("1", "m", ""))
			want := `{"jsonrpc":"2.0","id":1,` + c.want + `}`
			if got := string(p.Receive()); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// A panic in what encodes the result or the error of a handler, or in what runs after the answer,
// used to end the process: only the handler itself was guarded.
func TestAPanicCostsOneError(t *testing.T) {
	const internal = `{"code":-32603,"message":"internal error: the handler of m panicked"}`
	for _, c := range []struct {
		name    string
		handler host.HandlerFunc
		answer  string
	}{
		{"in the handler", func(context.Context, *jsonrpc2.Request) (any, error) {
			panic("oh")
		}, failure("1", internal)},
		{"with nil", func(context.Context, *jsonrpc2.Request) (any, error) {
			panic(nil) //nolint:govet // a handler can do that
		}, failure("1", internal)},
		{"at run time", func(context.Context, *jsonrpc2.Request) (any, error) {
			none := []int{}
			return none[len(none)], nil
		}, failure("1", internal)},
		{"when the result is encoded", returning(explosive{}, nil), failure("1", internal)},
		{"when the error is read", returning(nil, (*noError)(nil)), failure("1", internal)},
		{"with a nil error of the wire", returning(nil, (*jsonrpc2.Error)(nil)),
			failure("1", internal)},
		{"after the reply", func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
			host.AfterReply(ctx, func() { panic("after") })
			return "fine", nil
		}, result("1", `"fine"`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			calm := returning("calm", nil)
			h := methods{"m": c.handler, "calm": calm}
			p := hosttest.Start(t, serving(h), framing.Newline)
			p.Send(notification("m", ""), request("1", "m", ""), request("2", "calm", ""))
			p.Expect(c.answer, result("2", `"calm"`))
			if n := p.Session.Stats().Panics; n == 0 {
				t.Error("no panic was counted")
			}
		})
	}
}

// goexit ends its goroutine, as t.FailNow does.
func goexit() { runtime.Goexit() }

func TestAHandlerThatEndsItsGoroutineCostsOneError(t *testing.T) {
	exit := func(context.Context, *jsonrpc2.Request) (any, error) {
		goexit()
		return nil, nil
	}
	p := hosttest.Start(t, serving(methods{"exit": exit, "calm": returning("calm", nil)}),
		framing.Newline)
	p.Send(notification("exit", ""), request("1", "exit", ""), request("2", "calm", ""))
	p.Expect(
		failure("1", `{"code":-32603,"message":"the handler ended without an answer"}`),
		result("2", `"calm"`))
}

func TestIDs(t *testing.T) {
	type id struct {
		raw     string
		decoded jsonrpc2.ID
	}
	for _, c := range []id{
		{`1`, jsonrpc2.ID{Num: 1}},
		{`0`, jsonrpc2.ID{}},
		{`18446744073709551615`, jsonrpc2.ID{Num: math.MaxUint64}},
		{`-1`, jsonrpc2.ID{Num: math.MaxUint64}},
		{`18446744073709551616`, jsonrpc2.ID{Str: "18446744073709551616", IsString: true}},
		{`1.50`, jsonrpc2.ID{Str: "1.50", IsString: true}},
		{`""`, jsonrpc2.ID{IsString: true}},
		{`"a\u0062"`, jsonrpc2.ID{Str: "ab", IsString: true}},
	} {
		t.Run(c.raw, func(t *testing.T) {
			seen := make(chan id, 1)
			p := hosttest.Start(t, serving(host.HandlerFunc(
				func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
					seen <- id{string(host.RawID(ctx)), req.ID}
					return nil, nil
				})), framing.Newline)
			p.Send(request(c.raw, "m", ""))
			want := `{"jsonrpc":"2.0","id":` + c.raw + `,"result":null}`
			if got := string(p.Receive()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := <-seen; got != c {
				t.Errorf("the handler saw %+v, want %+v", got, c)
			}
		})
	}
}

func TestNothingOfAMessageIsKnownOutsideOfOne(t *testing.T) {
	if host.RawID(t.Context()) != nil || host.SessionFrom(t.Context()) != nil {
		t.Error("a context without message has an id or a session")
	}
}

func TestANotificationHasASessionAndNoID(t *testing.T) {
	type seen struct {
		id      json.RawMessage
		session *host.Session
		notif   bool
	}
	got := make(chan seen, 1)
	p := hosttest.Start(t, serving(host.HandlerFunc(
		func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
			got <- seen{host.RawID(ctx), host.SessionFrom(ctx), req.Notif}
			return nil, nil
		})), framing.Newline)
	p.Send(notification("n", ""))
	if s := <-got; s.id != nil || s.session != p.Session || !s.notif {
		t.Errorf("got %+v", s)
	}
}

func TestAnIDInUseIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		p := hosttest.Start(t, serving(methods{
			"wait": func(context.Context, *jsonrpc2.Request) (any, error) { <-over; return "first", nil },
			"free": returning("again", nil),
		}), framing.Newline)
		p.Send(request(`"a"`, "wait", ""), request(`"\u0061"`, "free", ""), request(`7`, "free", ""))
		p.Expect(
			failure(`"a"`, `{"code":-32600,"message":"id \"\\u0061\" is in use by a request not `+
				`yet answered"}`),
			result("7", `"again"`))
		close(over)
		p.Expect(result(`"a"`, `"first"`))
		p.Send(request(`"a"`, "free", ""))
		p.Expect(result(`"a"`, `"again"`))
	})
}

func TestParamsReachTheHandlerAsTheyCame(t *testing.T) {
	got := make(chan string, 3)
	p := hosttest.Start(t, serving(host.HandlerFunc(
		func(_ context.Context, req *jsonrpc2.Request) (any, error) {
			got <- params(req)
			return req.Params, nil
		})), framing.ContentLength)
	for _, c := range []struct{ sent, seen, answer string }{
		{`{"b" : 1.50,"b":"\u00e9", "a":[ ]}`, `{"b" : 1.50,"b":"\u00e9", "a":[ ]}`,
			`{"b" : 1.50,"b":"\u00e9", "a":[ ]}`},
		{``, ``, `null`},
		{`null`, ``, `null`},
	} {
		p.Send(request("1", "m", c.sent))
		if seen := <-got; seen != c.seen {
			t.Errorf("params %s: got %s", c.sent, seen)
		}
		want := `{"jsonrpc":"2.0","id":1,"result":` + c.answer + `}`
		if answer := string(p.Receive()); answer != want {
			t.Errorf("got %s, want %s", answer, want)
		}
	}
}

func TestAnUnknownMethodIsRefusedAndAnUnknownNotificationIgnored(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	p.Send(notification("what", ""), request("1", "what", ""))
	p.Expect(failure("1", `{"code":-32601,"message":"method \"what\" is not known here"}`))
}
