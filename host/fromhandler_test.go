package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// foreign is a handler as authors write them for a jsonrpc2.Conn.
type foreign func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error)

// mounted returns a host of a handler that answers what it returns.
func mounted(f foreign) *host.Host {
	return hostOf(host.FromHandler("foreign", jsonrpc2.HandlerWithError(f)))
}

// mountedAsync returns a host of a handler that handles each message on a goroutine of its own.
func mountedAsync(f foreign) *host.Host {
	return hostOf(host.FromHandler("foreign", jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(f))))
}

func TestAForeignHandlerAnswersWhateverTheID(t *testing.T) {
	p := hosttest.Start(t, mounted(
		func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
			switch req.Method {
			case "echo":
				return req.Params, nil
			case "fail":
				data := json.RawMessage(`[1]`)
				return nil, &jsonrpc2.Error{Code: 3, Message: "no", Data: &data}
			}
			return nil, errors.New("any error")
		}), framing.ContentLength)
	for _, id := range []string{`0`, `-1`, `1.50`, `18446744073709551616`, `""`, `"a"`} {
		p.Send(request(id, "echo", `{"b":1.50,"a":1e2}`))
		want := `{"jsonrpc":"2.0","id":` + id + `,"result":{"b":1.50,"a":1e2}}`
		if got := string(p.Receive()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	p.Send(request("1", "fail", ""))
	p.Expect(failure("1", `{"code":3,"message":"no","data":[1]}`))
	p.Send(request("2", "other", ""))
	p.Expect(failure("2", `{"code":0,"message":"any error"}`)) // HandlerWithError wants it so
}

func TestAForeignHandlerHandlesOneMessageAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		p := hosttest.Start(t, mounted(
			func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
				return noting(&l)(nil, req)
			}), framing.Newline)
		p.Send(request("1", "a", ""), notification("b", ""), request("2", "c", ""))
		p.Expect(result("1", "null"))
		p.Expect(result("2", "null"))
		l.want(t, "start a", "end a", "start b", "end b", "start c", "end c")
	})
}

func TestAnAsyncForeignHandlerHandlesMessagesSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		p := hosttest.Start(t, mountedAsync(
			func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
				if req.Method == "first" {
					<-second
				} else {
					close(second)
				}
				return nil, nil
			}), framing.Newline)
		p.Send(request("1", "first", ""), request("2", "second", ""))
		p.Expect(result("1", "null"), result("2", "null"))
	})
}

func TestAForeignHandlerReachesThePeer(t *testing.T) {
	p := hosttest.Start(t, mounted(
		func(ctx context.Context, c *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
			if err := c.Notify(ctx, "note", []int{1}); err != nil {
				return nil, err
			}
			var answer json.RawMessage
			err := c.Call(ctx, "ask", req.Params, &answer)
			return answer, err
		}), framing.Newline)
	for i := range 2 {
		id := fmt.Sprint(i + 1)
		p.Send(request("7", "m", `{"k":1}`))
		p.Expect(notification("note", "[1]"))
		p.Expect(request(id, "ask", `{"k":1}`))
		// The first call of a Conn has the id 0, and a Conn takes a null id for that.
		p.Send(failure("null", `{"code":-32700,"message":"not for you"}`), result(id, `["yes"]`))
		p.Expect(result("7", `["yes"]`))
	}
	p.Send(request("8", "m", ""))
	p.Expect(notification("note", "[1]"))
	p.Expect(request("3", "ask", ""))
	p.Send(failure("3", `{"code":9,"message":"no","data":{}}`))
	p.Expect(failure("8", `{"code":9,"message":"no","data":{}}`))
}

func TestACallOfAForeignHandlerEndsWithTheCallTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := mounted(func(ctx context.Context, c *jsonrpc2.Conn, _ *jsonrpc2.Request) (any, error) {
			return nil, c.Call(ctx, "ask", nil, nil)
		})
		h.Limits.CallTimeout = time.Second
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("7", "m", ""))
		p.Expect(request("1", "ask", ""))
		p.Expect(notification("$/cancelRequest", `{"id":1}`))
		p.Expect(failure("7", `{"code":-32603,"message":"ask: the peer did not answer in time `+
			`(--call-timeout 1s)"}`))
	})
}

func TestAForeignHandlerIsToldOfCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan string, 1)
		var waits jsonrpc2.ID
		p := hosttest.Start(t, mountedAsync(
			func(ctx context.Context, c *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
				if req.Method == host.CancelMethod {
					told <- params(req)
					return nil, nil
				}
				waits = req.ID
				<-c.DisconnectNotify()
				return "late", nil
			}), framing.Newline)
		p.Send(request(`"a"`, "wait", ""))
		synctest.Wait()
		p.Send(notification("$/cancelRequest", `{"id":"a"}`), notification("$/cancelRequest", `{"id":9}`))
		p.Expect(failure(`"a"`, cancelled))
		if got, want := <-told, fmt.Sprintf(`{"id":%d}`, waits.Num); got != want {
			t.Errorf("told of %s, want %s", got, want)
		}
		synctest.Wait()
		if len(told) != 0 {
			t.Errorf("told again: %s", <-told)
		}
	})
}

func TestAForeignHandlerIsToldOfTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		p := hosttest.Start(t, mountedAsync(
			func(ctx context.Context, c *jsonrpc2.Conn, _ *jsonrpc2.Request) (any, error) {
				<-c.DisconnectNotify()
				l.add(fmt.Sprint(ctx.Err()))
				return nil, c.Notify(ctx, "late", nil)
			}), framing.Newline)
		p.Send(request("1", "wait", ""))
		synctest.Wait()
		p.CloseWrite()
		p.Expect(failure("1", cancelled)) // after the drain timeout
		p.ExpectEnd()
		<-p.Session.Done()
		synctest.Wait()
		l.want(t, "context canceled")
	})
}

func TestAForeignHandlerMayCloseItsConn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closing := make(chan struct{})
		p := hosttest.Start(t, mounted(
			func(ctx context.Context, c *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
				if req.Notif {
					<-closing
					return nil, c.Close()
				}
				return "answered", nil
			}), framing.Newline)
		p.Send(request("1", "m", ""))
		p.Expect(result("1", `"answered"`))
		p.Send(notification("exit", ""), request("2", "m", ""))
		synctest.Wait() // the request has been read
		close(closing)
		p.Expect(failure("2", `{"code":-32603,"message":"the handler closed its connection"}`))
		p.ExpectEnd()
		if err := p.Session.Err(); err != nil {
			t.Errorf("the session ended because of %v", err)
		}
	})
}

func TestAForeignHandlerAnswersOnce(t *testing.T) {
	p := hosttest.Start(t, hostOf(host.FromHandler("foreign", answeringTwice{})), framing.Newline)
	p.Send(request("7", "m", ""))
	p.Expect(notification("refused", `["no request with id 1 waits for an answer",`+
		`"no request with id 99 waits for an answer"]`))
	p.Expect(result("7", `["first"]`))
}

// answeringTwice answers its request, then again, and one that does not exist.
type answeringTwice struct{}

func (answeringTwice) Handle(ctx context.Context, c *jsonrpc2.Conn, req *jsonrpc2.Request) {
	c.Reply(ctx, req.ID, []string{"first"})
	again := c.Reply(ctx, req.ID, []string{"second"})
	other := c.Reply(ctx, jsonrpc2.ID{Num: 99}, nil)
	c.Notify(ctx, "refused", []string{again.Error(), other.Error()})
}

func TestAPanicOfAForeignHandlerCostsOneError(t *testing.T) {
	p := hosttest.Start(t, mounted(
		func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
			if req.Method == "panic" {
				panic("oh")
			}
			return "calm", nil
		}), framing.Newline)
	p.Send(notification("panic", ""), request("1", "panic", ""), request("2", "calm", ""))
	p.Expect(failure("1", `{"code":-32603,"message":"internal error: the handler of panic panicked"}`))
	p.Expect(result("2", `"calm"`))
}
