package host_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// journal is what handlers noted, in order.
type journal struct {
	mu      sync.Mutex // guards the fields below
	entries []string
}

func (l *journal) add(entry string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entry)
}

func (l *journal) want(t *testing.T, entries ...string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Equal(l.entries, entries) {
		t.Errorf("got  %q\nwant %q", l.entries, entries)
	}
}

// noting is a Handler that takes a while and notes when each message starts and ends.
func noting(l *journal) host.HandlerFunc {
	return func(_ context.Context, req *jsonrpc2.Request) (any, error) {
		l.add("start " + req.Method)
		time.Sleep(10 * time.Millisecond)
		l.add("end " + req.Method)
		return nil, nil
	}
}

// lanes is plain JSON-RPC, with the lane of a message in its method's first letter.
var lanes = &host.Dialect{Name: "lanes", NewLifecycle: host.Plain.NewLifecycle,
	Lane: func(m *host.Message) host.Lane {
		switch m.Method[0] {
		case 'o':
			return host.Ordered
		case 'i':
			return host.Immediate
		}
		return host.Concurrent
	}}

func TestNotificationsAreHandledInOrderOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		p := hosttest.Start(t, serving(noting(&l)), framing.Newline)
		var want []string
		for i := range 50 {
			method := fmt.Sprint("n", i)
			p.Send(notification(method, ""))
			want = append(want, "start "+method, "end "+method)
		}
		p.Send(request("1", "last", ""))
		p.Expect(result("1", "null"))
		l.want(t, append(want, "start last", "end last")...)
	})
}

func TestARequestDoesNotHoldBackWhatFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		noted := make(chan struct{})
		p := hosttest.Start(t, serving(methods{
			"wait": func(context.Context, *jsonrpc2.Request) (any, error) { <-noted; return 1, nil },
			"note": func(context.Context, *jsonrpc2.Request) (any, error) {
				close(noted)
				return nil, nil
			},
		}), framing.Newline)
		p.Send(request("1", "wait", ""), request("2", "wait", ""), notification("note", ""))
		p.Expect(result("1", "1"), result("2", "1"))
	})
}

func TestRequestsRunSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 1000
		var all sync.WaitGroup
		all.Add(n)
		p := hosttest.Start(t, serving(methods{
			"meet": func(context.Context, *jsonrpc2.Request) (any, error) {
				all.Done()
				all.Wait()
				return nil, nil
			},
		}), framing.Newline)
		var want []string
		for i := range n {
			p.Send(request(fmt.Sprint(i), "meet", ""))
			want = append(want, result(fmt.Sprint(i), "null"))
		}
		p.Expect(want...)
	})
}

func TestReleaseLetsTheNextOneStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		p := hosttest.Start(t, serving(methods{
			"first": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				host.Release(ctx)
				host.Release(ctx) // the place is given up once, whoever has it now
				<-second
				return nil, nil
			},
			"second": func(context.Context, *jsonrpc2.Request) (any, error) {
				close(second)
				return nil, nil
			},
			"free": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				host.Release(ctx) // a concurrent request has no place
				return "ok", nil
			},
		}), framing.Newline)
		p.Send(notification("first", ""), notification("second", ""), request("1", "free", ""))
		p.Expect(result("1", `"ok"`))
	})
}

func TestReleaseKeepsTheOthersInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		note := noting(&l)
		p := hosttest.Start(t, serving(methods{
			"open": func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
				host.Release(ctx)
				time.Sleep(10 * time.Second)
				l.add("end open")
				return nil, nil
			},
			"a": note, "b": note,
		}), framing.Newline)
		p.Send(notification("open", ""), notification("a", ""), notification("b", ""))
		time.Sleep(time.Minute)
		l.want(t, "start a", "end a", "start b", "end b", "end open")
	})
}

func TestReleaseOutsideAMessageDoesNothing(t *testing.T) {
	host.Release(t.Context())
}

func TestOrderedRequestsRunOneAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		p := hosttest.Start(t, hostOf(handlerOf(lanes, noting(&l))), framing.ContentLength)
		p.Send(request("1", "o1", ""), request("2", "o2", ""), request("3", "c3", ""))
		for _, id := range []string{"1", "2", "3"} {
			p.Expect(result(id, "null"))
		}
		l.want(t, "start o1", "end o1", "start o2", "end o2", "start c3", "end c3")
	})
}

func TestAnImmediateRequestOvertakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		wait := func(context.Context, *jsonrpc2.Request) (any, error) { <-over; return nil, nil }
		p := hosttest.Start(t, hostOf(handlerOf(lanes, methods{
			"o": wait, "c": wait,
			"i": func(context.Context, *jsonrpc2.Request) (any, error) { return "now", nil },
		})), framing.Newline)
		p.Send(request("1", "o", ""), request("2", "c", ""), request("3", "i", ""))
		p.Expect(result("3", `"now"`))
		close(over)
		p.Expect(result("1", "null"), result("2", "null"))
	})
}

// An immediate request that came while the method set was being opened used to wait for every
// ordered message before it as well.
func TestAnImmediateRequestWaitsForTheMethodSetAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(set{dialect: lanes,
			open: func(context.Context, *host.Session) (host.Handler, error) {
				time.Sleep(time.Second)
				return methods{"i": returning("open", nil), "o": waiting}, nil
			}}), framing.Newline)
		p.Send(request("1", "o", ""), request("2", "i", ""))
		p.Expect(result("2", `"open"`))
		p.Send(cancel("1"))
		p.Expect(failure("1", cancelled))
	})
}

func TestAnImmediateRequestIsAnsweredThoughTheMethodSetNeverOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(set{dialect: lanes,
			open: func(ctx context.Context, _ *host.Session) (host.Handler, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}}), framing.Newline)
		p.Send(request("1", "i", ""), notification("i", ""))
		p.CloseWrite()
		p.Expect(failure("1", cancelled))
		p.ExpectEnd()
		ends(t, p.Session, time.Second)
	})
}

func TestAfterReplyRunsBetweenTheAnswerAndTheNextMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(set{dialect: lanes,
			open: func(_ context.Context, s *host.Session) (host.Handler, error) {
				return methods{
					"o1": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
						host.AfterReply(ctx, func() { s.Notify(ctx, "second", nil) })
						host.AfterReply(ctx, func() { s.Notify(ctx, "third", nil) })
						s.Notify(ctx, "first", nil)
						return nil, nil
					},
					"o2": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
						return nil, s.Notify(ctx, "fourth", nil)
					},
				}, nil
			}}), framing.Newline)
		p.Send(request("1", "o1", ""), request("2", "o2", ""))
		for _, m := range []string{notification("first", ""), result("1", "null"),
			notification("second", ""), notification("third", ""),
			notification("fourth", ""), result("2", "null")} {
			p.Expect(m)
		}
	})
}

func TestAfterReplyOfANotificationRunsWhenItsHandlerHasReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		p := hosttest.Start(t, serving(methods{
			"n": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				host.AfterReply(ctx, func() { l.add("after") })
				l.add("handler")
				return nil, nil
			},
			"r": func(context.Context, *jsonrpc2.Request) (any, error) { l.add("next"); return 1, nil },
		}), framing.Newline)
		p.Send(notification("n", ""), request("1", "r", ""))
		p.Expect(result("1", "1"))
		l.want(t, "handler", "after", "next")
	})
}

func TestAfterReplyRunsAtOnceWhereThereIsNoReplyToWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		host.AfterReply(t.Context(), func() { l.add("no message") })
		var kept context.Context
		p := hosttest.Start(t, serving(methods{
			"r": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				kept = ctx
				return nil, nil
			},
		}), framing.Newline)
		p.Send(request("1", "r", ""))
		p.Expect(result("1", "null"))
		synctest.Wait()
		host.AfterReply(kept, func() { l.add("answered") })
		l.want(t, "no message", "answered")
	})
}

func TestAReleasedRequestAnswersLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(handlerOf(lanes, methods{
			"o-launch": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				host.Release(ctx)
				time.Sleep(time.Second)
				return "launched", nil
			},
			"o-next": func(context.Context, *jsonrpc2.Request) (any, error) { return "next", nil },
		})), framing.ContentLength)
		p.Send(request("1", "o-launch", ""), request("2", "o-next", ""))
		p.Expect(result("2", `"next"`))
		p.Expect(result("1", `"launched"`))
	})
}
