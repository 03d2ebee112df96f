package dap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"triplex/host"
)

// TestNothingBeforeInitializeResponse has a plug-in that talks as soon as it can. Visual Studio
// gives up on an adapter whose first message is not the response to initialize
// (microsoft/vscode-js-debug#51); debugpy sends two events before it.
func TestNothingBeforeInitializeResponse(t *testing.T) {
	for range 100 {
		set := &eagerSet{}
		c := connect(t, set)
		c.Send(c.Text("initialize", adapterID), c.Text("threads", ""))
		c.hear("1 initialize ok")
		c.hearAll("event output", "event initialized", "2 threads ok", "request runInTerminal")
	}
}

// eagerSet is a method set whose sessions send an event, the `initialized` event twice, and a
// reverse request before they are asked anything.
type eagerSet struct{ Server }

func (e *eagerSet) Open(ctx context.Context, core *host.Session) (host.Handler, error) {
	s := NewSession(core)
	err := errors.Join(
		s.Output(ctx, OutputConsole, "hello"),
		Initialized.Send(ctx, s, Empty{}),
	)
	core.Go(func(ctx context.Context) {
		RunInTerminal.Call(ctx, s, &RunInTerminalRequestArguments{CWD: "/", Args: []string{"x"}})
	})
	if err != nil {
		return nil, err
	}
	return e.Server.Open(ctx, core)
}

func TestBeforeInitialize(t *testing.T) {
	t.Run("requests are refused", func(t *testing.T) {
		c := connect(t, &Server{})
		c.Request("threads", "")
		c.hear("1 threads failed: threads came before initialize")
		c.Request("x", "")
		c.hear("2 x failed: x came before initialize")
		c.start(adapterID)
	})
	t.Run("a failed initialize can be repeated", func(t *testing.T) {
		c := connect(t, &Server{})
		c.Request("initialize", `{"adapterID":{}}`)
		if m := c.Next(); *m.Success || !strings.Contains(m.Message, "adapterID") {
			t.Errorf("got %v", m)
		}
		c.start(adapterID)
	})
	t.Run("disconnect works", func(t *testing.T) {
		c := connect(t, &Server{})
		c.Request("disconnect", "")
		c.hear("1 disconnect ok")
		c.end()
	})
	t.Run("disconnect right behind initialize", func(t *testing.T) {
		for range 50 {
			c := connect(t, &Server{})
			c.Send(c.Text("initialize", adapterID), c.Text("disconnect", "{}"))
			c.hear("1 initialize ok")
			m := c.Next()
			if m.Event == Initialized.Method {
				m = c.Next()
			}
			if m.Numbered() != "2 disconnect ok" {
				t.Fatalf("got %v", m)
			}
			c.end()
		}
	})
}

// TestStartOrders brings launch, breakpoints and configurationDone in every order, waiting for
// each answer or for none. The debuggee starts when launch and configurationDone are in. Adapters
// that wait in one of them deadlock with clients that wait for the other
// (llvm/llvm-project#140154, nunuhara/xsystem4#290).
func TestStartOrders(t *testing.T) {
	requests := map[string]string{
		"launch": `{"program":"/p"}`, "configurationDone": "",
		"setBreakpoints": `{"source":{"path":"/p"},"breakpoints":[{"line":7}]}`,
	}
	for _, order := range [][]string{
		{"launch", "setBreakpoints", "configurationDone"},
		{"launch", "configurationDone", "setBreakpoints"},
		{"setBreakpoints", "launch", "configurationDone"},
		{"setBreakpoints", "configurationDone", "launch"},
		{"configurationDone", "launch", "setBreakpoints"},
		{"configurationDone", "setBreakpoints", "launch"},
	} {
		t.Run(strings.Join(order, ","), func(t *testing.T) {
			c := connect(t, startServer())
			c.start(adapterID)
			var frames []string
			for _, command := range order {
				frames = append(frames, c.Text(command, requests[command]))
			}
			c.Send(frames...)
			got := map[string]bool{}
			for range 4 {
				m := c.Next()
				if m.Event == Stopped.Method && !got["configurationDone"] {
					t.Errorf("stopped before the response of what started the debuggee: %v", got)
				}
				got[m.Command+m.Event] = true
			}
			for _, want := range append(order, "stopped") {
				if !got[want] {
					t.Errorf("%s is missing: %v", want, got)
				}
			}
		})
	}
}

// startServer is an adapter whose debuggee stops as it starts.
func startServer() *Server {
	server := new(Server)
	Launch.Handle(server, func(
		ctx context.Context, s *Session, p *LaunchRequestArguments,
	) (Empty, error) {
		if p.Unknown["program"] == nil {
			return Empty{}, Errorf(1, "no such program")
		}
		if err := s.AwaitConfiguration(ctx); err != nil {
			return Empty{}, err
		}
		return Empty{}, Stopped.Send(ctx, s, &StoppedEventBody{Reason: StoppedReasonEntry})
	})
	SetBreakpoints.Handle(server, func(
		_ context.Context, _ *Session, p *SetBreakpointsArguments,
	) (*SetBreakpointsResponseBody, error) {
		body := new(SetBreakpointsResponseBody)
		for _, b := range p.Breakpoints {
			body.Breakpoints = append(body.Breakpoints, Breakpoint{Verified: true, Line: &b.Line})
		}
		return body, nil
	})
	return server
}

// TestLaunchPending waits for the answer of each request of the configuration while launch is
// pending, as the protocol's own diagram has it.
func TestLaunchPending(t *testing.T) {
	c := connect(t, startServer())
	c.start(adapterID)
	c.Request("launch", `{"program":"/p"}`)
	c.Request("setBreakpoints", `{"source":{},"breakpoints":[]}`)
	c.hear("3 setBreakpoints ok")
	c.Request("configurationDone", "[]")
	c.hear("4 configurationDone ok")
	c.hearAll("event stopped", "2 launch ok")
}

// TestStoppedAfterResponse steps with a handler that reports the stop before it returns, as dlv
// and lldb-dap do with continued (microsoft/vscode#8646).
func TestStoppedAfterResponse(t *testing.T) {
	server := new(Server)
	Next.Handle(server, func(ctx context.Context, s *Session, p *NextArguments) (Empty, error) {
		return Empty{}, errors.Join(
			Continued.Send(ctx, s, &ContinuedEventBody{ThreadID: p.ThreadID}),
			s.Output(ctx, OutputStdout, "out\n"),
			Stopped.Send(ctx, s, &StoppedEventBody{
				Reason: StoppedReasonStep, ThreadID: &p.ThreadID, HitBreakpointIDs: []int{3},
			}),
		)
	})
	c := connect(t, server)
	c.start(adapterID)
	for i := range 20 {
		c.Request("next", `{"threadId":1}`)
		c.hear("event output", fmt.Sprintf("%d next ok", i+2), "event continued")
		if m := c.hear("event stopped"); !strings.Contains(string(m.Body), `"hitBreakpointIds":[3]`) {
			t.Errorf("stopped says %s", m.Body)
		}
	}
	c.Send(c.Text("next", `{"threadId":1}`), c.Text("next", `{"threadId":1}`))
	c.hear("event output", "22 next ok", "event continued", "event stopped",
		"event output", "23 next ok", "event continued", "event stopped")
}

func TestTerminatedOnce(t *testing.T) {
	server := new(Server)
	terminate := func(ctx context.Context, s *Session) error {
		return errors.Join(
			s.Output(ctx, OutputStdout, "bye"),
			Exited.Send(ctx, s, &ExitedEventBody{ExitCode: 0}),
			Terminated.Send(ctx, s, nil),
		)
	}
	Terminate.Handle(server, func(
		ctx context.Context, s *Session, _ *TerminateArguments,
	) (Empty, error) {
		return Empty{}, terminate(ctx, s)
	})
	// dlv sends terminated twice, the second time after the response to disconnect.
	Disconnect.Handle(server, func(
		ctx context.Context, s *Session, _ *DisconnectArguments,
	) (Empty, error) {
		host.AfterReply(ctx, func() { terminate(s.Core().Context(), s) })
		return Empty{}, terminate(ctx, s)
	})
	c := connect(t, server)
	c.start(adapterID)
	c.Request("terminate", "")
	c.hear("event output", "event exited", "event terminated", "2 terminate ok")
	c.Request("disconnect", "")
	c.hear("event output", "event exited", "3 disconnect ok")
	c.end()
}

// TestSeqUnderLoad sends from many goroutines at once. dlv gave out its numbers before it queued
// the messages: 23 went out before 22, and 18 never. The client checks every number.
func TestSeqUnderLoad(t *testing.T) {
	const senders, events = 8, 50
	server := new(Server)
	var work sync.WaitGroup
	Pause.Handle(server, func(ctx context.Context, s *Session, _ *PauseArguments) (Empty, error) {
		for range senders {
			work.Go(func() {
				for range events {
					s.Output(s.Core().Context(), OutputStdout, "x\n")
				}
			})
		}
		return Empty{}, nil
	})
	c := connect(t, server)
	c.start(adapterID)
	c.Request("pause", `{"threadId":1}`)
	for range 100 {
		c.Request("threads", "")
	}
	for range senders*events + 101 {
		c.Next()
	}
	work.Wait()
}
