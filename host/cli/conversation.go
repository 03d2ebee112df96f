package cli

import (
	"encoding/json"
	"strings"
	"sync"

	"triplex/host"
)

// conversation follows what the two ends of a bridge say, to know how the process would have ended
// that the client believes to have started. It is safe for concurrent use.
type conversation struct {
	dialects []*host.Dialect

	mu       sync.Mutex // guards the fields below
	dialect  *host.Dialect
	client   host.Envelope
	server   host.Envelope
	judge    host.Lifecycle
	requests map[string]string // the methods of the client's open requests, by id
	over     bool              // the protocol has brought it to its end
}

// maxFollowed bounds the open requests that are followed.
const maxFollowed = 10_000

// said takes a frame of the client, or of the server.
func (c *conversation) said(client bool, frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case client:
		c.clientSaid(frame)
	case c.judge != nil:
		c.serverSaid(frame)
	}
}

// clientSaid decides by the first decisive message what is spoken, as a host does.
func (c *conversation) clientSaid(frame []byte) {
	var m host.Message
	if c.dialect == nil {
		failed := host.JSONRPC{}.Decode(frame, &m) != nil
		c.bind(claimant(c.dialects, &m))
		if failed && c.judge == nil {
			return
		}
	}
	if c.judge == nil || c.client.Decode(frame, &m) != nil || m.Kind == host.KindResponse {
		return
	}
	c.over = c.judge.Incoming(&m).End || c.over
	if m.Kind == host.KindRequest && len(c.requests) < maxFollowed {
		c.requests[string(m.ID)] = strings.Clone(m.Method) // a part of frame
	}
}

// bind makes d what is spoken; nil if that is not known yet.
func (c *conversation) bind(d *host.Dialect) {
	if d == nil || d.NewLifecycle == nil {
		return
	}
	c.dialect, c.judge, c.requests = d, d.NewLifecycle(), map[string]string{}
	c.client, c.server = envelopeOf(d), envelopeOf(d)
}

func (c *conversation) serverSaid(frame []byte) {
	var m host.Message
	if c.server.Decode(frame, &m) != nil {
		return
	}
	if m.Kind == host.KindResponse {
		if classify := c.dialect.Log.Classify; classify != nil {
			// Only of its own requests does an envelope know the answers.
			m.ID = json.RawMessage(classify(frame).ID)
		}
		m.Method = c.requests[string(m.ID)]
		delete(c.requests, string(m.ID))
	}
	c.over = c.judge.Outgoing(&m).End || c.over
}

// isOver reports whether either end may leave now.
func (c *conversation) isOver() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// protocol returns the name of what is spoken, or nothing if that is not known.
func (c *conversation) protocol() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dialect == nil {
		return ""
	}
	return c.dialect.Name
}

// exitStatus returns the status that a process ends with which has had this conversation.
func (c *conversation) exitStatus() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.judge == nil {
		return exitOK
	}
	return c.judge.ExitStatus()
}

// claimant returns the dialect that makes the strongest claim to m, nil if none does.
func claimant(dialects []*host.Dialect, m *host.Message) *host.Dialect {
	var best *host.Dialect
	strongest := host.WeakClaim // not decisive: any request would do
	for _, d := range dialects {
		if d.Claims == nil {
			continue
		}
		if claim := d.Claims(m); claim > strongest {
			best, strongest = d, claim
		}
	}
	return best
}

func envelopeOf(d *host.Dialect) host.Envelope {
	if d.NewEnvelope != nil {
		return d.NewEnvelope(host.Limits{}.WithDefaults())
	}
	return host.JSONRPC{}
}
