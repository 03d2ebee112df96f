package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
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
	c.request("initialize", `{"adapterID":"x","clientID":"me","linesStartAt1":false,"new":[1]}`)
	got := c.hear("1 initialize ok").Body
	want := []byte(`{"supportsConfigurationDoneRequest":true,"supportsSetVariable":true,` +
		`"supportsCancelRequest":false,"supportsLogPoints":true,` +
		`"exceptionBreakpointFilters":[{"filter":"all","label":"All"}]}`)
	if !equalJSON(t, got, want) {
		t.Errorf("capabilities\n got %s\nwant %s", got, want)
	}
	c.hear("event initialized")
	c.request("threads", "")
	if m := c.hear("2 threads ok"); string(m.Body) != `{"threads":[]}` {
		t.Errorf("an empty list is %s", m.Body)
	}
	args := <-client
	if *args.ClientID != "me" || *args.LinesStartAt1 || args.ColumnsStartAt1 != nil ||
		string(args.Unknown["new"]) != "[1]" {
		t.Errorf("the client said %+v", args)
	}
	c.request("initialize", adapterID)
	c.hear("3 initialize failed: this session has been initialized already")
}

// TestNothingBeforeInitializeResponse has a plug-in that talks as soon as it can. Visual Studio
// gives up on an adapter whose first message is not the response to initialize
// (microsoft/vscode-js-debug#51); debugpy sends two events before it.
func TestNothingBeforeInitializeResponse(t *testing.T) {
	for range 100 {
		set := &eagerSet{}
		c := connect(t, set)
		c.Send(c.text("initialize", adapterID), c.text("threads", ""))
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
		c.request("threads", "")
		c.hear("1 threads failed: threads came before initialize")
		c.request("x", "")
		c.hear("2 x failed: x came before initialize")
		c.start(adapterID)
	})
	t.Run("a failed initialize can be repeated", func(t *testing.T) {
		c := connect(t, &Server{})
		c.request("initialize", `{"adapterID":{}}`)
		if m := c.next(); *m.Success || !strings.Contains(m.Message, "adapterID") {
			t.Errorf("got %v", m)
		}
		c.start(adapterID)
	})
	t.Run("disconnect works", func(t *testing.T) {
		c := connect(t, &Server{})
		c.request("disconnect", "")
		c.hear("1 disconnect ok")
		c.end()
	})
	t.Run("disconnect right behind initialize", func(t *testing.T) {
		for range 50 {
			c := connect(t, &Server{})
			c.Send(c.text("initialize", adapterID), c.text("disconnect", "{}"))
			c.hear("1 initialize ok")
			m := c.next()
			if m.Event == Initialized.Method {
				m = c.next()
			}
			if m.String() != "2 disconnect ok" {
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
				frames = append(frames, c.text(command, requests[command]))
			}
			c.Send(frames...)
			got := map[string]bool{}
			for range 4 {
				m := c.next()
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
	c.request("launch", `{"program":"/p"}`)
	c.request("setBreakpoints", `{"source":{},"breakpoints":[]}`)
	c.hear("3 setBreakpoints ok")
	c.request("configurationDone", "[]")
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
		c.request("next", `{"threadId":1}`)
		c.hear("event output", fmt.Sprintf("%d next ok", i+2), "event continued")
		if m := c.hear("event stopped"); !strings.Contains(string(m.Body), `"hitBreakpointIds":[3]`) {
			t.Errorf("stopped says %s", m.Body)
		}
	}
	c.Send(c.text("next", `{"threadId":1}`), c.text("next", `{"threadId":1}`))
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
	c.request("terminate", "")
	c.hear("event output", "event exited", "event terminated", "2 terminate ok")
	c.request("disconnect", "")
	c.hear("event output", "event exited", "3 disconnect ok")
	c.end()
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
				c.request("disconnect", test.arguments)
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
			c.request("launch", "{}")
			c.SendRaw(last)
			c.Close()
			<-c.Session.Done()
			if !<-killed || len(killed) > 0 {
				t.Error("the debuggee that was launched must be killed, once")
			}
		})
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
	c.request("evaluate", `{"expression":"loop()"}`)
	c.request("evaluate", `{"expression":"more()"}`)
	c.request("threads", "")
	c.hear("4 threads ok")
	c.request("disconnect", "")
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
	c.request("evaluate", `{"expression":"slow()"}`)
	c.request("evaluate", `{"expression":"queued()"}`)
	c.request("cancel", `{"requestId":3}`)
	c.hear("3 evaluate failed: cancelled", "4 cancel ok")
	c.request("cancel", `{"requestId":"2"}`)
	c.hearAll("2 evaluate failed: cancelled", "5 cancel ok")
	for _, arguments := range []string{
		"", "{}", `{"requestId":2}`, `{"requestId":77}`, `{"progressId":"none"}`,
	} {
		seq := c.request("cancel", arguments)
		c.hear(fmt.Sprintf("%d cancel ok", seq))
	}
	c.request("threads", "")
	c.hear("11 threads ok")
}

func TestErrors(t *testing.T) {
	stable := &Error{
		ID: 1004, Format: "cannot open {path} for {_why}{", ShowUser: new(true), URLLabel: new("more"),
		Variables: map[string]string{"path": "/p", "_why": "reading"},
	}
	for _, test := range []struct {
		name          string
		err           error
		message, body string
	}{
		{
			"with variables", fmt.Errorf("launch: %w", stable), "cannot open /p for reading{",
			`{"error":{"id":1004,"format":"cannot open {path} for {_why}{","showUser":true,` +
				`"urlLabel":"more","variables":{"_why":"reading","path":"/p"}}}`,
		},
		{
			"formatted", Errorf(7, "line %d", 3), "line 3",
			`{"error":{"id":7,"format":"line 3","showUser":false}}`,
		},
		{
			"not stopped", ErrNotStopped, "notStopped",
			`{"error":{"id":-32002,"format":"the debuggee is not stopped","showUser":false}}`,
		},
		{
			"any", errors.New("disk full"), "disk full",
			`{"error":{"id":-32603,"format":"disk full","showUser":false}}`,
		},
		{
			"of JSON-RPC", &jsonrpc2.Error{Code: -32602, Message: "bad"}, "bad",
			`{"error":{"id":-32602,"format":"bad","showUser":false}}`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := new(Server)
			Attach.Handle(server, func(
				context.Context, *Session, *AttachRequestArguments,
			) (Empty, error) {
				return Empty{}, test.err
			})
			c := connect(t, server)
			c.start(adapterID)
			// An attach that fails, and the next try (microsoft/ptvsd#1904).
			for seq := 2; seq < 4; seq++ {
				c.request("attach", "{}")
				m := c.hear(fmt.Sprintf("%d attach failed: %s", seq, test.message))
				if !equalJSON(t, m.Body, []byte(test.body)) {
					t.Errorf("body\n got %s\nwant %s", m.Body, test.body)
				}
			}
		})
	}
}

func TestRefusedRequests(t *testing.T) {
	server := new(Server)
	Scopes.Handle(server, func(
		context.Context, *Session, *ScopesArguments,
	) (*ScopesResponseBody, error) {
		panic("oops")
	})
	c := connect(t, server)
	c.start(adapterID)
	c.request("mock/custom", `{"a":1}`)
	c.hear("2 mock/custom failed: unsupported command mock/custom")
	c.request("scopes", `{"frameId":"one"}`)
	if m := c.next(); *m.Success || !strings.Contains(m.Message, "frameId") {
		t.Errorf("got %v", m)
	}
	c.request("scopes", `{"frameId":1}`)
	c.hear("4 scopes failed: internal error: the handler of scopes panicked")
	c.request("threads", "")
	c.hear("5 threads ok")
	c.request("configurationDone", "")
	c.hear("6 configurationDone ok")
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
	c.request("pause", `{"threadId":1}`)
	for range 100 {
		c.request("threads", "")
	}
	for range senders*events + 101 {
		c.next()
	}
	work.Wait()
}

func TestReverseRequests(t *testing.T) {
	type answer struct {
		body *RunInTerminalResponseBody
		err  error
	}
	answers := make(chan answer, 1)
	server := new(Server)
	Launch.Handle(server, func(
		ctx context.Context, s *Session, p *LaunchRequestArguments,
	) (Empty, error) {
		args := &RunInTerminalRequestArguments{
			CWD: "/work", Args: []string{"prog"}, Env: map[string]*string{"GONE": nil},
		}
		if p.NoDebug != nil {
			args.CWD = ""
		}
		body, err := s.RunInTerminal(ctx, args)
		answers <- answer{body, err}
		if err != nil {
			return Empty{}, err
		}
		return Empty{}, s.StartDebugging(ctx, &StartDebuggingRequestArguments{
			Request: StartRequestAttach, Configuration: map[string]json.RawMessage{"pid": []byte("1")},
		})
	})
	const supported = `{"adapterID":"x","supportsRunInTerminalRequest":true}`
	t.Run("answered", func(t *testing.T) {
		c := connect(t, server)
		c.start(supported)
		c.request("launch", "{}")
		m := c.hear("request runInTerminal")
		if want := `{"cwd":"/work","args":["prog"],"env":{"GONE":null}}`; string(m.Arguments) != want {
			t.Errorf("asked for %s, want %s", m.Arguments, want)
		}
		if m.RequestSeq != nil || m.Success != nil { // nvim-dap takes that for a response
			t.Errorf("a request with members of a response: %+v", m)
		}
		c.seq++
		c.Sendf(`{"seq":%d,"type":"response","request_seq":%d,"success":true,`+
			`"command":"runInTerminal","body":{"shellProcessId":7}}`, c.seq, m.Seq)
		if a := <-answers; a.err != nil || *a.body.ShellProcessID != 7 {
			t.Errorf("got %+v", a)
		}
		c.hear("2 launch failed: startDebugging: the client does not support this")
	})
	t.Run("refused", func(t *testing.T) {
		c := connect(t, server)
		c.start(supported)
		c.request("launch", "{}")
		m := c.hear("request runInTerminal")
		c.Sendf(`{"seq":9,"type":"response","request_seq":%d,"success":false,`+
			`"command":"runInTerminal","message":"no","body":{"error":{"id":5,"format":"no terminal"}}}`,
			m.Seq)
		a := <-answers
		if e, ok := AsError(a.err); !ok || e.ID != 5 || e.Error() != "no terminal" {
			t.Errorf("got %v", a.err)
		}
		if m = c.hear("2 launch failed: no"); !strings.Contains(string(m.Body), `"no terminal"`) {
			t.Errorf("the client's error became %s", m.Body)
		}
	})
	t.Run("not supported", func(t *testing.T) {
		c := connect(t, server)
		c.start(adapterID)
		c.request("launch", "{}")
		c.hear("2 launch failed: runInTerminal: the client does not support this")
		if a := <-answers; !errors.Is(a.err, ErrUnsupported) {
			t.Errorf("got %v", a.err)
		}
	})
	t.Run("without directory", func(t *testing.T) { // lldb-dap leaves it out
		c := connect(t, server)
		c.start(supported)
		c.request("launch", `{"noDebug":false}`)
		c.hear("2 launch failed: runInTerminal: needs a working directory (cwd) and a command (args)")
		<-answers
	})
	t.Run("never answered", func(t *testing.T) { // nvim-dap only logs what it does not know
		synctest.Test(t, func(t *testing.T) {
			c := connect(t, server)
			c.start(supported)
			began := time.Now()
			c.request("launch", "{}")
			c.hear("request runInTerminal")
			time.Sleep(reverseTimeout)
			c.hear("2 launch failed: runInTerminal: the client did not answer within 30s")
			if a := <-answers; a.err == nil || time.Since(began) != reverseTimeout {
				t.Errorf("got %v after %s", a.err, time.Since(began))
			}
		})
	})
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

func TestInvalidateAndMemory(t *testing.T) {
	server := new(Server)
	Restart.Handle(server, func(ctx context.Context, s *Session, _ *RestartArguments) (Empty, error) {
		return Empty{}, errors.Join(
			s.Invalidate(ctx, &InvalidatedEventBody{Areas: []InvalidatedAreas{InvalidatedAreasStacks}}),
			s.MemoryChanged(ctx, &MemoryEventBody{MemoryReference: "m", Offset: -1, Count: 1 << 40}),
		)
	})
	c := connect(t, server)
	c.start(adapterID)
	c.request("restart", "")
	c.hear("2 restart ok")
	c = connect(t, server)
	c.start(`{"adapterID":"x","supportsInvalidatedEvent":true,"supportsMemoryEvent":true}`)
	c.request("restart", "")
	c.hear("event invalidated", "event memory", "2 restart ok")
}
