package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.lsp.dev/protocol"

	"triplex/host"
	"triplex/host/hosttest"
)

const showsProgress = `{"window":{"workDoneProgress":true}}`

// job is a request whose handler does some work.
var job = Request[*protocol.WorkDoneProgressParams, bool]{Method: "test/job"}

// working returns a server whose job begins work with o, and the token of the request if there is
// one, and then runs f. The job's result is whether its context has ended.
func working(o WorkOptions, f func(context.Context, *Session, *Work)) *Server {
	srv := &Server{}
	job.Handle(srv, func(
		ctx context.Context, s *Session, p *protocol.WorkDoneProgressParams,
	) (bool, error) {
		o.Token = p.WorkDoneToken
		ctx, w := s.Progress(ctx, "Build", o)
		f(ctx, s, w)
		return ctx.Err() != nil, nil
	})
	return srv
}

// expectProgress hears one $/progress for each of values, on that token.
func expectProgress(p *hosttest.Peer, token string, values ...string) {
	for _, v := range values {
		p.Expect(notification("$/progress", fmt.Sprintf(`{"token":%s,"value":%s}`, token, v)))
	}
}

func TestP1ProgressOnTheTokenOfARequest(t *testing.T) {
	for _, token := range []string{`"mine"`, "7"} {
		t.Run(token, func(t *testing.T) {
			srv := working(WorkOptions{Message: "begin", Percentage: true},
				func(_ context.Context, _ *Session, w *Work) {
					w.Report("half", 50)
					w.Report("", 250)
					w.End("done")
					w.End("again")
					w.Report("late", 1)
				})
			p, _ := greet(t, srv, "{}")
			p.Send(request("1", "test/job", `{"workDoneToken":`+token+`}`))
			expectProgress(p, token,
				`{"kind":"begin","title":"Build","message":"begin","percentage":0,"cancellable":false}`,
				`{"kind":"report","message":"half","percentage":50}`,
				`{"kind":"report","message":"half","percentage":100}`,
				`{"kind":"end","message":"done"}`)
			p.Expect(result("1", "true"))
		})
	}
}

func TestP1NothingIsReportedAfterTheAnswer(t *testing.T) {
	var answered <-chan struct{}
	kept := make(chan *Work, 1)
	srv := working(WorkOptions{}, func(ctx context.Context, _ *Session, w *Work) {
		answered = ctx.Done()
		kept <- w
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/job", `{"workDoneToken":"t"}`))
	expectProgress(p, `"t"`, `{"kind":"begin","title":"Build","cancellable":false}`)
	p.Expect(result("1", "false"))
	w := <-kept
	<-answered
	w.Report("late", 0)
	w.End("late")
	settle(t, p)
}

func TestP2ProgressOnATokenOfTheServer(t *testing.T) {
	reported, created := make(chan struct{}), make(chan struct{})
	srv := working(WorkOptions{}, func(_ context.Context, _ *Session, w *Work) {
		w.Report("early", 0)
		reported <- struct{}{}
		<-created
		w.Report("later", 0)
		w.End("")
	})
	p, _ := greet(t, srv, showsProgress)
	var tokens []string
	for range 2 {
		p.Send(request("1", "test/job", "{}"))
		id, params := wantCall(t, p, "window/workDoneProgress/create")
		token, _ := host.Member(params, "token")
		<-reported
		p.Send(result(id, "null"))
		expectProgress(p, string(token),
			`{"kind":"begin","title":"Build","message":"early","cancellable":false}`)
		created <- struct{}{}
		expectProgress(p, string(token), `{"kind":"report","message":"later"}`, `{"kind":"end"}`)
		answer(t, p, "1")
		tokens = append(tokens, string(token))
	}
	if tokens[0] == tokens[1] {
		t.Errorf("the token %s was used twice", tokens[0])
	}
}

// Work that is over before the display is there is shown all the same, so that the client can
// forget the token.
func TestP2WorkThatEndsEarly(t *testing.T) {
	srv := working(WorkOptions{}, func(_ context.Context, _ *Session, w *Work) { w.End("done") })
	p, _ := greet(t, srv, showsProgress)
	p.Send(request("1", "test/job", "{}"))
	call, reply := hear(t, p), hear(t, p)
	if call.Method == "" {
		call, reply = reply, call
	}
	if string(reply.Result) != "true" {
		t.Errorf("the job answered %+v", reply)
	}
	token, _ := host.Member(call.Params, "token")
	p.Send(result(string(call.ID), "null"))
	expectProgress(p, string(token),
		`{"kind":"begin","title":"Build","message":"done","cancellable":false}`,
		`{"kind":"end","message":"done"}`)
}

func TestP2ClientRefusesTheDisplay(t *testing.T) {
	ended := make(chan struct{})
	srv := working(WorkOptions{}, func(_ context.Context, _ *Session, w *Work) {
		<-ended
		w.Report("unseen", 0)
		w.End("")
	})
	p, _ := greet(t, srv, showsProgress)
	p.Send(request("1", "test/job", "{}"))
	id, _ := wantCall(t, p, "window/workDoneProgress/create")
	p.Send(`{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32601,"message":"no"}}`)
	settle(t, p)
	close(ended)
	answer(t, p, "1")
	settle(t, p)
}

func TestP2NoProgressWithoutTheCapability(t *testing.T) {
	for _, capabilities := range []string{
		"{}", `{"window":{}}`, `{"window":{"workDoneProgress":false}}`,
	} {
		t.Run(capabilities, func(t *testing.T) {
			srv := working(WorkOptions{}, func(_ context.Context, _ *Session, w *Work) {
				w.Report("unseen", 0)
				w.End("")
			})
			p, _ := greet(t, srv, capabilities)
			p.Send(request("1", "test/job", "{}"))
			answer(t, p, "1")
		})
	}
}

func TestP3TheUserCancelsWork(t *testing.T) {
	for _, cancellable := range []bool{true, false} {
		t.Run(fmt.Sprintf("cancellable %t", cancellable), func(t *testing.T) {
			srv := working(WorkOptions{Cancellable: cancellable},
				func(ctx context.Context, _ *Session, w *Work) {
					<-ctx.Done()
					w.End("stopped")
				})
			p, _ := greet(t, srv, showsProgress)
			p.Send(request("1", "test/job", "{}"))
			id, params := wantCall(t, p, "window/workDoneProgress/create")
			token, _ := host.Member(params, "token")
			p.Send(result(id, "null"))
			expectProgress(p, string(token),
				fmt.Sprintf(`{"kind":"begin","title":"Build","cancellable":%t}`, cancellable))
			p.Send(notification("window/workDoneProgress/cancel", `{"token":"unknown"}`))
			p.Send(notification("window/workDoneProgress/cancel", `{}`))
			p.Send(notification("window/workDoneProgress/cancel", `{"token":`+string(token)+`}`))
			expectProgress(p, string(token), `{"kind":"end","message":"stopped"}`)
			p.Expect(result("1", "true"))
		})
	}
}

// Cancelling must not wait behind the notification whose work it cancels.
func TestP3CancellingIsAheadOfTheOrder(t *testing.T) {
	srv := &Server{}
	note.Handle(srv, func(ctx context.Context, s *Session, _ json.RawMessage) error {
		ctx, w := s.Progress(ctx, "Index", WorkOptions{})
		<-ctx.Done()
		w.End("")
		return nil
	})
	p, _ := greet(t, srv, showsProgress)
	p.Send(notification("test/note", "{}"))
	id, params := wantCall(t, p, "window/workDoneProgress/create")
	token, _ := host.Member(params, "token")
	p.Send(result(id, "null"),
		notification("window/workDoneProgress/cancel", `{"token":`+string(token)+`}`))
	expectProgress(p, string(token), `{"kind":"begin","title":"Index","cancellable":false}`,
		`{"kind":"end"}`)
	settle(t, p)
}

// A client that never answers (vim-ale) costs the timeout of one call, and holds nothing up.
func TestP5ClientThatNeverAnswersCreate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := working(WorkOptions{}, func(_ context.Context, _ *Session, w *Work) { w.End("") })
		p, _ := greetWith(t, srv, showsProgress, host.Limits{CallTimeout: 10 * time.Second})
		began := time.Now()
		p.Send(request("1", "test/job", "{}"))
		seen := []string{hear(t, p).Method, hear(t, p).Method}
		if strings.Join(seen, "") != "window/workDoneProgress/create" {
			t.Errorf("heard %q, expected one create and the answer", seen)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("the job took %s", took)
		}
		if m := hear(t, p); m.Method != "$/cancelRequest" || time.Since(began) != 10*time.Second {
			t.Errorf("heard %+v after %s, expected the call to be given up", m, time.Since(began))
		}
		synctest.Wait()
		p.Send(request("2", "test/job", "{}"))
		answer(t, p, "2")
		settle(t, p)
	})
}

// Reports made by several goroutines at once never come before the begin or after the end.
func TestWorkIsSafeForConcurrentUse(t *testing.T) {
	srv := working(WorkOptions{}, func(ctx context.Context, s *Session, w *Work) {
		done := make(chan struct{})
		for i := range 8 {
			go func() {
				w.Report(fmt.Sprint(i), 0)
				done <- struct{}{}
			}()
		}
		for range 8 {
			<-done
		}
		w.End("")
	})
	p, _ := greet(t, srv, "{}")
	p.Send(request("1", "test/job", `{"workDoneToken":1}`))
	var kinds []string
	for m := hear(t, p); m.Method != ""; m = hear(t, p) {
		kind, _ := host.Member(m.Params, "value", "kind")
		kinds = append(kinds, string(kind))
	}
	last := len(kinds) - 1
	if last < 2 || kinds[0] != `"begin"` || kinds[last] != `"end"` {
		t.Fatalf("heard %s", kinds)
	}
	for _, kind := range kinds[1:last] {
		if kind != `"report"` {
			t.Errorf("heard %s", kinds)
		}
	}
}
