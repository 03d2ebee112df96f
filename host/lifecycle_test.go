package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// rules is a life cycle whose verdicts hang on the method alone.
type rules struct{ status atomic.Int32 }

func (r *rules) Incoming(m *host.Message) host.Verdict {
	switch m.Method {
	case "refused":
		return host.Verdict{Action: host.Answer, Err: &jsonrpc2.Error{Code: 1, Message: "not yet"}}
	case "known":
		return host.Verdict{Action: host.Answer, Result: json.RawMessage(`"of course"`)}
	case "dropped":
		return host.Verdict{Action: host.Drop}
	case "exit":
		r.status.Store(3)
		return host.Verdict{End: true}
	case "stop":
		return host.Verdict{Cancel: json.RawMessage("1")}
	}
	return host.Verdict{}
}

func (r *rules) Outgoing(m *host.Message) host.Verdict {
	switch m.Method {
	case "early":
		return host.Verdict{Action: host.Hold}
	case "ready":
		return host.Verdict{Release: true}
	case "forbidden":
		return host.Verdict{Action: host.Drop, Err: &jsonrpc2.Error{Code: 2, Message: "no"}}
	case "unlawful":
		return host.Verdict{Action: host.Drop}
	case "goodbye":
		return host.Verdict{End: true}
	}
	return host.Verdict{}
}

func (*rules) AcceptsBatch() bool { return false }

func (r *rules) ExitStatus() int { return int(r.status.Load()) }

// ruled starts a session with those rules.
func ruled(t *testing.T, h host.Handler) *hosttest.Peer {
	t.Helper()
	d := &host.Dialect{NewLifecycle: func() host.Lifecycle { return new(rules) }}
	return hosttest.Start(t, hostOf(handlerOf(d, h)), framing.Newline)
}

func TestALifecycleMayAnswerInTheHandlersPlace(t *testing.T) {
	p := ruled(t, host.HandlerFunc(func(_ context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method != "passed" {
			t.Errorf("%s reached the handler", req.Method)
		}
		return nil, nil
	}))
	p.Send(request("1", "refused", ""), request("2", "known", ""))
	p.Expect(failure("1", `{"code":1,"message":"not yet"}`), result("2", `"of course"`))
	p.Send(notification("refused", ""), notification("dropped", ""), request("3", "passed", ""))
	p.Expect(result("3", "null"))
}

// tolerant are the same rules with batches.
type tolerant struct{ rules }

func (*tolerant) AcceptsBatch() bool { return true }

func TestALifecycleMayAnswerElementsOfABatch(t *testing.T) {
	d := &host.Dialect{NewLifecycle: func() host.Lifecycle { return new(tolerant) }}
	p := hosttest.Start(t, hostOf(handlerOf(d, returning(1, nil))), framing.Newline)
	p.Send(array(request("1", "refused", ""), notification("refused", ""), request("2", "m", ""),
		notification("dropped", ""), request("3", "known", "")))
	p.ExpectBatch(array(failure("1", `{"code":1,"message":"not yet"}`), result("2", "1"),
		result("3", `"of course"`)))
}

func TestALifecycleMayCancel(t *testing.T) {
	p := ruled(t, methods{"m": waiting, "stop": returning("stopped", nil)})
	p.Send(request("1", "m", ""), request("2", "stop", ""))
	p.Expect(failure("1", `{"code":-32800,"message":"request cancelled"}`), result("2", `"stopped"`))
}

func TestALifecycleMayHoldMessagesBack(t *testing.T) {
	p := ruled(t, methods{"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
		s := host.SessionFrom(ctx)
		s.Notify(ctx, "early", []int{1})
		s.Notify(ctx, "early", []int{2})
		s.Notify(ctx, "other", nil)
		s.Notify(ctx, "ready", nil)
		return nil, nil
	}})
	p.Send(request("1", "m", ""))
	for _, want := range []string{notification("other", ""), notification("ready", ""),
		notification("early", "[1]"), notification("early", "[2]"), result("1", "null")} {
		p.Expect(want)
	}
}

// A handler that said too much before its answer used to wait for room that only the answer could
// make.
func TestWhatIsHeldBackIsBoundedAndNotInTheAnswersWay(t *testing.T) {
	d := &host.Dialect{NewLifecycle: func() host.Lifecycle { return new(rules) }}
	h := hostOf(handlerOf(d, methods{"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
		long := []string{strings.Repeat("x", 700)}
		s := host.SessionFrom(ctx)
		if err := s.Notify(ctx, "early", long); err != nil {
			t.Errorf("the first: %v", err)
		}
		err := s.Notify(ctx, "early", long)
		if err == nil {
			t.Error("more was held back than the queue may hold")
		} else {
			wantIn(t, err.Error(), "--max-queued-out")
		}
		return nil, nil
	}}))
	h.Limits.QueuedOut = 1000
	p := hosttest.Start(t, h, framing.Newline)
	p.Send(request("1", "m", ""))
	p.Expect(result("1", "null"))
}

func TestALifecycleMayForbidMessages(t *testing.T) {
	p := ruled(t, methods{"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
		s := host.SessionFrom(ctx)
		if err := s.Notify(ctx, "forbidden", nil); err != nil {
			t.Errorf("a notification was not just dropped: %v", err)
		}
		if err := s.Call(ctx, "unlawful", nil, nil); err == nil {
			t.Error("a call was answered that may not be sent")
		} else {
			wantIn(t, err.Error(), "unlawful may not be sent now")
		}
		return nil, s.Call(ctx, "forbidden", nil, nil)
	}})
	p.Send(request("1", "m", ""))
	p.Expect(failure("1", `{"code":2,"message":"no"}`))
}

// What arrived behind the message that ended the session used to be handled nevertheless.
func TestAnIncomingMessageMayEndTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		note := noting(&l)
		p := ruled(t, methods{"n": note, "exit": note, "m": waiting})
		p.Send(request("1", "m", ""), notification("n", ""), notification("exit", ""),
			notification("n", ""))
		p.Expect(failure("1", `{"code":-32800,"message":"request cancelled"}`))
		p.ExpectEnd()
		<-p.Session.Done()
		l.want(t, "start n", "end n", "start exit", "end exit")
		if status := p.Session.ExitStatus(); status != 3 {
			t.Errorf("exit status %d", status)
		}
		if err := p.Session.Err(); err != nil {
			t.Errorf("the end was orderly, but its cause is %v", err)
		}
	})
}

func TestAnOutgoingMessageMayEndTheSession(t *testing.T) {
	p := ruled(t, methods{"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
		return "bye", host.SessionFrom(ctx).Notify(ctx, "goodbye", nil)
	}})
	p.Send(request("1", "m", ""))
	p.Expect(notification("goodbye", ""))
	p.Expect(result("1", `"bye"`))
	p.ExpectEnd()
}
