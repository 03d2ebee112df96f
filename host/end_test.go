package host_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// closing is a Handler that tells the test of its Close.
type closing struct {
	host.Handler
	closed chan error
}

func (c closing) Close(cause error) { c.closed <- cause }

// stubborn is a handler that ignores its context, for a minute.
func stubborn(context.Context, *jsonrpc2.Request) (any, error) {
	time.Sleep(time.Minute)
	return "late", nil
}

// ends fails the test unless the session ends within most, and returns the time that took.
func ends(t *testing.T, s *host.Session, most time.Duration) time.Duration {
	t.Helper()
	start := time.Now()
	select {
	case <-s.Done():
	case <-time.After(most):
		t.Fatalf("the session has not ended within %s", most)
	}
	return time.Since(start)
}

func TestEndOfInputAnswersWhatCameBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
		var want []string
		for i := range 100 {
			id := fmt.Sprint(i)
			p.Send(request(id, "sleep", `{"ms":400}`))
			want = append(want, result(id, `"done"`))
		}
		p.CloseWrite()
		p.Expect(want...)
		p.ExpectEnd()
		ends(t, p.Session, time.Second)
		if err := p.Session.Err(); err != nil {
			t.Errorf("the end was orderly, but its cause is %v", err)
		}
		if status := p.Session.ExitStatus(); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

func TestEndOfInputCancelsWhatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hostOf(echo.Set{})
		h.Limits.DrainTimeout = 3 * time.Second
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("1", "sleep", `{"ms":60000}`))
		p.CloseWrite()
		start := time.Now()
		p.Expect(failure("1", cancelled))
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("cancelled after %s", took)
		}
		p.ExpectEnd()
	})
}

func TestADialectMayCancelAtTheEndOfInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := &host.Dialect{CancelAtEOF: true,
			Cancelled: &jsonrpc2.Error{Code: 5, Message: "gone"}}
		p := hosttest.Start(t, hostOf(handlerOf(gone, host.HandlerFunc(
			func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}))), framing.Newline)
		p.Send(request("1", "m", ""))
		synctest.Wait()
		p.CloseWrite()
		start := time.Now()
		p.Expect(failure("1", `{"code":5,"message":"gone"}`))
		if took := time.Since(start); took != 0 {
			t.Errorf("cancelled after %s", took)
		}
	})
}

func TestAHandlerThatIgnoresTheEndIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, serving(host.HandlerFunc(stubborn)), framing.Newline)
		p.Send(request("1", "m", ""), notification("n", ""))
		synctest.Wait()
		p.CloseWrite()
		p.Expect(failure("1", cancelled))
		p.ExpectEnd()
		ends(t, p.Session, 10*time.Second)
		if n := p.Session.Stats().InFlight; n != 0 {
			t.Errorf("%d requests are in flight after the end", n)
		}
		time.Sleep(time.Hour) // the handler's late result must do no harm
	})
}

// Messages that had not started used to be handled one by one after the session was closed.
func TestNothingStartsAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started atomic.Int32
		p := hosttest.Start(t, serving(host.HandlerFunc(
			func(context.Context, *jsonrpc2.Request) (any, error) {
				started.Add(1)
				time.Sleep(100 * time.Millisecond)
				return nil, nil
			})), framing.Newline)
		for range 1000 {
			p.Send(notification("n", ""))
		}
		p.Send(request("1", "m", ""))
		synctest.Wait()
		p.Session.Close()
		ends(t, p.Session, time.Second)
		time.Sleep(time.Hour)
		if n := started.Load(); n != 1 {
			t.Errorf("%d messages were handled, 1 before the end", n)
		}
	})
}

func TestEndDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
		p.Send(request("1", "sleep", `{"ms":1000}`))
		synctest.Wait()
		p.Session.End()
		p.Session.End()
		p.Expect(result("1", `"done"`))
		p.ExpectEnd()
		ends(t, p.Session, 2*time.Second)
	})
}

func TestCloseEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan error, 2)
		h := closing{echoHandler(t), closed}
		p := hosttest.Start(t, serving(h), framing.Newline)
		p.Send(request("1", "sleep", `{"ms":60000}`))
		synctest.Wait()
		p.Session.Close()
		p.Session.Close()
		if took := ends(t, p.Session, time.Second); took != 0 {
			t.Errorf("took %s", took)
		}
		if cause := <-closed; cause != nil || len(closed) != 0 {
			t.Errorf("Close got %v, and %d more", cause, len(closed))
		}
		if err := context.Cause(p.Session.Context()); !errors.Is(err, host.ErrClosed) {
			t.Errorf("the context's cause is %v", err)
		}
	})
}

// echoHandler returns a Handler of the echo set.
func echoHandler(t *testing.T) host.Handler {
	t.Helper()
	h, err := echo.Set{}.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A session that was closed while it drained used to wait for the whole drain timeout.
func TestCloseCutsADrainShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving(host.HandlerFunc(stubborn))
		h.Limits.DrainTimeout = time.Hour
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("1", "m", ""))
		synctest.Wait()
		p.Session.End()
		synctest.Wait()
		p.Session.Close()
		ends(t, p.Session, 3*time.Second)
		time.Sleep(time.Minute)
	})
}

func TestShutdownDrainsAllSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hostOf(echo.Set{})
		a, b := hosttest.Start(t, h, framing.Newline), hosttest.Start(t, h, framing.ContentLength)
		a.Send(request("1", "sleep", `{"ms":1000}`))
		b.Send(request("1", "sleep", `{"ms":2000}`))
		synctest.Wait()
		down := make(chan error)
		go func() { down <- h.Shutdown(t.Context()) }()
		a.Expect(result("1", `"done"`))
		b.Expect(result("1", `"done"`))
		a.ExpectEnd()
		b.ExpectEnd()
		if err := <-down; err != nil {
			t.Errorf("shutdown: %v", err)
		}
		if n := len(h.Sessions()); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
		near, far := hosttest.Streams()
		if _, err := h.Attach(far, host.PeerInfo{}); !errors.Is(err, host.ErrHostClosed) {
			t.Errorf("attach: %v", err)
		}
		if _, err := near.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("the stream that was refused is open: %v", err)
		}
	})
}

func TestShutdownIsBoundedByItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving(host.HandlerFunc(stubborn))
		h.Limits.DrainTimeout = time.Hour
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("1", "m", ""))
		synctest.Wait()
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		start := time.Now()
		if err := h.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("shutdown: %v", err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("took %s", took)
		}
		time.Sleep(time.Minute)
	})
}

func TestCloseOfTheHostEndsAllSessionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hostOf(echo.Set{})
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("1", "sleep", `{"ms":60000}`))
		synctest.Wait()
		start := time.Now()
		h.Close()
		p.ExpectEnd()
		if took := time.Since(start); took != 0 {
			t.Errorf("took %s", took)
		}
	})
}

// early is a method set that lets something happen before its session has begun.
type early struct {
	set
	before func()
}

func (e early) Dialect() *host.Dialect {
	e.before()
	return e.set.Dialect()
}

// A session that ended before it had begun used to begin nevertheless, with nobody to wait for
// what it started or to close its handler.
func TestASessionMayEndBeforeItBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened, closed := make(chan struct{}, 1), make(chan error, 1)
		h := new(host.Host)
		h.Mounts = []host.MethodSet{early{
			set{open: func(context.Context, *host.Session) (host.Handler, error) {
				opened <- struct{}{}
				return closing{methods{}, closed}, nil
			}},
			func() {
				for _, s := range h.Sessions() {
					s.Close()
				}
				synctest.Wait()
			},
		}}
		p := hosttest.Start(t, h, framing.Newline)
		ends(t, p.Session, time.Minute)
		if len(opened) != len(closed) {
			t.Errorf("opened %d times, closed %d times", len(opened), len(closed))
		}
	})
}

func TestEveryHandlerIsClosedOnceAfterItsLastMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		closed := make(chan error, 2)
		h := closing{host.HandlerFunc(func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
			running.Add(1)
			defer running.Add(-1)
			<-ctx.Done()
			time.Sleep(100 * time.Millisecond)
			return nil, nil
		}), closed}
		p := hosttest.Start(t, serving(h), framing.Newline)
		p.Send(request("1", "m", ""), notification("n", ""))
		synctest.Wait()
		p.CloseWrite()
		p.Expect(result("1", "null"))
		cause := <-closed
		if n := running.Load(); n != 0 {
			t.Errorf("closed while %d messages were being handled", n)
		}
		if cause != nil {
			t.Errorf("the end was orderly, but Close got %v", cause)
		}
		<-p.Session.Done()
		if len(closed) != 0 {
			t.Error("closed again")
		}
	})
}

// A Close that did not return used to keep its session, and the end of the host, for ever.
func TestACloseThatBlocksOrPanicsIsBounded(t *testing.T) {
	for _, c := range []struct {
		name  string
		close func()
	}{
		{"blocks", func() { time.Sleep(time.Hour) }},
		{"panics", func() { panic("close") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := hosttest.Start(t, serving(closeFunc{methods{}, c.close}), framing.Newline)
				synctest.Wait()
				p.Session.Close()
				ends(t, p.Session, 5*time.Second)
				time.Sleep(time.Hour)
			})
		})
	}
}

type closeFunc struct {
	host.Handler
	close func()
}

func (c closeFunc) Close(error) { c.close() }

func TestWorkOfASessionIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var over atomic.Bool
		p := hosttest.Start(t, serving(methods{}), framing.Newline)
		if !p.Session.Go(func(ctx context.Context) {
			<-ctx.Done()
			time.Sleep(500 * time.Millisecond)
			over.Store(true)
		}) {
			t.Fatal("not started")
		}
		p.Session.Go(func(context.Context) { panic("contained") })
		p.CloseWrite()
		<-p.Session.Done()
		if !over.Load() {
			t.Error("the session ended before its work")
		}
		if p.Session.Go(func(context.Context) { t.Error("started after the end") }) {
			t.Error("work was accepted after the end")
		}
		if n := p.Session.Stats().Panics; n != 1 {
			t.Errorf("%d panics were counted", n)
		}
	})
}

func TestServeEndsWithTheHost(t *testing.T) {
	h, address := listening(t, hostOf(echo.Set{}))
	p := dial(t, address, framing.Newline)
	p.Send(request("1", "echo", "[1]"))
	p.Expect(result("1", "[1]"))
	down := make(chan error)
	go func() { down <- h.Shutdown(t.Context()) }()
	p.ExpectEnd()
	p.Close()
	if err := <-down; err != nil {
		t.Error(err)
	}
}

// failingListener is a listener whose every Accept fails, for a while in a way that passes.
type failingListener struct {
	net.Listener
	left int
}

func (l *failingListener) Accept() (net.Conn, error) {
	if l.left--; l.left >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return nil, errBroken
}

func (*failingListener) Close() error { return nil }

func TestServeGoesOnWhenThereAreNoResources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, ln := time.Now(), &failingListener{left: 10}
		if err := hostOf(echo.Set{}).Serve(ln); !errors.Is(err, errBroken) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took < 100*time.Millisecond {
			t.Errorf("tried 10 times in %s", took)
		}
	})
}

func TestAClosedHostDoesNotServe(t *testing.T) {
	h := hostOf(echo.Set{})
	h.Close()
	if err := h.Serve(&failingListener{}); !errors.Is(err, host.ErrHostClosed) {
		t.Errorf("got %v", err)
	}
}

// A handler that would go on until it is cancelled used to hold up the end of its session for the
// whole drain timeout.
func TestEndingIsToldToThoseWhoWouldGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, serving(methods{
			"watch": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				<-host.SessionFrom(ctx).Ending()
				return "over", ctx.Err()
			},
		}), framing.Newline)
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"watch"}`)
		began := time.Now()
		p.CloseWrite()
		p.Expect(`{"jsonrpc":"2.0","id":1,"result":"over"}`)
		if took := time.Since(began); took != 0 {
			t.Errorf("the end took %s", took)
		}
	})
}
