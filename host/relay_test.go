package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// relayed is plain JSON-RPC as a relay reads it: one message at a time.
var relayed = &host.Dialect{
	Name: "relayed", NewLifecycle: host.Plain.NewLifecycle, CancelCall: host.CancelRequest,
	Lane: func(*host.Message) host.Lane { return host.Ordered },
}

// startRelay puts a relay between two peers, and returns them: the client and the server.
func startRelay(t *testing.T) (client, server *hosttest.Peer) {
	t.Helper()
	var near, far *host.Session
	passTo := func(to **host.Session) host.HandlerFunc {
		return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
			var raw json.RawMessage
			if req.Params != nil {
				raw = *req.Params
			}
			if req.Notif {
				return nil, (*to).Pass(ctx, req.Method, raw)
			}
			f, err := (*to).Forward(ctx, req.Method, raw)
			if err != nil {
				return nil, err
			}
			return f.Wait(ctx)
		}
	}
	client = hosttest.Start(t, hostOf(handlerOf(relayed, passTo(&far))), framing.Newline)
	server = hosttest.Start(t, hostOf(handlerOf(relayed, passTo(&near))), framing.Newline)
	near, far = client.Session, server.Session
	return client, server
}

func TestARelayKeepsTheOrderOfAnswersAndNotifications(t *testing.T) {
	client, server := startRelay(t)
	for i := range 300 {
		id := strconv.Itoa(i + 1)
		client.Send(request(id, "work", ""))
		server.Expect(request(id, "work", ""))
		server.Send(notification("before", ""), result(id, `"x"`), notification("after", ""))
		client.Expect(notification("before", ""))
		client.Expect(result(id, `"x"`))
		client.Expect(notification("after", ""))
	}
}

func TestARelayKeepsTheOrderOfRequestsAndNotifications(t *testing.T) {
	client, server := startRelay(t)
	var sent, want []string
	for i := range 1000 {
		params := fmt.Sprintf("[%d]", i)
		if i%3 == 0 {
			sent = append(sent, notification("note", params))
			want = append(want, notification("note", params))
			continue
		}
		sent = append(sent, request(`"`+strconv.Itoa(i)+`"`, "ask", params))
		want = append(want, request(strconv.Itoa(len(sent)-(i+3)/3), "ask", params))
	}
	go client.Send(sent...)
	for _, w := range want {
		server.Expect(w)
	}
}

func TestARelayPassesBytes(t *testing.T) {
	const odd = `{"n":1.50e+03,"n":123456789012345678901234567890, "unknown" : [ "\u00e9\/" ] }`
	const failure = `{"code":-32803,"message":"no","data": {"x" : 1.0},"more":true}`
	client, server := startRelay(t)
	client.Send(`{"jsonrpc":"2.0","id":1.50,"method":"ask","params":` + odd + `}`)
	wantIn(t, string(server.Receive()), `"params":`+odd)
	server.Send(`{"jsonrpc":"2.0","id":1,"result":` + odd + `}`)
	if got, want := string(client.Receive()), result("1.50", odd); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	client.Send(request(`""`, "ask", ""))
	server.Receive()
	server.Send(`{"jsonrpc":"2.0","id":2,"error":` + failure + `}`)
	wantIn(t, string(client.Receive()), `"id":"","error":`+failure)
}

// Members of a message that its envelope does not know used to be lost. Those it knows, however
// they are written, have a meaning that may differ at the other side, and stay behind.
func TestARelayPassesUnknownMembers(t *testing.T) {
	client, server := startRelay(t)
	client.Send(`{"meta":{"trace" : 1.0},"jsonrpc":"2.0","method":"note","x\u002fy":null,"result":1}`)
	const note = `{"jsonrpc":"2.0","method":"note","meta":{"trace" : 1.0},"x\u002fy":null}`
	if got := string(server.Receive()); got != note {
		t.Errorf("got %s, want %s", got, note)
	}
	client.Send(`{"jsonrpc":"2.0","\u0069d":"a","method":"ask","t":[1],"error":{"code":1},"Id":7}`)
	server.Expect(`{"jsonrpc":"2.0","id":1,"method":"ask","t":[1]}`)
	server.Send(`{"jsonrpc":"2.0","id":1,"result":{},"took":2}`)
	client.Expect(`{"jsonrpc":"2.0","id":"a","result":{},"took":2}`)
	client.Send(`{"jsonrpc":"2.0","id":2,"method":"ask","t":[1]}`)
	server.Receive()
	server.Send(`{"hint":"h","jsonrpc":"2.0","id":2,"error":{"code":5,"message":"no"}}`)
	client.Expect(`{"jsonrpc":"2.0","id":2,"error":{"code":5,"message":"no"},"hint":"h"}`)
	client.Send(`{"jsonrpc":"2.0","id":3,"method":"ask","t":[1]}`)
	server.Receive()
	client.Send(notification(host.CancelMethod, `{"id":3}`))
	server.Expect(notification(host.CancelMethod, `{"id":3}`))
	client.Expect(failure("3", cancelled)) // this session's own answer
}

func TestARelayCancelsUnderTheOtherSidesID(t *testing.T) {
	client, server := startRelay(t)
	client.Send(request(`"a"`, "ask", ""))
	server.Expect(request("1", "ask", ""))
	client.Send(notification(host.CancelMethod, `{"id":"a"}`))
	server.Expect(notification(host.CancelMethod, `{"id":1}`))
	client.Expect(failure(`"a"`, cancelled))
	server.Send(result("1", "null")) // nobody waits for it

	server.Send(request("7", "question", ""))
	client.Expect(request("1", "question", ""))
	server.Send(notification(host.CancelMethod, `{"id":7}`))
	client.Expect(notification(host.CancelMethod, `{"id":1}`))
	server.Expect(failure("7", cancelled))
}

// A client that cancelled used to wait for a server that reads nothing, up to the write timeout.
func TestARelayAnswersACancelledRequestAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := startRelay(t)
		client.Send(request("1", "ask", ""))
		server.Expect(request("1", "ask", ""))
		began := time.Now()
		client.Send(notification(host.CancelMethod, `{"id":1}`))
		client.Expect(failure("1", cancelled))
		if waited := time.Since(began); waited > 0 {
			t.Errorf("it waited %s", waited)
		}
		server.Expect(notification(host.CancelMethod, `{"id":1}`))
	})
}

func TestOriginIsTheRequestThatWasForwarded(t *testing.T) {
	client, server := startRelay(t)
	client.Send(request(`"the client's"`, "ask", ""))
	server.Expect(request("1", "ask", ""))
	for id, want := range map[string]string{"1": `"the client's"`, "2": "", `"1"`: "", "": ""} {
		got, method := server.Session.Origin(json.RawMessage(id))
		if string(got) != want || (method == "ask") != (want != "") {
			t.Errorf("origin of %s: %s of %q, want %s", id, got, method, want)
		}
	}
	server.Send(result("1", "null"))
	client.Expect(result(`"the client's"`, "null"))
	if got, _ := server.Session.Origin(json.RawMessage("1")); got != nil {
		t.Errorf("an answered request has the origin %s", got)
	}
}

// TestADroppedRequestGetsNoAnswer where the dialect of its own session allows that.
func TestADroppedRequestGetsNoAnswer(t *testing.T) {
	for _, silent := range []bool{true, false} {
		t.Run(fmt.Sprint("silent=", silent), func(t *testing.T) {
			server := hosttest.Start(t, hostOf(handlerOf(relayed, methods{})), framing.Newline)
			dialect := *relayed
			dialect.SilentCancel = silent
			client := hosttest.Start(t, hostOf(handlerOf(&dialect, host.HandlerFunc(
				func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
					f, err := server.Session.Forward(ctx, req.Method, nil)
					if err != nil {
						return nil, err
					}
					return f.Wait(ctx)
				}))), framing.Newline)
			client.Send(request(`"a"`, "ask", ""))
			server.Expect(request("1", "ask", ""))
			for _, id := range []string{"2", `"1"`, "1", "1"} {
				server.Session.Drop(json.RawMessage(id))
			}
			if !silent {
				wantIn(t, string(client.Receive()), host.ErrNoAnswer.Error())
			}
			client.Send(request(`"b"`, "ask", ""))
			server.Expect(request("2", "ask", ""))
			server.Send(result("2", "2"))
			client.Expect(result(`"b"`, "2"))
		})
	}
}

func TestAForwardedRequestFailsWithTheSession(t *testing.T) {
	client, server := startRelay(t)
	client.Send(request("1", "ask", ""))
	server.Receive()
	server.Close()
	wantIn(t, string(client.Receive()), host.ErrClosed.Error())
	<-server.Session.Done()
	client.Send(request("2", "ask", ""))
	wantIn(t, string(client.Receive()), host.ErrClosed.Error())
}

// What a server said before it went used to reach the client, if the relay was slow, after the
// error of the requests it had not answered.
func TestAForwardedRequestFailsBehindWhatWasSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := make(chan struct{})
		h := hostOf(handlerOf(relayed, host.HandlerFunc(
			func(context.Context, *jsonrpc2.Request) (any, error) {
				<-handled
				return nil, nil
			})))
		h.Limits.QueuedIn = 600 // the end has its place all the same
		server := hosttest.Start(t, h, framing.Newline)
		failed := make(chan error, 1)
		client := hosttest.Start(t, serving(host.HandlerFunc(
			func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
				f, err := server.Session.Forward(ctx, req.Method, nil)
				if err == nil {
					_, err = f.Wait(ctx)
				}
				failed <- err
				return nil, err
			})), framing.Newline)
		client.Send(request("1", "ask", ""))
		server.Expect(request("1", "ask", ""))
		server.Send(notification("a", ""), notification("b", ""))
		server.Close()
		for range 2 {
			synctest.Wait()
			if len(failed) > 0 {
				t.Fatal("it failed before what was said first had been handled")
			}
			handled <- struct{}{}
		}
		if err := <-failed; !errors.Is(err, host.ErrClosed) {
			t.Errorf("failed with %v", err)
		}
		<-server.Session.Done()
		if err := server.Session.Err(); err != nil {
			t.Errorf("the session ended because of %v", err)
		}
	})
}

// An answer that had been read when the session ended used to be lost with the messages that
// waited before it, and whoever waited for it waited for ever.
func TestAnAnswerInTheQueueSurvivesTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		block := make(chan struct{})
		h := handlerOf(relayed, host.HandlerFunc(
			func(context.Context, *jsonrpc2.Request) (any, error) {
				<-block
				return nil, nil
			}))
		server := hosttest.Start(t, hostOf(h), framing.Newline)
		client := hosttest.Start(t, serving(host.HandlerFunc(
			func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
				f, err := server.Session.Forward(ctx, req.Method, nil)
				if err != nil {
					return nil, err
				}
				return f.Wait(ctx)
			})), framing.Newline)
		client.Send(request("1", "ask", ""))
		server.Expect(request("1", "ask", ""))
		server.Send(notification("slow", ""), result("1", `"late"`))
		synctest.Wait()
		server.Session.Close()
		close(block)
		client.Expect(result("1", `"late"`))
	})
}

func TestSplice(t *testing.T) {
	const object = `{"a" : {"b": 1 , "c":[2]}, "b" : null }`
	tests := []struct {
		name  string
		path  []string
		value string
		want  string
	}{
		{"longer", []string{"a", "b"}, "123", `{"a" : {"b": 123 , "c":[2]}, "b" : null }`},
		{"a whole object", []string{"a"}, "0", `{"a" : 0, "b" : null }`},
		{"the last member", []string{"b"}, `"x"`, `{"a" : {"b": 1 , "c":[2]}, "b" : "x" }`},
		{"absent", []string{"a", "x"}, "1", object},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			whole := "[" + object + "]" // what lies around the object must not matter
			in := json.RawMessage(whole[1 : len(whole)-1])
			got := host.Splice(in, json.RawMessage(tt.value), tt.path...)
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if string(in) != object {
				t.Errorf("the original is %s now", in)
			}
		})
	}
}

func TestForwardRefusesNothingButAnEndedSession(t *testing.T) {
	s := hosttest.Start(t, serving(methods{}), framing.Newline).Session
	s.Close()
	<-s.Done()
	if _, err := s.Forward(t.Context(), "ask", nil); !errors.Is(err, host.ErrClosed) {
		t.Errorf("got %v, want %v", err, host.ErrClosed)
	}
	err := s.Pass(t.Context(), "note", nil)
	if err == nil || !strings.HasPrefix(err.Error(), "note: ") {
		t.Errorf("got %v, want an error that names the method", err)
	}
}
