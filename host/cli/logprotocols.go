package cli

import (
	"encoding/json"
	"fmt"

	"triplex/host"
	"triplex/host/wirelog"
)

// logProtocols returns how logs of the program's dialects are examined.
func (a *app) logProtocols() wirelog.Protocols {
	protocols := wirelog.Protocols{}
	for _, d := range a.dialects() {
		protocols[d.Name] = logProtocol(d)
	}
	return protocols
}

// logProtocol completes what d says of its logs by what it says of its sessions.
func logProtocol(d *host.Dialect) wirelog.Protocol {
	p := d.Log
	p.SilentCancel = d.SilentCancel
	if p.Classify == nil && d.CancelTarget != nil {
		p.Classify = func(msg json.RawMessage) wirelog.Message {
			m := wirelog.JSONRPC(msg)
			params, _ := host.Member(msg, "params")
			m.Cancels = string(d.CancelTarget(&host.Message{
				Kind: host.KindNotification, Method: m.Method, Params: params,
			}))
			return m
		}
	}
	p.Rules = func() []wirelog.Rule {
		var rules []wirelog.Rule
		if d.Log.Rules != nil {
			rules = d.Log.Rules()
		}
		if d.NewLifecycle != nil {
			rules = append(rules, &lifecycleRule{
				judge: d.NewLifecycle(), client: envelopeOf(d), server: envelopeOf(d),
			})
		}
		return rules
	}
	return p
}

// lifecycleRule holds a conversation against the life cycle that a server's session would enforce.
type lifecycleRule struct {
	judge          host.Lifecycle
	client, server host.Envelope // of what either sends
	begun          bool          // the judge has seen a message
	midway         bool          // the log has the conversation from its middle on
}

// Event implements [wirelog.Rule]. Where the log misses messages, a conversation is judged only if
// it begins there as it should: of another one the beginning is missing.
func (r *lifecycleRule) Event(ev wirelog.Event) error {
	unsure := ev.Partial && !r.begun
	if r.midway || unsure && (ev.Dir == wirelog.Out || ev.Kind == wirelog.Answer) {
		return nil
	}
	err := r.verdict(ev)
	r.begun, r.midway = true, unsure && err != nil
	if r.midway {
		return nil
	}
	return err
}

// verdict says what the life cycle has against a message.
func (r *lifecycleRule) verdict(ev wirelog.Event) error {
	var m host.Message
	if ev.Dir == wirelog.In {
		if r.client.Decode(ev.Msg, &m) != nil || m.Kind == host.KindResponse {
			return nil
		}
		return misplaced(&m, r.judge.Incoming(&m))
	}
	if r.server.Decode(ev.Msg, &m) != nil {
		return nil
	}
	if m.Kind == host.KindResponse {
		m.ID, m.Method = json.RawMessage(ev.ID), ev.Method
	}
	return misplaced(&m, r.judge.Outgoing(&m))
}

// misplaced says what is wrong with a message that got a verdict.
func misplaced(m *host.Message, v host.Verdict) error {
	switch {
	case v.Action == host.Answer && v.Err != nil:
		return fmt.Errorf("%s: %s", m.Method, v.Err.Message)
	case v.Action == host.Hold:
		return fmt.Errorf("%s comes before it may be sent", m.Method)
	case v.Action == host.Drop && v.Cancel == nil:
		return fmt.Errorf("%s is out of place here", m.Method)
	}
	return nil
}

// End implements [wirelog.Rule].
func (*lifecycleRule) End() error { return nil }

// guesser names the protocol of records that do not, as a host would: by the first decisive message
// of the client.
type guesser struct {
	dialects []*host.Dialect
	as       string            // what is spoken in any case, if that is known
	known    map[string]string // by session and peer
}

// name completes a record.
func (g *guesser) name(r *wirelog.Record) {
	if r.Protocol != "" {
		return
	}
	key := r.Session + "\x00" + r.Peer
	if g.known[key] == "" && r.Msg != nil {
		g.known[key] = g.guess(r)
	}
	r.Protocol = g.known[key]
}

func (g *guesser) guess(r *wirelog.Record) string {
	if g.as != "" {
		return g.as
	}
	var m host.Message
	_ = host.JSONRPC{}.Decode(r.Msg, &m) // what is not JSON-RPC may be claimed too
	if d := claimant(g.dialects, &m); d != nil {
		return d.Name
	}
	return ""
}
