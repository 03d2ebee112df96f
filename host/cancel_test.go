package host_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

func cancel(id string) string {
	return notification("$/cancelRequest", `{"id":`+id+`}`)
}

// waiting is a Handler that waits for its cancellation.
func waiting(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestCancelEndsTheRequestWithThatID(t *testing.T) {
	for _, id := range []string{`1`, `"1"`, `1.0`, `-1`, `18446744073709551616`, `""`, `"\u0061"`} {
		t.Run(id, func(t *testing.T) {
			p := hosttest.Start(t, serving(host.HandlerFunc(waiting)), framing.Newline)
			p.Send(request(id, "m", ""), request(`1e0`, "m", ""))
			p.Send(cancel(`10`), cancel(`"1.0"`), cancel(`null`), cancel(`{}`), cancel(id), cancel(id))
			want := `{"jsonrpc":"2.0","id":` + id + `,"error":` + cancelled + `}`
			if got := string(p.Receive()); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			p.Send(cancel(`1e0`))
			p.Expect(failure("1e0", cancelled))
		})
	}
}

func TestDamagedCancellationsMeanNothing(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	for _, params := range []string{"", "[]", "[1]", "{}", `{"ID":1}`, `{"id":[1]}`} {
		p.Send(notification("$/cancelRequest", params))
	}
	p.Send(request("1", "echo", "[]"))
	p.Expect(result("1", "[]"))
}

func TestACancelledRequestIsAnsweredOnceWhateverItsHandlerReturns(t *testing.T) {
	for _, c := range []struct {
		name   string
		result any
		err    error
		answer string
	}{
		{"its context's error", nil, context.Canceled, failure("1", cancelled)},
		{"another error", nil, errors.New("broken off"), failure("1", cancelled)},
		{"a result all the same", "ready", nil, result("1", `"ready"`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := hosttest.Start(t, serving(methods{
					"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
						<-ctx.Done()
						return c.result, c.err
					},
					"next": returning("next", nil),
				}), framing.Newline)
				p.Send(request("1", "m", ""))
				synctest.Wait()
				p.Send(cancel("1"))
				p.Expect(c.answer)
				p.Send(cancel("1"), request("1", "next", ""))
				p.Expect(result("1", `"next"`))
			})
		})
	}
}

func TestADialectMayNotAnswerCancelledRequests(t *testing.T) {
	silent := *host.Plain
	silent.SilentCancel = true
	for _, f := range []string{"m", "[m]"} {
		t.Run(f, func(t *testing.T) {
			p := hosttest.Start(t, hostOf(handlerOf(&silent, methods{
				"m": waiting, "next": returning("next", nil),
			})), framing.Newline)
			m := request("1", "m", "")
			if f != "m" {
				m = "[" + m + "]"
			}
			p.Send(m, cancel("1"), request("2", "next", ""))
			p.Expect(result("2", `"next"`))
			p.CloseWrite()
			p.ExpectEnd()
		})
	}
}

func TestADialectMayHaveItsOwnAnswerToCancellation(t *testing.T) {
	own := *host.Plain
	own.Cancelled = &jsonrpc2.Error{Code: 1, Message: "cancelled"}
	p := hosttest.Start(t, hostOf(handlerOf(&own, host.HandlerFunc(waiting))), framing.Newline)
	p.Send(request("1", "m", ""), cancel("1"))
	p.Expect(failure("1", `{"code":1,"message":"cancelled"}`))
}

func TestFaultCancelOfARequestBehindABlockingNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ran atomic.Bool
		over := make(chan struct{})
		p := hosttest.Start(t, serving(methods{
			"block": func(context.Context, *jsonrpc2.Request) (any, error) { <-over; return nil, nil },
			"m": func(context.Context, *jsonrpc2.Request) (any, error) {
				ran.Store(true)
				return nil, nil
			},
			"next": returning("next", nil),
		}), framing.Newline)
		p.Send(notification("block", ""), request("1", "m", ""), request("2", "next", ""), cancel("1"))
		p.Expect(failure("1", cancelled)) // though the notification still blocks
		close(over)
		p.Expect(result("2", `"next"`))
		synctest.Wait()
		if ran.Load() {
			t.Error("the request was handled nevertheless")
		}
	})
}

func TestFaultCancelStorm(t *testing.T) {
	const n = 1000
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		var want []string
		for i := range n {
			want = append(want, failure(fmt.Sprint(i), cancelled))
		}
		p.Expect(want...)
	}()
	for i := range n {
		id := fmt.Sprint(i)
		p.Send(cancel(id), request(id, "sleep", `{"ms":60000}`), cancel(id), cancel(id))
	}
	<-answered
	p.Send(request("1", "echo", "[]"))
	p.Expect(result("1", "[]"))
}

// handlerContext runs check with the context of a request, and waits for it.
func handlerContext(t *testing.T, check func(ctx context.Context, p *hosttest.Peer)) {
	synctest.Test(t, func(t *testing.T) {
		contexts, over := make(chan context.Context, 1), make(chan struct{})
		p := hosttest.Start(t, serving(methods{
			"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				contexts <- ctx
				<-over
				return nil, nil
			},
		}), framing.Newline)
		defer close(over)
		p.Send(request("1", "m", ""))
		check(<-contexts, p)
	})
}

type contextKey struct{}

func TestTheContextOfARequestEndsWithItsCancellation(t *testing.T) {
	handlerContext(t, func(ctx context.Context, p *hosttest.Peer) {
		if ctx.Err() != nil || ctx.Value(contextKey{}) != nil {
			t.Errorf("at the start: %v, value %v", ctx.Err(), ctx.Value(contextKey{}))
		}
		if _, ok := ctx.Deadline(); ok {
			t.Error("a request has a deadline")
		}
		value := context.WithValue(ctx, contextKey{}, "v")
		derived, stop := context.WithTimeout(value, time.Hour)
		defer stop()
		var called atomic.Int32
		context.AfterFunc(ctx, func() { called.Add(1) })
		context.AfterFunc(derived, func() { called.Add(1) })
		unhook := context.AfterFunc(ctx, func() { called.Add(100) })
		if !unhook() || unhook() {
			t.Error("stopping a function does not say whether that was in time")
		}
		if host.SessionFrom(derived) != p.Session || string(host.RawID(derived)) != "1" {
			t.Error("a derived context does not know its message")
		}
		p.Send(cancel("1"))
		<-derived.Done()
		<-ctx.Done()
		synctest.Wait()
		if n := called.Load(); n != 2 {
			t.Errorf("%d functions were called, want 2", n)
		}
		for _, c := range []context.Context{ctx, derived} {
			if c.Err() != context.Canceled || context.Cause(c) != context.Canceled {
				t.Errorf("err %v, cause %v", c.Err(), context.Cause(c))
			}
		}
		context.AfterFunc(ctx, func() { called.Add(1) })
		late, stop := context.WithCancel(ctx)
		defer stop()
		synctest.Wait()
		if late.Err() == nil || called.Load() != 3 {
			t.Error("what was derived after the end goes on")
		}
	})
}

func TestTheContextOfARequestEndsWithTheSession(t *testing.T) {
	handlerContext(t, func(ctx context.Context, p *hosttest.Peer) {
		derived, stop := context.WithCancel(ctx)
		defer stop()
		p.Session.Close()
		<-derived.Done()
		<-ctx.Done()
		for _, c := range []context.Context{ctx, derived} {
			if c.Err() != context.Canceled || !errors.Is(context.Cause(c), host.ErrClosed) {
				t.Errorf("err %v, cause %v", c.Err(), context.Cause(c))
			}
		}
	})
}

func TestTheContextOfARequestEndsWithItsAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		contexts := make(chan context.Context, 2)
		p := hosttest.Start(t, serving(host.HandlerFunc(
			func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				contexts <- ctx
				return nil, nil
			})), framing.Newline)
		p.Send(notification("n", ""), request("1", "m", ""))
		p.Expect(result("1", "null"))
		<-(<-contexts).Done()
		<-(<-contexts).Done()
	})
}
