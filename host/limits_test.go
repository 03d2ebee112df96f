package host_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// limited starts a session of echo within l.
func limited(t *testing.T, l host.Limits, f framing.Framing) *hosttest.Peer {
	t.Helper()
	h := hostOf(echo.Set{})
	h.Limits = l
	return hosttest.Start(t, h, f)
}

// echoes fails the test unless the session still answers.
func echoes(t *testing.T, p *hosttest.Peer) {
	t.Helper()
	p.Send(request(`"probe"`, "echo", "[]"))
	p.Expect(result(`"probe"`, "[]"))
}

// wantError receives an answer that is an error with part in its message.
func wantError(t *testing.T, p *hosttest.Peer, id, part string) {
	t.Helper()
	answer := string(p.Receive())
	wantIn(t, answer, `"id":`+id+`,"error"`)
	wantIn(t, answer, part)
}

func TestTheDefaultOfEachLimit(t *testing.T) {
	want := host.Limits{
		Frame: 64 << 20, Header: 64 << 10, Depth: 10_000, InFlight: 10_000,
		QueuedIn: 64 << 20, QueuedOut: 16 << 20,
		WriteTimeout: 30 * time.Second, DrainTimeout: 5 * time.Second, CallTimeout: 2 * time.Minute,
	}
	if got := (host.Limits{Frame: -1}).WithDefaults(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := want.WithDefaults(); got != want {
		t.Errorf("limits that are set were changed to %+v", got)
	}
}

func TestLimitFrame(t *testing.T) {
	long := request("1", "echo", `["`+strings.Repeat("x", 2000)+`"]`)
	for _, f := range framings {
		t.Run(f.String(), func(t *testing.T) {
			p := limited(t, host.Limits{Frame: 1000}, f)
			p.Send(long)
			wantError(t, p, "null", "--max-frame")
			echoes(t, p)
		})
	}
}

// The session used to end when a message that was skipped had come whole and its peer then
// paused: it took the pause for one inside the message.
func TestAPeerMayPauseAfterAnOverLongMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limited(t, host.Limits{Frame: 1000}, framing.ContentLength)
		p.Send(`"` + strings.Repeat("x", 2000) + `"`)
		wantError(t, p, "null", "--max-frame")
		time.Sleep(time.Minute)
		echoes(t, p)
	})
}

func TestAPeerMustSendTheRestOfAnOverLongMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limited(t, host.Limits{Frame: 1000}, framing.ContentLength)
		p.SendRaw("Content-Length: 5000\r\n\r\n")
		wantError(t, p, "null", "--max-frame")
		for range 10 { // slow, but going on
			p.SendRaw(strings.Repeat("x", 400))
			time.Sleep(time.Second)
		}
		p.ExpectEnd() // 1000 bytes are missing
		<-p.Session.Done()
		wantIn(t, fmt.Sprint(p.Session.Err()), "the rest of an over-long message did not come")
	})
}

func TestLimitHeader(t *testing.T) {
	p := limited(t, host.Limits{Header: 1000}, framing.ContentLength)
	go p.SendRaw("X-Flood: " + strings.Repeat("x", 1000))
	wantError(t, p, "null", "--max-header")
	p.ExpectEnd()
}

func TestLimitDepth(t *testing.T) {
	p := limited(t, host.Limits{Depth: 5}, framing.Newline)
	p.Send(request("1", "echo", "[[[[]]]]"))
	p.Expect(result("1", "[[[[]]]]"))
	p.Send(request("2", "echo", "[[[[[]]]]]"))
	wantError(t, p, "null", "5 levels, found '[' (--max-depth)")
	p.Send(array(array(array(array(array(array()))))))
	wantError(t, p, "null", "5 levels, found '[' (--max-depth)")
	echoes(t, p)
}

func TestLimitInFlight(t *testing.T) {
	p := limited(t, host.Limits{InFlight: 2}, framing.Newline)
	for i := range 3 {
		p.Send(request(fmt.Sprint(i), "sleep", `{"ms":60000}`))
	}
	wantError(t, p, "2", "--max-in-flight")
	p.Send(cancel("0"))
	p.Expect(failure("0", cancelled))
	echoes(t, p)
}

// blocking starts a session whose ordered messages wait for the end.
func blocking(t *testing.T, l host.Limits) *hosttest.Peer {
	t.Helper()
	h := serving(host.HandlerFunc(waiting))
	h.Limits = l
	p := hosttest.Start(t, h, framing.Newline)
	p.Send(notification("block", ""))
	return p
}

func TestLimitQueuedIn(t *testing.T) {
	large := `["` + strings.Repeat("x", 6000) + `"]`
	t.Run("a request is refused", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := blocking(t, host.Limits{QueuedIn: 10_000})
			p.Send(request("1", "m", large), request("2", "m", large))
			wantError(t, p, "2", "--max-queued-in")
			if n := p.Session.Stats().QueuedIn; n < 6000 || n > 10_000 {
				t.Errorf("%d bytes are queued", n)
			}
			p.Send(cancel("1"))
			p.Expect(failure("1", cancelled))
		})
	})
	t.Run("a notification ends the session", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := blocking(t, host.Limits{QueuedIn: 10_000})
			p.Send(notification("m", large), notification("m", large))
			<-p.Session.Done()
			wantIn(t, fmt.Sprint(p.Session.Err()), "--max-queued-in")
		})
	})
	t.Run("small messages count for what they cost", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := blocking(t, host.Limits{QueuedIn: 10_000})
			var many []string
			for range 30 {
				many = append(many, notification("m", ""))
			}
			p.Send(many...)
			<-p.Session.Done()
			wantIn(t, fmt.Sprint(p.Session.Err()), "--max-queued-in")
		})
	})
}

// Requests used to count only while they waited for their turn: those that were being handled kept
// their memory without a bound.
func TestRequestsInFlightCountForWhatTheyHold(t *testing.T) {
	large := strings.Repeat("x", 6000)
	sleep := request("1", "sleep", `{"ms":60000,"x":"`+large+`"}`)
	echo := request("2", "echo", `["`+large+`"]`)
	for _, c := range []struct{ name, first, answer string }{
		{"single", sleep, failure("1", cancelled)},
		{
			"answered, in a batch that is not",
			array(request("0", "echo", `["`+large+`"]`), request("1", "sleep", `{"ms":60000}`)),
			array(result("0", `["`+large+`"]`), failure("1", cancelled)),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := limited(t, host.Limits{QueuedIn: 10_000}, framing.Newline)
			p.Send(request("0", "echo", "[]")) // so that nothing waits for the method set
			p.Expect(result("0", "[]"))
			p.Send(c.first, echo)
			wantError(t, p, "2", "--max-queued-in")
			p.Send(cancel("1"))
			p.Expect(c.answer)
			p.Send(echo)
			p.Expect(result("2", `["`+large+`"]`))
		})
	}
	t.Run("alone however large", func(t *testing.T) {
		p := limited(t, host.Limits{QueuedIn: 1000}, framing.Newline)
		p.Send(echo)
		p.Expect(result("2", `["`+large+`"]`))
	})
}

func TestLimitDrainTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limited(t, host.Limits{DrainTimeout: 7 * time.Second}, framing.Newline)
		p.Send(request("1", "sleep", `{"ms":60000}`))
		synctest.Wait()
		p.Session.End()
		start := time.Now()
		p.Expect(failure("1", cancelled))
		if took := time.Since(start); took != 7*time.Second {
			t.Errorf("drained for %s", took)
		}
	})
}

func TestLimitIdleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limited(t, host.Limits{IdleTimeout: 4 * time.Second}, framing.Newline)
		p.Send(request("1", "sleep", `{"ms":15000}`)) // work is not idle
		p.Expect(result("1", `"done"`))
		for range 5 {
			time.Sleep(2 * time.Second) // nor is traffic
			echoes(t, p)
		}
		start := time.Now()
		<-p.Session.Done()
		if took := time.Since(start); took < 4*time.Second || took > 6*time.Second {
			t.Errorf("ended after %s", took)
		}
		wantIn(t, fmt.Sprint(p.Session.Err()), "idle for 4s (--idle-timeout)")
	})
}

func TestWithoutIdleTimeoutASessionStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := limited(t, host.Limits{}, framing.Newline)
		time.Sleep(1000 * time.Hour)
		echoes(t, p)
	})
}

func TestLimitCallTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hostOf(set{open: func(_ context.Context, s *host.Session) (host.Handler, error) {
			return methods{"m": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
				return nil, s.Call(ctx, "ask", nil, nil)
			}}, nil
		}})
		h.Limits.CallTimeout = 3 * time.Second
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("7", "m", ""))
		p.Expect(request("1", "ask", ""))
		start := time.Now()
		p.Expect(notification("$/cancelRequest", `{"id":1}`))
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("given up after %s", took)
		}
		wantError(t, p, "7", "--call-timeout 3s")

		ctx, stop := context.WithTimeout(t.Context(), time.Hour) // its own bound counts
		defer stop()
		outcome := calling(ctx, p.Session, "ask", nil)
		p.Expect(request("2", "ask", ""))
		time.Sleep(time.Minute)
		p.Send(result("2", "null"))
		if c := <-outcome; c.err != nil {
			t.Error(c.err)
		}
	})
}

func TestLimitMaxSessions(t *testing.T) {
	h := hostOf(echo.Set{})
	h.MaxSessions = 1
	first := hosttest.Start(t, h, framing.Newline)
	near, far := hosttest.Streams()
	_, err := h.Attach(far, host.PeerInfo{})
	if err == nil {
		t.Fatal("a second session was started")
	}
	wantIn(t, err.Error(), "--max-sessions")
	if _, err := near.Read(make([]byte, 1)); err == nil {
		t.Error("the stream was left open")
	}
	echoes(t, first)
	first.CloseWrite()
	<-first.Session.Done()
	echoes(t, hosttest.Start(t, h, framing.Newline))
}
