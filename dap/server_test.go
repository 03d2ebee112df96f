package dap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
)

const adapterID = `{"adapterID":"x"}`

func TestInitialize(t *testing.T) {
	server := &Server{Title: "x", Capabilities: Capabilities{
		SupportsCancelRequest: new(false),
		SupportsLogPoints:     new(true),
		ExceptionFilters:      []ExceptionBreakpointsFilter{{Filter: "all", Label: "All"}},
	}}
	SetVariable.Handle(server, func(
		context.Context, *Session, *SetVariableArguments,
	) (*SetVariableResponseBody, error) {
		return nil, errors.New("not here")
	})
	client := make(chan *InitializeRequestArguments, 1)
	Threads.Handle(server, func(
		_ context.Context, s *Session, _ Empty,
	) (*ThreadsResponseBody, error) {
		client <- s.Client()
		return &ThreadsResponseBody{}, nil
	})
	c := connect(t, server)
	c.Request("initialize", `{"adapterID":"x","clientID":"me","linesStartAt1":false,"new":[1]}`)
	got := c.hear("1 initialize ok").Body
	want := []byte(`{"supportsConfigurationDoneRequest":true,"supportsSetVariable":true,` +
		`"supportsCancelRequest":false,"supportsLogPoints":true,` +
		`"exceptionBreakpointFilters":[{"filter":"all","label":"All"}]}`)
	if !equalJSON(t, got, want) {
		t.Errorf("capabilities\n got %s\nwant %s", got, want)
	}
	c.hear("event initialized")
	c.Request("threads", "")
	if m := c.hear("2 threads ok"); string(m.Body) != `{"threads":[]}` {
		t.Errorf("an empty list is %s", m.Body)
	}
	args := <-client
	if *args.ClientID != "me" || *args.LinesStartAt1 || args.ColumnsStartAt1 != nil ||
		string(args.Unknown["new"]) != "[1]" {
		t.Errorf("the client said %+v", args)
	}
	c.Request("initialize", adapterID)
	c.hear("3 initialize failed: this session has been initialized already")
}

// TestDisconnect ends a debuggee or not: absent, false and true are three things (ruby/debug#630).
func TestDisconnect(t *testing.T) {
	for _, test := range []struct {
		name, arguments            string
		killLaunched, killAttached bool
	}{
		{"absent", "", true, false},
		{"no member", "{}", true, false},
		{"null", `{"terminateDebuggee":null}`, true, false},
		{"false", `{"terminateDebuggee":false}`, false, false},
		{"true", `{"terminateDebuggee":true}`, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			for launched, want := range map[bool]bool{true: test.killLaunched, false: test.killAttached} {
				killed := make(chan bool, 2)
				c := connect(t, disconnectServer(launched, killed))
				c.start(adapterID)
				c.Request("disconnect", test.arguments)
				c.hear("2 disconnect ok")
				c.end()
				if got := <-killed; got != want || len(killed) > 0 {
					t.Errorf("launched %v: killed %v, %d more calls", launched, got, len(killed))
				}
			}
		})
	}
}

// disconnectServer tells whether a disconnect kills its debuggee.
func disconnectServer(launched bool, killed chan<- bool) *Server {
	server := new(Server)
	Disconnect.Handle(server, func(
		_ context.Context, _ *Session, p *DisconnectArguments,
	) (Empty, error) {
		killed <- Or(p.TerminateDebuggee, launched)
		return Empty{}, nil
	})
	return server
}

// TestClientVanishes treats the end of input as disconnect, even in the middle of a message.
func TestClientVanishes(t *testing.T) {
	for name, last := range map[string]string{
		"between messages": "", "in a message": "Content-Length: 100\r\n\r\n{\"seq\":1,",
	} {
		t.Run(name, func(t *testing.T) {
			killed := make(chan bool, 2)
			server := disconnectServer(true, killed)
			Launch.Handle(server, func(
				ctx context.Context, s *Session, _ *LaunchRequestArguments,
			) (Empty, error) {
				return Empty{}, s.AwaitConfiguration(ctx)
			})
			c := connect(t, server)
			c.start(adapterID)
			c.Request("launch", "{}")
			c.SendRaw(last)
			c.Close()
			<-c.Session.Done()
			if !<-killed || len(killed) > 0 {
				t.Error("the debuggee that was launched must be killed, once")
			}
		})
	}
}

// TestHostEnds ends the session from the adapter's side: debugging is over then, and the client is
// told so once.
func TestHostEnds(t *testing.T) {
	killed := make(chan bool, 2)
	c := connect(t, disconnectServer(true, killed))
	c.start(adapterID)
	c.Session.End()
	c.hear("event terminated")
	c.end()
	if !<-killed || len(killed) > 0 {
		t.Error("the debuggee that was launched must be killed, once")
	}
}

// TestDisconnectWhileBusy disconnects while a handler ignores everything but its context.
func TestDisconnectWhileBusy(t *testing.T) {
	server := new(Server)
	Evaluate.Handle(server, func(
		ctx context.Context, _ *Session, _ *EvaluateArguments,
	) (*EvaluateResponseBody, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	c := connect(t, server)
	c.start(adapterID)
	c.Request("evaluate", `{"expression":"loop()"}`)
	c.Request("evaluate", `{"expression":"more()"}`)
	c.Request("threads", "")
	c.hear("4 threads ok")
	c.Request("disconnect", "")
	c.hearAll("5 disconnect ok", "2 evaluate failed: cancelled", "3 evaluate failed: cancelled")
	c.end()
}

func TestCancel(t *testing.T) {
	server := new(Server)
	Evaluate.Handle(server, func(
		ctx context.Context, _ *Session, _ *EvaluateArguments,
	) (*EvaluateResponseBody, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	c := connect(t, server)
	c.start(adapterID)
	c.Request("evaluate", `{"expression":"slow()"}`)
	c.Request("evaluate", `{"expression":"queued()"}`)
	c.Request("cancel", `{"requestId":3}`)
	c.hear("3 evaluate failed: cancelled", "4 cancel ok")
	c.Request("cancel", `{"requestId":"2"}`)
	c.hearAll("2 evaluate failed: cancelled", "5 cancel ok")
	for _, arguments := range []string{
		"", "{}", `{"requestId":2}`, `{"requestId":77}`, `{"progressId":"none"}`,
	} {
		seq := c.Request("cancel", arguments)
		c.hear(fmt.Sprintf("%d cancel ok", seq))
	}
	c.Request("threads", "")
	c.hear("11 threads ok")
}

func TestStart(t *testing.T) {
	var sessions atomic.Int32
	server := &Server{Start: func(_ context.Context, s *Session) error {
		s.State = sessions.Add(1)
		if s.State == int32(3) {
			return errors.New("two are enough")
		}
		return nil
	}}
	Evaluate.Handle(server, func(
		_ context.Context, s *Session, _ *EvaluateArguments,
	) (*EvaluateResponseBody, error) {
		return &EvaluateResponseBody{Result: fmt.Sprint(s.State)}, nil
	})
	for _, want := range []string{"1", "2"} {
		c := connect(t, server)
		c.start(adapterID)
		c.Request("evaluate", `{"expression":"me"}`)
		if m := c.hear("2 evaluate ok"); !strings.Contains(string(m.Body), `"result":"`+want+`"`) {
			t.Errorf("the state is %s, want %s", m.Body, want)
		}
	}
	c := connect(t, server)
	c.end()
	if err := c.Session.Err(); err == nil || !strings.Contains(err.Error(), "two are enough") {
		t.Errorf("the session ended with %v", err)
	}
}

func TestInitializeWithoutArguments(t *testing.T) {
	c := connect(t, new(Server))
	c.start("")
	c.Request("threads", "")
	c.hear("2 threads ok")
}

func TestRegisterOwnMethods(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a handler of initialize was accepted")
		}
	}()
	Initialize.Handle(new(Server), func(
		context.Context, *Session, *InitializeRequestArguments,
	) (*Capabilities, error) {
		return nil, nil
	})
}
