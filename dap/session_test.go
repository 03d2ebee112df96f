package dap

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// terminalAnswer is what came of a reverse request.
type terminalAnswer struct {
	body *RunInTerminalResponseBody
	err  error
}

// terminalServer launches its debuggee in the client's terminal, in no directory if noDebug is
// there, and then has the client start another session.
func terminalServer(answers chan<- terminalAnswer) *Server {
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
		answers <- terminalAnswer{body, err}
		if err != nil {
			return Empty{}, err
		}
		return Empty{}, s.StartDebugging(ctx, &StartDebuggingRequestArguments{
			Request: StartRequestAttach, Configuration: map[string]json.RawMessage{"pid": []byte("1")},
		})
	})
	return server
}

func TestReverseRequests(t *testing.T) {
	answers := make(chan terminalAnswer, 1)
	server := terminalServer(answers)
	const supported = `{"adapterID":"x","supportsRunInTerminalRequest":true}`
	t.Run("answered", func(t *testing.T) {
		c := connect(t, server)
		c.start(`{"supportsRunInTerminalRequest":true,"supportsStartDebuggingRequest":true}`)
		c.Request("launch", "{}")
		m := c.hear("request runInTerminal")
		if want := `{"cwd":"/work","args":["prog"],"env":{"GONE":null}}`; string(m.Arguments) != want {
			t.Errorf("asked for %s, want %s", m.Arguments, want)
		}
		if m.RequestSeq != nil || m.Success != nil { // nvim-dap takes that for a response
			t.Errorf("a request with members of a response: %+v", m)
		}
		const response = `{"seq":%d,"type":"response","request_seq":%d,"success":true,"command":%q%s}`
		c.Sendf(response, 3, m.Seq, m.Command, `,"body":{"shellProcessId":7}`)
		if a := <-answers; a.err != nil || *a.body.ShellProcessID != 7 {
			t.Errorf("got %+v", a)
		}
		m = c.hear("request startDebugging")
		if want := `{"configuration":{"pid":1},"request":"attach"}`; string(m.Arguments) != want {
			t.Errorf("asked for %s, want %s", m.Arguments, want)
		}
		c.Sendf(response, 4, m.Seq, m.Command, "")
		c.hear("2 launch ok")
	})
	t.Run("another session is not supported", func(t *testing.T) {
		c := connect(t, server)
		c.start(supported)
		c.Request("launch", "{}")
		m := c.hear("request runInTerminal")
		c.Sendf(`{"type":"response","request_seq":%d,"success":true}`, m.Seq)
		c.hear("2 launch failed: startDebugging: the client does not support this")
		<-answers
	})
	t.Run("refused", func(t *testing.T) {
		c := connect(t, server)
		c.start(supported)
		c.Request("launch", "{}")
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
		c.Request("launch", "{}")
		c.hear("2 launch failed: runInTerminal: the client does not support this")
		if a := <-answers; !errors.Is(a.err, ErrUnsupported) {
			t.Errorf("got %v", a.err)
		}
	})
	t.Run("without directory", func(t *testing.T) { // lldb-dap leaves it out
		c := connect(t, server)
		c.start(supported)
		c.Request("launch", `{"noDebug":false}`)
		c.hear("2 launch failed: runInTerminal: needs a working directory (cwd) and a command (args)")
		<-answers
	})
	t.Run("never answered", func(t *testing.T) { // nvim-dap only logs what it does not know
		synctest.Test(t, func(t *testing.T) {
			c := connect(t, server)
			c.start(supported)
			began := time.Now()
			c.Request("launch", "{}")
			c.hear("request runInTerminal")
			time.Sleep(reverseTimeout)
			c.hear("2 launch failed: runInTerminal: the client did not answer within 30s")
			if a := <-answers; a.err == nil || time.Since(began) != reverseTimeout {
				t.Errorf("got %v after %s", a.err, time.Since(began))
			}
		})
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
	c.Request("restart", "")
	c.hear("2 restart ok")
	c = connect(t, server)
	c.start(`{"adapterID":"x","supportsInvalidatedEvent":true,"supportsMemoryEvent":true}`)
	c.Request("restart", "")
	c.hear("event invalidated", "event memory", "2 restart ok")
}
