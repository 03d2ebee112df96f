package dap

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestClaims(t *testing.T) {
	for _, test := range []struct {
		frame string
		want  host.Claim
	}{
		{`{"seq":1,"type":"request","command":"initialize"}`, host.SureClaim},
		{`{"type":"event","seq":"0","event":"x"}`, host.SureClaim},
		{`{"seq":1,"type":"response","request_seq":1,"success":true,"command":"x"}`, host.SureClaim},
		{`{"seq":1,"type":"greeting"}`, host.NoClaim},
		{`{"type":"request","command":"initialize"}`, host.NoClaim},
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"seq":1,"type":"request"}}`,
			host.NoClaim},
		{`[{"seq":1,"type":"request"}]`, host.NoClaim},
		{`{"seq":1,"type":"request"`, host.NoClaim},
		{``, host.NoClaim},
	} {
		if got := Dialect.Claims(&host.Message{Raw: json.RawMessage(test.frame)}); got != test.want {
			t.Errorf("%s: claim %d, want %d", test.frame, got, test.want)
		}
	}
}

// TestDetection has a debugger's client choose between mounts, and a JSON-RPC client as well.
func TestDetection(t *testing.T) {
	plain := &plainSet{}
	h := &host.Host{Mounts: []host.MethodSet{plain, &Server{Title: "debugger"}}}
	c := newClient(t, h)
	c.start(adapterID)
	p := hosttest.Start(t, h, framing.ContentLength)
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
	p.Expect(`{"jsonrpc":"2.0","id":1,"result":"plain"}`)
}

type plainSet struct{}

func (*plainSet) Name() string           { return "plain" }
func (*plainSet) Dialect() *host.Dialect { return host.Plain }

func (*plainSet) Open(context.Context, *host.Session) (host.Handler, error) {
	return host.HandlerFunc(func(context.Context, *jsonrpc2.Request) (any, error) {
		return "plain", nil
	}), nil
}

// clientSet is a debug client: its sessions call adapters.
type clientSet struct {
	Server
	opened chan *Session
}

func (c *clientSet) Open(ctx context.Context, core *host.Session) (host.Handler, error) {
	c.opened <- NewSession(core)
	return c.Server.Open(ctx, core)
}

// TestClientSide connects two hosts: the same descriptors serve both ends, and the rules of the
// adapter's end do not get in the client's way.
func TestClientSide(t *testing.T) {
	adapter := new(Server)
	Evaluate.Handle(adapter, func(
		ctx context.Context, s *Session, p *EvaluateArguments,
	) (*EvaluateResponseBody, error) {
		switch p.Expression {
		case "slow()":
			s.Output(ctx, OutputConsole, "slow\n")
			<-ctx.Done()
			return nil, ctx.Err()
		case "terminal()":
			body, err := s.RunInTerminal(ctx, &RunInTerminalRequestArguments{
				CWD: "/", Args: []string{"x"},
			})
			if err != nil {
				return nil, err
			}
			return &EvaluateResponseBody{Result: itoa(*body.ProcessID)}, nil
		}
		return nil, &Error{ID: 12, Format: "no {what}", Variables: map[string]string{"what": "such"}}
	})
	set := &clientSet{opened: make(chan *Session, 1)}
	events := make(chan string, 10)
	Output.Handle(&set.Server, func(_ context.Context, _ *Session, b *OutputEventBody) error {
		events <- b.Output
		return nil
	})
	RunInTerminal.Handle(&set.Server, func(
		context.Context, *Session, *RunInTerminalRequestArguments,
	) (*RunInTerminalResponseBody, error) {
		return &RunInTerminalResponseBody{ProcessID: new(77)}, nil
	})
	hosttest.Pair(t,
		&host.Host{Mounts: []host.MethodSet{adapter}, Framing: framing.ContentLength},
		&host.Host{Mounts: []host.MethodSet{set}, Framing: framing.ContentLength})
	s, ctx := <-set.opened, t.Context()

	c, err := Initialize.Call(ctx, s, &InitializeRequestArguments{
		AdapterID: "x", SupportsRunInTerminalRequest: new(true),
	})
	if err != nil || !*c.SupportsCancelRequest {
		t.Fatalf("got %+v, %v", c, err)
	}
	res, err := Evaluate.Call(ctx, s, &EvaluateArguments{Expression: "terminal()"})
	if err != nil || res.Result != "77" {
		t.Errorf("got %+v, %v", res, err)
	}
	_, err = Evaluate.Call(ctx, s, &EvaluateArguments{Expression: "x"})
	if e, ok := AsError(err); !ok || e.ID != 12 || e.Error() != "no such" {
		t.Errorf("got %v", err)
	}
	slow, cancel := context.WithCancelCause(ctx)
	go func() {
		<-events
		cancel(errors.New("enough"))
	}()
	_, err = Evaluate.Call(slow, s, &EvaluateArguments{Expression: "slow()"})
	if err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("got %v", err)
	}
	// The adapter's handler has been cancelled, or nothing behind it would be answered.
	if _, err = Disconnect.Call(ctx, s, nil); err != nil {
		t.Errorf("got %v", err)
	}
	<-s.Core().Done()
}
