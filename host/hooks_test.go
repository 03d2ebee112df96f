package host_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// Middleware used to hide from the session that a handler wants to be closed.
func TestMiddlewareWrapsEveryHandler(t *testing.T) {
	var l journal
	around := func(name string) func(host.Handler) host.Handler {
		return func(next host.Handler) host.Handler {
			return host.HandlerFunc(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
				l.add(name + " " + req.Method)
				return next.Handle(ctx, req)
			})
		}
	}
	closed := make(chan error, 1)
	h := serving(closing{echoHandler(t), closed})
	h.Middleware = []func(host.Handler) host.Handler{around("inner"), around("outer")}
	p := hosttest.Start(t, h, framing.Newline)
	p.Send(notification("n", ""), request("1", "echo", "[]"))
	p.Expect(result("1", "[]"))
	p.CloseWrite()
	<-closed
	l.want(t, "outer n", "inner n", "outer echo", "inner echo")
}

// seen is a Recorder and Observer that notes what it is told.
type seen struct{ frames, handled journal }

func (r *seen) Record(s *host.Session, incoming bool, frame []byte, message bool) {
	r.frames.add(fmt.Sprint(s.ID(), incoming, message, " ", string(frame)))
}

func (r *seen) Started(s *host.Session) { r.handled.add(fmt.Sprint(s.ID(), " started")) }

func (r *seen) Ended(s *host.Session) { r.handled.add(fmt.Sprint(s.ID(), " ended")) }

func (r *seen) Handled(s *host.Session, method string, took time.Duration, err error) {
	r.handled.add(fmt.Sprint(s.ID(), " ", method, " ", took, " ", err))
}

func TestARecorderSeesEveryFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r seen
		h := hostOf(echo.Set{}, named("other", protocol("greet", framing.Newline, host.SureClaim)))
		h.Recorder = &r
		p := hosttest.Start(t, h, framing.ContentLength)
		sent := []string{`nonsense`, notification("count", ""), request("1", "tell",
			`{"method":"note","times":1}`), array(request("2", "echo", "[]")), `{"id":3}`}
		var got []string
		receive := func() { got = append(got, string(p.Receive())) }
		p.Send(sent[0])
		receive()
		p.Send(sent[1], sent[2])
		receive()
		receive()
		p.Send(sent[3])
		receive()
		p.Send(sent[4])
		receive()
		r.frames.want(t,
			"1 true false "+sent[0], "1 false true "+got[0],
			"1 true true "+sent[1], "1 true true "+sent[2],
			"1 false true "+got[1], "1 false true "+got[2],
			"1 true true "+sent[3], "1 false true "+got[3],
			"1 true false "+sent[4], "1 false true "+got[4])
	})
}

func TestAnObserverIsToldOfWhatWasHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r seen
		h := hostOf(echo.Set{})
		h.Observer = &r
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(notification("count", ""))
		synctest.Wait()
		p.Send(request("1", "sleep", `{"ms":1500}`))
		p.Expect(result("1", `"done"`))
		p.Send(request("2", "fail", `{"code":1,"message":"no"}`))
		p.Receive()
		p.CloseWrite()
		p.ExpectEnd()
		<-p.Session.Done()
		r.handled.want(t, "1 started", "1 count 0s <nil>", "1 sleep 1.5s <nil>",
			"1 fail 0s jsonrpc2: code 1 message: no", "1 ended")
	})
}

func TestStatsCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hostOf(echo.Set{})
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("1", "sleep", `{"ms":60000}`))
		p.Send(request("2", "echo", "[]"), `nonsense`, result("9", "0"), request("3", "panic", ""))
		for range 3 {
			p.Receive()
		}
		synctest.Wait()
		st := p.Session.Stats()
		want := host.Stats{
			Started: st.Started, Mount: "echo", Framing: framing.Newline, Frames: 5,
			Requests: st.Requests, Damaged: 1, Strays: 1, Errors: 1, Panics: 1, InFlight: 1,
			BytesIn: st.BytesIn, BytesOut: st.BytesOut,
		}
		if st != want {
			t.Errorf("got  %+v\nwant %+v", st, want)
		}
		if st.BytesIn < 100 || st.BytesOut < 100 || st.Started.IsZero() {
			t.Errorf("got %+v", st)
		}
		p.Send(cancel("1"))
		p.Expect(failure("1", cancelled))
	})
}

func TestSessionsAreKnownWhileTheyLast(t *testing.T) {
	h := hostOf(echo.Set{})
	a, b := hosttest.Start(t, h, framing.Newline), hosttest.Start(t, h, framing.Newline)
	if n := len(h.Sessions()); n != 2 || a.Session.ID() == b.Session.ID() {
		t.Errorf("%d sessions, ids %d and %d", n, a.Session.ID(), b.Session.ID())
	}
	a.CloseWrite()
	<-a.Session.Done()
	if all := h.Sessions(); len(all) != 1 || all[0] != b.Session {
		t.Errorf("got %v", all)
	}
	if peer := b.Session.Peer(); peer.String() != "pipe" {
		t.Errorf("the peer is %v", peer)
	}
	if peer := (host.PeerInfo{Network: "tcp", Address: "127.0.0.1:1"}); peer.String() !=
		"tcp://127.0.0.1:1" {
		t.Errorf("got %v", peer)
	}
}

func TestTheLogTellsOfPanicsAndDamage(t *testing.T) {
	var text bytes.Buffer
	h := hostOf(echo.Set{})
	h.Logger = slog.New(slog.NewTextHandler(&text, nil))
	p := hosttest.Start(t, h, framing.ContentLength)
	p.Send(request("1", "panic", ""))
	p.Receive()
	p.SendRaw("Content-Length: -1\r\n\r\n")
	p.Receive()
	p.ExpectEnd()
	p.Close()
	<-p.Session.Done()
	wantIn(t, text.String(),
		`msg="handler panicked" session=1 peer=pipe method=panic panic="as asked"`)
	wantIn(t, text.String(), `msg="damaged input" session=1 peer=pipe`)
}
