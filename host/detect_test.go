package host_test

import (
	"context"
	"errors"
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

// greeting is the life cycle of a protocol whose first message is a greeting.
type greeting struct {
	rules
	greeted bool
}

func (g *greeting) Incoming(m *host.Message) host.Verdict {
	switch {
	case m.Method == "leave":
		g.status.Store(3)
		return host.Verdict{Action: host.Drop, End: true}
	case !g.greeted && !strings.HasPrefix(m.Method, "greet"):
		return host.Verdict{Action: host.Answer,
			Err: &jsonrpc2.Error{Code: -32002, Message: "greet first"}}
	}
	g.greeted = true
	return host.Verdict{}
}

// protocol returns a dialect that claims the greeting it is named for, as surely as told.
func protocol(greet string, f framing.Framing, sure host.Claim) *host.Dialect {
	return &host.Dialect{Name: greet, Framing: f,
		NewLifecycle: func() host.Lifecycle { return new(greeting) },
		Claims: func(m *host.Message) host.Claim {
			if m.Kind == host.KindRequest && m.Method == greet {
				return sure
			}
			return host.NoClaim
		}}
}

// named is a method set that answers each request with its name.
func named(name string, d *host.Dialect) host.MethodSet {
	return set{name: name, dialect: d,
		open: func(context.Context, *host.Session) (host.Handler, error) {
			return returning(name, nil), nil
		}}
}

// choice is a host of two protocols and plain JSON-RPC.
func choice() *host.Host {
	return hostOf(
		named("lines", protocol("greet-lines", framing.Newline, host.SureClaim)),
		named("headers", protocol("greet-headers", framing.ContentLength, host.UsualClaim)),
		named("headers-too", protocol("greet-headers", framing.ContentLength, host.UsualClaim)),
		named("plain", host.Plain))
}

func TestTheFirstDecisiveMessageBindsTheSession(t *testing.T) {
	for _, c := range []struct{ first, mount string }{
		{"greet-lines", "lines"},
		{"greet-headers", "headers"}, // the first of equals
		{"other", "plain"},
	} {
		for _, f := range framings {
			t.Run(c.first+" by "+f.String(), func(t *testing.T) {
				p := hosttest.Start(t, choice(), f)
				if p.Session.Dialect() != nil || p.Session.Stats().Mount != "" {
					t.Error("bound before the first message")
				}
				p.Send(request("1", c.first, ""))
				p.Expect(result("1", `"`+c.mount+`"`))
				if got := p.Session.Stats(); got.Mount != c.mount || got.Framing != f {
					t.Errorf("got mount %s, framing %s", got.Mount, got.Framing)
				}
				p.Send(request("2", "greet", ""))
				p.Expect(result("2", `"`+c.mount+`"`))
			})
		}
	}
}

func TestTheStrongestClaimWins(t *testing.T) {
	h := hostOf(
		named("weak", protocol("greet", framing.Newline, host.WeakClaim)),
		named("sure", protocol("greet", framing.Newline, host.SureClaim)),
		named("usual", protocol("greet", framing.Newline, host.UsualClaim)))
	p := hosttest.Start(t, h, framing.Newline)
	p.Send(request("1", "greet", ""))
	p.Expect(result("1", `"sure"`))
}

func TestMessagesThatDecideNothingAreAnswered(t *testing.T) {
	lines := named("lines", protocol("greet-lines", framing.Newline, host.SureClaim))
	p := hosttest.Start(t, hostOf(lines, lines), framing.Newline)
	// As the protocol at home on this framing would.
	p.Send(request("1", "m", ""), notification("m", ""), result("7", "1"))
	p.Expect(failure("1", `{"code":-32002,"message":"greet first"}`))
	p.Send(`{"id":2}`, `nonsense`)
	p.Expect(
		failure("2", `{"code":-32600,"message":"invalid request: the message has no method, and `+
			`no result or error for an id"}`))
	p.Expect(failure("null", `{"code":-32700,"message":"invalid JSON at byte 1: `+
		`expected null, found 'o'"}`))
	p.Send(request("3", "greet-lines", ""))
	p.Expect(result("3", `"lines"`))
}

func TestMessagesThatDecideNothingAreAnsweredWhereNoProtocolIsAtHome(t *testing.T) {
	lines := named("lines", protocol("greet-lines", framing.Newline, host.SureClaim))
	p := hosttest.Start(t, hostOf(lines, lines), framing.ContentLength)
	p.Send(request("1", "m", ""))
	p.Expect(failure("1", `{"code":-32600,"message":"no protocol's handshake has been seen yet: `+
		`send initialize first"}`))
}

// The requests of a batch used to be handled before there was a handler: each cost a panic.
func TestABatchBeforeTheSessionIsBound(t *testing.T) {
	const noBatch = `{"code":-32600,"message":"batches are not part of this protocol"}`
	const greetFirst = `{"code":-32600,"message":"no protocol's handshake has been seen yet: ` +
		`send initialize first"}`
	lines := named("lines", protocol("greet-lines", framing.Newline, host.SureClaim))
	for _, c := range []struct {
		name   string
		host   *host.Host
		f      framing.Framing
		batch  string
		answer string // none if empty
		mount  string // that the session is bound to after it
	}{
		{"for a mount that takes batches", choice(), framing.Newline,
			array(notification("m", ""), "5", request("1", "m", "")),
			array(failure("null", `{"code":-32600,"message":"invalid request: `+
				`a message is an object"}`), result("1", `"plain"`)), "plain"},
		{"for one that takes none", hostOf(lines, lines), framing.Newline,
			array(request("1", "greet-lines", "")), failure("null", noBatch), ""},
		{"for nobody", hostOf(lines, lines), framing.ContentLength,
			array(request("1", "m", ""), notification("m", ""), result("2", "3")),
			array(failure("1", greetFirst)), ""},
		{"without a request", hostOf(lines, named("plain", host.Plain)), framing.ContentLength,
			array(notification("m", "")), "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := hosttest.Start(t, c.host, c.f)
			p.Send(c.batch)
			if c.answer != "" {
				p.Expect(c.answer)
			}
			p.Send(request("9", "greet-lines", ""))
			p.Receive() // and nothing before it
			if c.mount == "" {
				c.mount = "lines"
			}
			if got := p.Session.Stats(); got.Mount != c.mount || got.Frames != 2 || got.Panics != 0 {
				t.Errorf("got %+v, want mount %s", got, c.mount)
			}
		})
	}
}

// The status used to be 0, whatever the protocol has for those who leave like that.
func TestASessionMayLeaveBeforeItIsBound(t *testing.T) {
	lines := named("lines", protocol("greet-lines", framing.Newline, host.SureClaim))
	p := hosttest.Start(t, hostOf(lines, lines), framing.Newline)
	p.Send(notification("leave", ""))
	p.ExpectEnd()
	<-p.Session.Done()
	if err := p.Session.Err(); err != nil {
		t.Error(err)
	}
	if got := p.Session.ExitStatus(); got != 3 {
		t.Errorf("exit status %d", got)
	}
}

func TestASessionThatSaidNothingEndsInOrder(t *testing.T) {
	p := hosttest.Start(t, choice(), framing.Newline)
	p.CloseWrite()
	p.ExpectEnd()
	<-p.Session.Done()
	if p.Session.ExitStatus() != 0 || p.Session.Err() != nil {
		t.Errorf("status %d, cause %v", p.Session.ExitStatus(), p.Session.Err())
	}
}

func TestWithOneMountThereIsNoChoice(t *testing.T) {
	never := protocol("greet", framing.Newline, host.NoClaim)
	never.NewLifecycle = nil
	p := hosttest.Start(t, hostOf(named("only", never)), framing.Newline)
	p.Send(request("1", "anything", ""))
	p.Expect(result("1", `"only"`))
}

func TestAnOtherEnvelopeMayClaimASession(t *testing.T) {
	d := &host.Dialect{Name: "bare",
		NewEnvelope: func(host.Limits) host.Envelope { return bare{} },
		Claims: func(m *host.Message) host.Claim {
			if strings.HasPrefix(string(m.Raw), `{"bare"`) {
				return host.SureClaim
			}
			return host.NoClaim
		}}
	h := hostOf(named("plain", host.Plain), named("bare", d))
	p := hosttest.Start(t, h, framing.Newline)
	p.Send(`{"bare":5}`)
	p.Expect(`{"answer":5}`)
	p.Send(`[1]`) // an array is no batch here
	p.Expect(`{"error":"not bare"}`)
}

// bare is an envelope whose requests are an object with one member, the id.
type bare struct{}

func (bare) Decode(frame []byte, m *host.Message) *jsonrpc2.Error {
	*m = host.Message{Raw: frame}
	id, ok := host.Member(frame, "bare")
	if !ok {
		return &jsonrpc2.Error{Message: "not bare"}
	}
	m.Kind, m.ID, m.Method = host.KindRequest, id, "bare"
	return nil
}

func (bare) Append(dst []byte, m *host.Message) []byte {
	if m.Error != nil {
		message, _ := host.Member(m.Error, "message")
		return append(append(append(dst, `{"error":`...), message...), '}')
	}
	return append(append(append(dst, `{"answer":`...), m.ID...), '}')
}

func TestAMethodSetThatCannotBeOpened(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		open         func() (host.Handler, error)
	}{
		{"fails", `{"code":-32603,"message":"mount test: no licence"}`,
			func() (host.Handler, error) { return nil, errors.New("no licence") }},
		{"fails with an error of the wire", `{"code":4,"message":"no"}`,
			func() (host.Handler, error) { return nil, &jsonrpc2.Error{Code: 4, Message: "no"} }},
		{"panics", `{"code":-32603,"message":"internal error: the handler of open panicked"}`,
			func() (host.Handler, error) { panic("open") }},
		{"ends its goroutine", `{"code":-32603,"message":"mount test: the method set did not open"}`,
			func() (host.Handler, error) { goexit(); return nil, nil }},
		{"returns nothing", `{"code":-32603,"message":"mount test: the method set did not open"}`,
			func() (host.Handler, error) { return nil, nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := hosttest.Start(t, hostOf(set{
					open: func(context.Context, *host.Session) (host.Handler, error) {
						time.Sleep(time.Millisecond)
						return c.open()
					}}), framing.Newline)
				p.Send(notification("n", ""), request("1", "m", ""))
				p.Expect(failure("1", c.answer))
				// What was not read yet when the set failed used to get nothing but the end.
				time.Sleep(time.Second)
				p.Send(notification("n", ""), request("2", "m", ""))
				p.Expect(failure("2", c.answer))
				p.ExpectEnd() // the peer has had its time
				<-p.Session.Done()
				wantIn(t, p.Session.Err().Error(), "mount test: ")
			})
		})
	}
}

func TestAMethodSetThatOpensSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(set{
			open: func(context.Context, *host.Session) (host.Handler, error) {
				time.Sleep(time.Second)
				return returning("open", nil), nil
			}}), framing.Newline)
		p.Send(request("1", "m", ""), cancel("1"), request("2", "m", ""))
		p.Expect(failure("1", cancelled))
		p.Expect(result("2", `"open"`))
	})
}

// A method set that was opened after its session had ended used to hear nothing of that end.
func TestAMethodSetThatOpensTooLateIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan error, 1)
		p := hosttest.Start(t, hostOf(set{
			open: func(context.Context, *host.Session) (host.Handler, error) {
				time.Sleep(time.Hour)
				return closing{methods{}, closed}, nil
			}}), framing.Newline)
		p.Send(request("1", "m", ""))
		synctest.Wait()
		p.CloseWrite()
		p.Expect(failure("1", cancelled))
		p.ExpectEnd()
		ends(t, p.Session, time.Minute)
		if cause := <-closed; cause != nil {
			t.Errorf("closed with %v", cause)
		}
	})
}

func TestControlAnswersOnEverySession(t *testing.T) {
	var control host.Mux[*host.Session]
	control.Register("triplex/id",
		func(_ context.Context, s *host.Session, _ *jsonrpc2.Request) (any, error) {
			return s.ID(), nil
		})
	h := choice()
	h.Control = &control
	var r seen
	h.Recorder = &r
	first, second := hosttest.Start(t, h, framing.Newline), hosttest.Start(t, h, framing.ContentLength)
	first.Send(request("1", "triplex/id", ""))
	first.Expect(result("1", "1"))
	// The request used to be missing from a recording, though its answer was there.
	r.frames.want(t, "1 true true "+request("1", "triplex/id", ""), "1 false true "+result("1", "1"))
	second.Send(request("1", "greet-lines", ""), request("2", "triplex/id", ""))
	second.Expect(result("1", `"lines"`), result("2", "2"))
	if first.Session.Dialect() != nil {
		t.Error("a method of the host itself has bound the session")
	}
}

func TestAHostWithoutMountsServesNobody(t *testing.T) {
	_, far := hosttest.Streams()
	if _, err := new(host.Host).Attach(far, host.PeerInfo{}); err == nil {
		t.Error("attached")
	}
}

// The switch used to come a moment after the answer, when the peer may have sent the next request.
func TestSetFramingSwitchesALiveSession(t *testing.T) {
	h := serving(methods{
		"switch": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
			s := host.SessionFrom(ctx)
			s.SetFraming(ctx, framing.ContentLength)
			return "still lines", s.Notify(ctx, "before", nil)
		},
		"m": returning("headers", nil),
	})
	near, _ := attach(t, h)
	lines := hosttest.NewPeer(t, near, framing.Newline)
	lines.Send(request("1", "switch", ""))
	lines.Expect(notification("before", ""))
	lines.Expect(result("1", `"still lines"`))
	headers := hosttest.NewPeer(t, near, framing.ContentLength)
	headers.Send(request("2", "m", ""))
	headers.Expect(result("2", `"headers"`))
}

func TestSetFramingOutsideAMessageActsAtOnce(t *testing.T) {
	near, s := attach(t, hostOf(echo.Set{}))
	s.SetFraming(t.Context(), framing.ContentLength)
	go s.Notify(t.Context(), "note", nil)
	p := hosttest.NewPeer(t, near, framing.ContentLength)
	p.Expect(notification("note", ""))
	p.Send(request("1", "echo", "[]"))
	p.Expect(result("1", "[]"))
}
