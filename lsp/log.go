package lsp

import (
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"

	"triplex/host"
	"triplex/host/wirelog"
)

// logging is how a recorded session is examined: progress must end with its end (LSP 3.18, Work
// Done Progress). The rest follows from the dialect.
var logging = wirelog.Protocol{
	Rules: func() []wirelog.Rule { return []wirelog.Rule{&progressRule{ended: map[string]bool{}}} },
}

// progressRule reports progress on a token that has been ended and not been given out again.
type progressRule struct{ ended map[string]bool }

// Event implements [wirelog.Rule].
func (r *progressRule) Event(ev wirelog.Event) error {
	params, _ := host.Member(ev.Msg, "params")
	switch {
	case ev.Kind == wirelog.Answer:
	case ev.Method == protocol.MethodWindowWorkDoneProgressCreate:
		delete(r.ended, token(params, "token"))
	case ev.Method == protocol.MethodProgress:
		return r.progress(params)
	case ev.Kind == wirelog.Request:
		delete(r.ended, token(params, "workDoneToken"))
		delete(r.ended, token(params, "partialResultToken"))
	}
	return nil
}

func (r *progressRule) progress(params json.RawMessage) error {
	name := token(params, "token")
	if r.ended[name] {
		return fmt.Errorf("progress on token %s, which has ended", name)
	}
	if kind, _ := host.Member(params, "value", "kind"); string(kind) == `"end"` {
		r.ended[name] = true
	}
	return nil
}

// token returns the token that is the named member of params, as it is written.
func token(params json.RawMessage, name string) string {
	raw, _ := host.Member(params, name)
	return string(raw)
}

// End implements [wirelog.Rule].
func (*progressRule) End() error { return nil }
