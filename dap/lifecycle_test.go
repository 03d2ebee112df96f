package dap

import (
	"encoding/json"
	"strings"
	"testing"

	"triplex/host"
)

// TestLifecycle tells the life cycle of messages in and out, each with what is to become of it.
func TestLifecycle(t *testing.T) {
	for _, test := range []struct {
		name, script string
	}{
		{"first things first", `
			out event output        hold
			out request runInTerminal hold
			in 1 initialize         pass
			in 2 threads            pass
			out 2 threads           hold
			out complaint           hold
			out 1 initialize        pass release
			out event output        pass
			in 3 initialize         answer`},
		{"refusals before initialize are not held", `
			in 1 threads            answer
			out 1 threads           pass
			out complaint           pass`},
		// A client that sends everything as seq 0 takes the one response for both.
		{"initialize twice at once", `
			in 0 initialize         pass
			in 0 initialize         drop
			out 0 initialize        pass release`},
		{"initialize again after a failure", `
			in 1 initialize         pass
			out event output        hold
			out 1 initialize fails  pass release
			out event output        hold
			in 2 initialize         pass
			out 2 initialize        pass release`},
		// The order of messages would be wrong if the session ended with the first answer.
		{"disconnect overtakes initialize", `
			in 1 initialize         pass
			in 2 disconnect         pass
			out 2 disconnect        hold
			out event output        drop
			out 1 initialize        pass release end`},
		{"disconnect overtakes an initialize that fails", `
			in 1 initialize         pass
			in 2 disconnect         pass
			out 2 disconnect        hold
			out 1 initialize fails  pass release end`},
		{"nothing but answers after disconnect", `
			in 1 initialize         pass
			out 1 initialize        pass release
			in 2 evaluate           pass
			in 3 disconnect         pass
			out 3 disconnect        pass end
			out event terminated    drop
			out request runInTerminal drop
			out 2 evaluate fails    pass`},
		{"a stop waits for the response of its step, and for no other", `
			in 1 initialize         pass
			out 1 initialize        pass release
			in 2 next               pass
			in 3 continue           pass
			in 4 launch             pass
			out event stopped       hold
			out event output        pass
			out 2 next              pass release
			out event continued     hold
			out 4 launch            pass
			out 3 continue fails    pass release
			out event stopped       pass`},
		{"once only", `
			in 1 initialize         pass
			out 1 initialize        pass release
			out event initialized   pass
			out event initialized   drop
			out event terminated    pass
			out event terminated    drop`},
		{"the client's end", `
			out request initialize  pass
			in event output         pass
			in 1 runInTerminal      pass
			out 1 runInTerminal     pass
			out request disconnect  pass`},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLifecycle()
			for line := range strings.Lines(strings.TrimSpace(test.script)) {
				play(t, l, strings.Fields(line))
			}
			if l.AcceptsBatch() || l.ExitStatus() != 0 {
				t.Error("there are no batches, and no exit status")
			}
		})
	}
}

// play has l judge one message: "in" or "out", what it is, and what is to become of it.
func play(t *testing.T, l host.Lifecycle, line []string) {
	t.Helper()
	incoming, rest := line[0] == "in", line[1:]
	m := &host.Message{Kind: host.KindResponse}
	switch rest[0] {
	case "complaint":
		rest = rest[1:]
	case "event":
		m.Kind, m.Method, rest = host.KindNotification, rest[1], rest[2:]
	case "request":
		m.Kind, m.Method, rest = host.KindRequest, rest[1], rest[2:]
		m.ID = json.RawMessage("1")
	default:
		m.ID, m.Method, rest = json.RawMessage(rest[0]), rest[1], rest[2:]
		if incoming {
			m.Kind = host.KindRequest
		}
	}
	if rest[0] == "fails" {
		m.Error, rest = json.RawMessage(`{}`), rest[1:]
	}
	judge := l.Outgoing
	if incoming {
		judge = l.Incoming
	}
	if got, want := describe(judge(m)), strings.Join(rest, " "); got != want {
		t.Errorf("%s: got %s", strings.Join(line, " "), got)
	}
}

func describe(v host.Verdict) string {
	text := map[host.Action]string{
		host.Pass: "pass", host.Drop: "drop", host.Answer: "answer", host.Hold: "hold",
	}[v.Action]
	if v.Release {
		text += " release"
	}
	if v.End {
		text += " end"
	}
	return text
}
