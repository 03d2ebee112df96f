package daptest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A Message is what a debug adapter says: an event, a response, or a request of its own. The
// members of the other kinds are zero.
type Message struct {
	Seq        int             `json:"seq"`
	Type       string          `json:"type"`
	Command    string          `json:"command"`
	Event      string          `json:"event"`
	RequestSeq *int            `json:"request_seq"`
	Success    *bool           `json:"success"`
	Message    string          `json:"message"`
	Arguments  json.RawMessage `json:"arguments"`
	Body       json.RawMessage `json:"body"`
}

// String returns a message in short: "event stopped", "request runInTerminal", "launch ok" or
// "launch failed: cancelled".
func (m *Message) String() string {
	switch {
	case m.Type != "response":
		return m.Type + " " + m.Command + m.Event
	case m.OK():
		return m.Command + " ok"
	}
	return m.Command + " failed: " + m.Message
}

// Numbered returns a message in short, and a response after the seq of its request: "2 launch ok".
func (m *Message) Numbered() string {
	if m.RequestSeq == nil {
		return m.String()
	}
	return fmt.Sprintf("%d %v", *m.RequestSeq, m)
}

// OK reports whether a message is the response to a request that succeeded.
func (m *Message) OK() bool { return m.Success != nil && *m.Success }

// Decode returns the body of a message, the arguments of a request. It fails the test if they are
// not what a T can be.
func Decode[T any](t testing.TB, m *Message) T {
	t.Helper()
	raw := m.Body
	if m.Type == "request" {
		raw = m.Arguments
	}
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v: %v\n%s", m, err, raw)
	}
	return v
}
