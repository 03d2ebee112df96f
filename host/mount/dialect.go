package mount

import (
	"encoding/json"

	"triplex/host"
)

// inOrder returns the dialect of a session whose messages are passed on: none of them takes its
// place before or beside another. None is immediate either, as none waits for a handler.
func inOrder(d *host.Dialect) *host.Dialect {
	ordered := *d
	ordered.Lane = func(*host.Message) host.Lane { return host.Ordered }
	return &ordered
}

// asClient returns the dialect of the session with a server, which sees a client.
func asClient(d *host.Dialect) *host.Dialect {
	client := *inOrder(d)
	client.NewLifecycle = func() host.Lifecycle { return clientRules{d.CancelTarget} }
	client.CancelAtEOF = false // what the server said before it ended is still passed on
	return &client
}

// clientRules is the life cycle of a client, which follows from what its peers do: the client's
// session and the server keep the rules already.
type clientRules struct {
	target func(*host.Message) json.RawMessage // nil if the server cannot cancel
}

// Incoming implements [host.Lifecycle].
func (r clientRules) Incoming(m *host.Message) host.Verdict {
	if r.target == nil || m.Kind != host.KindNotification {
		return host.Verdict{}
	}
	return host.Verdict{Cancel: r.target(m)}
}

// Outgoing implements [host.Lifecycle]. An error that names no request, about output that was no
// message, is not sent: it means nothing to a server, and ends some.
func (clientRules) Outgoing(m *host.Message) host.Verdict {
	if m.Kind == host.KindResponse && m.ID == nil {
		return host.Verdict{Action: host.Drop}
	}
	return host.Verdict{}
}

// AcceptsBatch implements [host.Lifecycle].
func (clientRules) AcceptsBatch() bool { return true }

// ExitStatus implements [host.Lifecycle].
func (clientRules) ExitStatus() int { return 0 }
