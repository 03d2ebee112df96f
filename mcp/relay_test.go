package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

const tagged = `{"_meta": {"io.modelcontextprotocol/subscriptionId": %, "x":1.0}}`

func tag(id string) json.RawMessage { return json.RawMessage(strings.Replace(tagged, "%", id, 1)) }

func TestRelayOfASubscription(t *testing.T) {
	answer := &host.Message{
		Kind: host.KindResponse, Method: methodListen, ID: json.RawMessage(`"l"`), Result: tag("1"),
	}
	if got, want := Dialect.Relay(answer, nil, 0), tag(`"l"`); string(got) != string(want) {
		t.Errorf("answer: got %s, want %s", got, want)
	}
	other := &host.Message{Kind: host.KindResponse, Method: "tools/call", Result: tag("1")}
	if got := Dialect.Relay(other, nil, 0); string(got) != string(other.Result) {
		t.Errorf("another answer: got %s", got)
	}

	// A request with the id "l" is passed on by its handler, and open there as number 1.
	server := hosttest.Start(t, hostWith(nil), framing.Newline)
	client := hosttest.Start(t, hostWith(func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
		f, err := server.Session.Forward(ctx, methodListen, nil)
		if err != nil {
			return nil, err
		}
		return f.Wait(ctx)
	}), framing.Newline)
	client.Send(`{"jsonrpc":"2.0","id":"l","method":"listen"}`)
	server.Receive()
	for id, want := range map[string]string{"1": `"l"`, "2": "2"} {
		news := &host.Message{Kind: host.KindNotification, Method: "notifications/x", Params: tag(id)}
		if got := Dialect.Relay(news, server.Session, 0); string(got) != string(tag(want)) {
			t.Errorf("news of %s: got %s, want %s", id, got, tag(want))
		}
	}
}

// TestRelayOfTheEndOfASubscription: a server that ended a subscription by cancelling it used not to
// be heard by the client.
func TestRelayOfTheEndOfASubscription(t *testing.T) {
	const end = `{"reason":"r", "requestId": %s}`
	server := hosttest.Start(t, hostWith(nil), framing.Newline)
	client := hosttest.Start(t, hostWith(func(ctx context.Context, r *jsonrpc2.Request) (any, error) {
		f, err := server.Session.Forward(ctx, r.Method, nil)
		if err != nil {
			return nil, err
		}
		return f.Wait(ctx)
	}), framing.Newline)
	client.Send(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen"}`)
	server.Expect(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`)
	client.Send(`{"jsonrpc":"2.0","id":"t","method":"tools/call"}`)
	server.Expect(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)
	for id, want := range map[string]string{"1": `"l"`, "2": "2", "3": "3"} {
		m := &host.Message{
			Kind: host.KindNotification, Method: methodCancelled, Params: fmt.Appendf(nil, end, id),
		}
		if got := Dialect.Relay(m, server.Session, 0); string(got) != fmt.Sprintf(end, want) {
			t.Errorf("the end of %s: got %s", id, got)
		}
	}
}

func hostWith(h host.HandlerFunc) *host.Host {
	return &host.Host{Mounts: []host.MethodSet{plainSet{h}}}
}

// plainSet is a method set of one function.
type plainSet struct{ host.HandlerFunc }

func (plainSet) Name() string           { return "plain" }
func (plainSet) Dialect() *host.Dialect { return host.Plain }
func (s plainSet) Open(context.Context, *host.Session) (host.Handler, error) {
	return s.HandlerFunc, nil
}

func TestReplay(t *testing.T) {
	r := Dialect.NewReplay()
	for _, m := range [][2]string{
		{"initialize", "{}"}, {"notifications/initialized", ""},
		{"logging/setLevel", `{"level":"info"}`}, {"logging/setLevel", `{"level":"debug"}`},
		{"resources/subscribe", `{"uri":"a"}`}, {"resources/subscribe", `{"uri":"b"}`},
		{"resources/subscribe", `{"uri":"c"}`}, {"resources/unsubscribe", `{"uri":"\u0061"}`},
		{"resources/subscribe", `{"uri":"b"}`}, {"tools/call", "{}"},
	} {
		r.Note(&host.Message{Method: m[0], Params: json.RawMessage(m[1])})
	}
	var got strings.Builder
	for _, m := range r.Messages() {
		got.WriteString(m.Method + string(m.Params) + "\n")
	}
	const want = "initialize{}\nnotifications/initialized\nlogging/setLevel{\"level\":\"debug\"}\n" +
		"resources/subscribe{\"uri\":\"c\"}\nresources/subscribe{\"uri\":\"b\"}\n"
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}
