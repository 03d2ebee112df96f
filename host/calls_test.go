package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// called is the outcome of a call on a goroutine of its own.
type called struct {
	result json.RawMessage
	err    error
}

// calling calls the peer and returns where the outcome goes.
func calling(ctx context.Context, s *host.Session, method string, params any) <-chan called {
	outcome := make(chan called, 1)
	go func() {
		var c called
		c.err = s.Call(ctx, method, params, &c.result)
		outcome <- c
	}()
	return outcome
}

func TestCallsAreNumberedFromOne(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	for i := 1; i <= 3; i++ {
		outcome := calling(t.Context(), p.Session, "ask", []int{i})
		p.Expect(request(fmt.Sprint(i), "ask", fmt.Sprintf("[%d]", i)))
		p.Send(result(fmt.Sprint(i), ` {"k" : 1.50} `))
		if c := <-outcome; c.err != nil || string(c.result) != `{"k" : 1.50}` {
			t.Errorf("call %d: %s, %v", i, c.result, c.err)
		}
	}
}

func TestAnswersMayComeInAnyOrder(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	const n = 64
	outcomes := map[string]<-chan called{}
	for i := range n {
		outcomes[fmt.Sprint(i)] = calling(t.Context(), p.Session, "ask", []int{i})
	}
	var answers []string
	for range n {
		var m struct {
			ID     json.RawMessage
			Params []int
		}
		if err := json.Unmarshal(p.Receive(), &m); err != nil {
			t.Fatal(err)
		}
		answers = append([]string{result(string(m.ID), fmt.Sprint(m.Params[0]))}, answers...)
	}
	p.Send(answers...)
	for want, outcome := range outcomes {
		if c := <-outcome; c.err != nil || string(c.result) != want {
			t.Errorf("got %s, %v, want %s", c.result, c.err, want)
		}
	}
}

func TestAnErrorOfThePeerIsPassedOnAsItIs(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	p.Send(request(`"q"`, "ask", `{"method":"m"}`))
	p.Expect(request("1", "m", ""))
	const odd = `{"data":{"n":1.50}, "message":"n\u006f","code":-5,"more":true}`
	p.Send(failure("1", odd))
	want := `{"jsonrpc":"2.0","id":"q","error":` + odd + `}`
	if got := string(p.Receive()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWhatACallGets(t *testing.T) {
	for _, c := range []struct{ name, answer, err string }{
		{"result", `{"jsonrpc":"2.0","id":1,"result":{"k":"v"}}`, ""},
		{"no such member", `{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{"wrong type", `{"jsonrpc":"2.0","id":1,"result":[1]}`, "result of ask: json: cannot"},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"no"}}`,
			"jsonrpc2: code 5 message: no"},
		{"error with members in other cases", `{"jsonrpc":"2.0","id":1,"error":` +
			`{"code":5,"message":"no","Code":"x","MESSAGE":"yes"}}`, "jsonrpc2: code 5 message: no"},
		{"both", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":5,"message":"no"}}`, "code 5"},
		{"error without code", `{"jsonrpc":"2.0","id":1,"error":{"message":"no"}}`,
			"malformed answer: its error has no integer code"},
		{"error without message", `{"jsonrpc":"2.0","id":1,"error":{"code":5}}`,
			"malformed answer: its error has no message"},
		{"other version", `{"jsonrpc":"1.0","id":1,"result":{}}`, "malformed answer: its jsonrpc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := hosttest.Start(t, serving(methods{}), framing.Newline)
			outcome := make(chan error, 1)
			go func() {
				var result struct{ K string }
				outcome <- p.Session.Call(t.Context(), "ask", nil, &result)
			}()
			p.Expect(request("1", "ask", ""))
			p.Send(c.answer)
			err := <-outcome
			if c.err == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("got %v, want %q", err, c.err)
			}
		})
	}
}

func TestAnswersThatNobodyWaitsForAreDropped(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	outcome := calling(t.Context(), p.Session, "ask", nil)
	p.Expect(request("1", "ask", ""))
	p.Send(result(`"1"`, "0"), result("2", "0"), result("0", "0"), result("1.0", "0"),
		result("-1", "0"), result("01", "0"), result("null", "0"), result("true", "0"))
	p.Expect(failure("null", `{"code":-32700,"message":"invalid JSON at byte 23: expected ',' or '}' `+
		`after a member, found '1'"}`)) // of 01, which is no number
	p.Send(result("1", "1"), result("1", "2"), request("9", "echo", "[]"))
	p.Expect(result("9", "[]"))
	if c := <-outcome; string(c.result) != "1" {
		t.Errorf("got %s, %v", c.result, c.err)
	}
	if n := p.Session.Stats().Strays; n != 8 {
		t.Errorf("%d strays were counted, want 8", n)
	}
}

func TestACallThatIsGivenUpIsCancelledAtThePeer(t *testing.T) {
	reason := errors.New("changed my mind")
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	ctx, cancel := context.WithCancelCause(t.Context())
	outcome := calling(ctx, p.Session, "ask", nil)
	p.Expect(request("1", "ask", ""))
	cancel(reason)
	p.Expect(notification("$/cancelRequest", `{"id":1}`))
	if c := <-outcome; !errors.Is(c.err, reason) {
		t.Errorf("got %v", c.err)
	}
	p.Send(result("1", "0")) // late
	outcome = calling(t.Context(), p.Session, "ask", nil)
	p.Expect(request("2", "ask", ""))
	p.Send(result("2", "2"))
	if c := <-outcome; string(c.result) != "2" {
		t.Errorf("got %s, %v", c.result, c.err)
	}
}

func TestADialectMayHaveNoCancellation(t *testing.T) {
	p := hosttest.Start(t, hostOf(handlerOf(new(host.Dialect), methods{})), framing.Newline)
	ctx, cancel := context.WithCancel(t.Context())
	outcome := calling(ctx, p.Session, "ask", nil)
	p.Expect(request("1", "ask", ""))
	cancel()
	if c := <-outcome; !errors.Is(c.err, context.Canceled) {
		t.Errorf("got %v", c.err)
	}
	p.Send(request("1", "m", ""))
	p.Expect(failure("1", `{"code":-32601,"message":"method \"m\" is not known here"}`))
}

func TestACancelledHandlerCancelsItsCalls(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	p.Send(request("7", "ask", `{"method":"m","params":[1]}`))
	p.Expect(request("1", "m", "[1]"))
	p.Send(notification("$/cancelRequest", `{"id":7}`))
	p.Expect(notification("$/cancelRequest", `{"id":1}`), failure("7", cancelled))
}

func TestParamsOfACallAreCheckedBeforeItIsSent(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	for _, c := range []struct {
		params any
		err    string
	}{
		{7, "params of ask: must be an object or an array, not 7"},
		{json.RawMessage(`"text"`), `params of ask: must be an object or an array, not "text"`},
		{json.RawMessage(`{`), "params of ask: invalid JSON at byte 1"},
		{make(chan int), "params of ask: json: unsupported type"},
	} {
		err := p.Session.Call(t.Context(), "ask", c.params, nil)
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: got %v, want %q", c.params, err, c.err)
		}
		if err = p.Session.Notify(t.Context(), "ask", c.params); err == nil {
			t.Errorf("%v: a notification took it", c.params)
		}
	}
	for _, none := range []any{nil, json.RawMessage(nil), (*struct{})(nil), json.RawMessage("null")} {
		sent := make(chan error, 1)
		go func() { sent <- p.Session.Notify(t.Context(), "note", none) }()
		p.Expect(notification("note", ""))
		if err := <-sent; err != nil {
			t.Error(err)
		}
	}
}

func TestCallOptionsAreRefused(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	pick := jsonrpc2.PickID(jsonrpc2.ID{Num: 5})
	if err := p.Session.Call(t.Context(), "ask", nil, nil, pick); err == nil {
		t.Error("Call took an option")
	}
	if err := p.Session.Notify(t.Context(), "ask", nil, pick); err == nil {
		t.Error("Notify took an option")
	}
}

func TestDispatchSendsInOrder(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	go func() {
		p.Session.Dispatch(t.Context(), "first", nil)
		p.Session.Notify(t.Context(), "second", nil)
	}()
	p.Expect(request("1", "first", ""))
	p.Expect(notification("second", ""))
}

func TestAHandlerMayCallItsPeerToAnyDepth(t *testing.T) {
	deep := func(s *host.Session) host.HandlerFunc {
		return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
			var depth []int
			if err := json.Unmarshal(*req.Params, &depth); err != nil || depth[0] == 0 {
				return 0, err
			}
			var below int
			err := s.Call(ctx, "deeper", []int{depth[0] - 1}, &below)
			return below + 1, err
		}
	}
	side := func() *host.Host {
		return hostOf(set{open: func(_ context.Context, s *host.Session) (host.Handler, error) {
			return deep(s), nil
		}})
	}
	a, _ := hosttest.Pair(t, side(), side())
	var depth int
	if err := a.Call(t.Context(), "deeper", []int{200}, &depth); err != nil || depth != 200 {
		t.Errorf("got depth %d, %v", depth, err)
	}
}

func TestANotificationMayCallThePeer(t *testing.T) {
	p := hosttest.Start(t, hostOf(set{
		open: func(_ context.Context, s *host.Session) (host.Handler, error) {
			return methods{
				"note": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
					return nil, s.Call(ctx, "ask", nil, nil)
				},
				"after": returning("after", nil),
			}, nil
		}}), framing.Newline)
	p.Send(notification("note", ""), request("7", "after", ""))
	p.Expect(request("1", "ask", ""))
	p.Send(result("1", "null"))
	p.Expect(result("7", `"after"`))
}

func TestHandlersThatWaitForThePeerDoNotStopTheReading(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
	for i := range 4 {
		p.Sendf(`{"jsonrpc":"2.0","id":"w%d","method":"ask","params":{"method":"m"}}`, i)
		p.Expect(request(fmt.Sprint(i+1), "m", ""))
	}
	var sent, want []string
	for i := range 1000 {
		sent = append(sent, request(fmt.Sprint(i), "echo", "[]"))
		want = append(want, result(fmt.Sprint(i), "[]"))
	}
	var sending sync.WaitGroup
	sending.Go(func() { p.Send(sent...) })
	p.Expect(want...)
	sending.Wait()
	p.Send(result("4", "4"), result("1", "1"), result("3", "3"), result("2", "2"))
	p.Expect(result(`"w0"`, "1"), result(`"w1"`, "2"), result(`"w2"`, "3"), result(`"w3"`, "4"))
}

func TestOutgoingMiddlewareWrapsWhatIsSent(t *testing.T) {
	h := hostOf(echo.Set{})
	for _, name := range []string{"inner", "outer"} {
		h.Outgoing = append(h.Outgoing, func(s *host.Session, next host.Sender) host.Sender {
			return tracing{s, name, next}
		})
	}
	p := hosttest.Start(t, h, framing.Newline)
	outcome := calling(t.Context(), p.Session, "ask", nil)
	p.Expect(notification("outer ask", ""))
	p.Expect(notification("inner ask", ""))
	p.Expect(request("1", "ask", ""))
	p.Send(result("1", "1"))
	<-outcome
}

// tracing tells the peer of each call before it is sent.
type tracing struct {
	s    *host.Session
	name string
	host.Sender
}

func (m tracing) Call(ctx context.Context, method string, params, result any) error {
	if err := m.Sender.Notify(ctx, m.name+" "+method, nil); err != nil {
		return err
	}
	return m.Sender.Call(ctx, method, params, result)
}

func TestCallsEndWithTheInput(t *testing.T) {
	p := hosttest.Start(t, serving(methods{}), framing.Newline)
	outcome := calling(t.Context(), p.Session, "ask", nil)
	p.Expect(request("1", "ask", ""))
	p.CloseWrite()
	c := <-outcome
	if !errors.Is(c.err, host.ErrClosed) {
		t.Errorf("got %v", c.err)
	}
	wantIn(t, fmt.Sprint(c.err), "ask: session closed: the peer has ended its output")
	<-p.Session.Done()
	if err := p.Session.Notify(t.Context(), "note", nil); !errors.Is(err, host.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	if err := p.Session.Call(t.Context(), "ask", nil, nil); !errors.Is(err, host.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// Calls that were pending when a session ended used to hear that the peer had ended its output,
// whatever the cause was.
func TestCallsGetTheCauseOfTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving(methods{})
		h.Limits.IdleTimeout = time.Second
		p := hosttest.Start(t, h, framing.Newline)
		outcome := calling(t.Context(), p.Session, "ask", nil)
		p.Expect(request("1", "ask", ""))
		c := <-outcome
		if !errors.Is(c.err, host.ErrClosed) {
			t.Errorf("got %v", c.err)
		}
		wantIn(t, fmt.Sprint(c.err), "idle for 1s")
	})
}

func TestFaultCloseWithAThousandCallsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, session := attach(t, serving(methods{}))
		p := hosttest.NewPeer(t, near, framing.Newline)
		const n = 1000
		var calls sync.WaitGroup
		errs := make(chan error, n)
		for range n {
			calls.Go(func() { errs <- session.Call(t.Context(), "ask", nil, nil) })
		}
		for range n {
			p.Receive()
		}
		// An answer that races with the end must do no harm.
		go io.WriteString(near, result("500", "null")+"\n")
		session.Close()
		calls.Wait()
		<-session.Done()
		close(errs)
		answered := 0
		for err := range errs {
			if err == nil {
				answered++
			} else if !errors.Is(err, host.ErrClosed) {
				t.Errorf("got %v", err)
			}
		}
		if answered > 1 {
			t.Errorf("%d calls were answered", answered)
		}
	})
}
