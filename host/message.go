package host

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
)

// Kind tells what a [Message] is.
type Kind uint8

// The kinds of message. The zero value is a message that could not be understood.
const (
	KindInvalid Kind = iota
	KindRequest
	KindNotification
	KindResponse
)

// Message is one request, notification or response between the wire and a session, whatever
// envelope carries it. Its byte slices point into the frame it came in and are never written to:
// what a session did not need to understand leaves as the bytes it came in.
type Message struct {
	Kind   Kind
	ID     json.RawMessage // the id as it was written (`1`, `"a"`, `1.50`, `null`); nil if absent
	Method string          // of a request or notification; on an answer of ours, the request's
	Params json.RawMessage // nil if absent
	Result json.RawMessage // of a successful response
	Error  json.RawMessage // the error object of a failed response
	Raw    json.RawMessage // the whole message as it came; nil on messages of ours

	// Extra is the members that the envelope does not know, each behind a comma and otherwise as
	// it was written: `,"meta":{"trace": 7}`. Only relays pass them on.
	Extra json.RawMessage

	// reframe is the framing of what is sent after this message; nil if that does not change.
	reframe *framing.Framing
}

// Envelope translates between frames and messages: JSON-RPC 2.0 ([JSONRPC]), or what a dialect
// has in its place. Each session has its own Envelope, so it may keep state. Decode is called by
// one goroutine at a time, in wire order; Append is called under the lock of the output queue, in
// wire order, and must not block. The two may run at the same time.
type Envelope interface {
	// Decode reads one message from frame into m. The error it returns is what the peer is to be
	// told; m.ID holds the id of the damaged message where that could be read, m.Raw is set.
	Decode(frame []byte, m *Message) *jsonrpc2.Error
	// Append appends the encoded message to dst. A response without ID is one to a message whose
	// id could not be read.
	Append(dst []byte, m *Message) []byte
}
