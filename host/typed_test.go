package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

type point struct {
	X int `json:"x"`
}

var (
	move  = host.Request[*host.Session, *point, point]{Method: "move"}
	reset = host.Request[*host.Session, host.NoParams, []string]{Method: "reset"}
	moved = host.Notification[*host.Session, point]{Method: "moved"}
	bye   = host.Notification[*host.Session, host.NoParams]{Method: "bye"}
)

// muxed returns a host of methods that register fills in.
func muxed(register func(m *host.Mux[*host.Session])) *host.Host {
	mux := new(host.Mux[*host.Session])
	register(mux)
	return hostOf(set{open: func(_ context.Context, s *host.Session) (host.Handler, error) {
		return host.HandlerFunc(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
			return mux.Serve(ctx, s, req)
		}), nil
	}})
}

func TestTypedMethodsAreHandled(t *testing.T) {
	seen := make(chan int, 1)
	p := hosttest.Start(t, muxed(func(m *host.Mux[*host.Session]) {
		move.Handle(m, func(_ context.Context, _ *host.Session, p *point) (point, error) {
			return point{p.X + 1}, nil
		})
		reset.Handle(m, func(context.Context, *host.Session, host.NoParams) ([]string, error) {
			return nil, errors.New("cannot")
		})
		moved.Handle(m, func(_ context.Context, _ *host.Session, p point) error {
			seen <- p.X
			return nil
		})
	}), framing.Newline)
	for _, c := range []struct{ method, params, answer string }{
		{"move", `{"x":1}`, `"result":{"x":2}`},
		{"move", ``, `"error":{"code":-32602,"message":"params of move: missing"}`},
		{"move", `{"x":"1"}`, `"error":{"code":-32602,"message":"params of move: json: cannot ` +
			`unmarshal string into Go struct field point.x of type int"}`},
		{"reset", `["anything"]`, `"error":{"code":-32603,"message":"cannot"}`},
		{"other", ``, `"error":{"code":-32601,"message":"method \"other\" is not known here"}`},
	} {
		p.Send(request("1", c.method, c.params))
		p.Expect(`{"jsonrpc":"2.0","id":1,` + c.answer + `}`)
	}
	p.Send(notification("moved", `{"x":"far"}`), notification("moved", `{"x":5}`))
	if x := <-seen; x != 5 {
		t.Errorf("got %d", x)
	}
}

func TestTypedMethodsAreSent(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	ctx := t.Context()
	type outcome struct {
		p   point
		err error
	}
	answers := make(chan outcome, 1)
	go func() {
		p, err := move.Call(ctx, p.Session, &point{1})
		answers <- outcome{p, err}
	}()
	p.Expect(request("1", "move", `{"x":1}`))
	p.Send(result("1", `{"x":2}`))
	if got := <-answers; got.err != nil || got.p.X != 2 {
		t.Errorf("got %+v", got)
	}
	go func() {
		_, err := reset.Call(ctx, p.Session, host.NoParams{})
		answers <- outcome{err: err}
	}()
	p.Expect(request("2", "reset", ""))
	p.Send(failure("2", `{"code":1,"message":"no"}`))
	var refused *jsonrpc2.Error
	if got := <-answers; !errors.As(got.err, &refused) || refused.Code != 1 {
		t.Errorf("got %v", got.err)
	}
	go moved.Send(ctx, p.Session, point{3})
	p.Expect(notification("moved", `{"x":3}`))
	go bye.Send(ctx, p.Session, host.NoParams{})
	p.Expect(notification("bye", ""))
}

func TestAMethodHasOneHandler(t *testing.T) {
	var m host.Mux[*host.Session]
	f := func(context.Context, *host.Session, point) error { return nil }
	moved.Handle(&m, f)
	bye.Handle(&m, func(context.Context, *host.Session, host.NoParams) error { return nil })
	if !m.Has("moved") || m.Has("other") || !slices.Equal(m.Methods(), []string{"bye", "moved"}) {
		t.Errorf("the methods are %v", m.Methods())
	}
	defer func() {
		if p, _ := recover().(string); !strings.Contains(p, "moved") {
			t.Errorf("panic %q", p)
		}
	}()
	moved.Handle(&m, f)
}

func TestADialectMayHaveItsOwnCodec(t *testing.T) {
	d := *host.Plain
	d.Marshal = func(v any) ([]byte, error) { return json.Marshal(map[string]any{"own": v}) }
	d.Unmarshal = func(data []byte, v any) error {
		own, _ := host.Member(data, "own")
		return json.Unmarshal(own, v)
	}
	h := hostOf(handlerOf(&d, host.HandlerFunc(
		func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
			p, err := move.Call(ctx, host.SessionFrom(ctx), &point{1})
			return p, err
		})))
	p := hosttest.Start(t, h, framing.Newline)
	p.Send(request("7", "m", ""))
	p.Expect(request("1", "move", `{"own":{"x":1}}`))
	p.Send(result("1", `{"own":{"x":2}}`))
	p.Expect(result("7", `{"own":{"x":2}}`))
}
