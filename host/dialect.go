package host

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host/wirelog"
)

// Dialect is what a session must know of a protocol to carry it: its envelope, its order, its
// cancellation and its life cycle. A Dialect is immutable and shared by all sessions that speak
// it; what a session must remember lives in the values its New functions return. The zero value
// of each field is plain JSON-RPC 2.0.
type Dialect struct {
	// Name names the protocol in logs and on the command line.
	Name string
	// Framing is the framing of an endpoint on which nobody chose one.
	Framing framing.Framing
	// NewEnvelope returns the envelope of a new session. Nil stands for JSON-RPC 2.0.
	NewEnvelope func(l Limits) Envelope
	// NewLifecycle returns the life cycle of a new session. Nil stands for one without rules.
	NewLifecycle func() Lifecycle
	// Marshal and Unmarshal are the codec of params and results: encoding/json if nil.
	Marshal   func(v any) ([]byte, error)
	Unmarshal func(data []byte, v any) error
	// Claims says how surely m, the first message of an undecided session, speaks this dialect.
	// m.Kind is [KindInvalid] if m is no JSON-RPC message; m.Raw is its text in any case.
	Claims func(m *Message) Claim
	// Lane says when a request or notification starts. Nil: requests are [Concurrent],
	// notifications [Ordered].
	Lane func(m *Message) Lane
	// CancelCall returns the message that tells the peer that our request with that id is no
	// longer wanted. A nil function or message: the peer is not told.
	CancelCall func(id json.RawMessage, method string) *Message
	// CancelTarget returns the id of the earlier request of its sender that m cancels, nil if it
	// cancels none. Nil: no message does.
	CancelTarget func(m *Message) json.RawMessage
	// Cancelled is the answer to a request that its peer cancelled. Nil stands for
	// {-32800, "request cancelled"}.
	Cancelled *jsonrpc2.Error
	// SilentCancel is set if a cancelled request is not answered at all.
	SilentCancel bool
	// EndedByCancel is the method of requests that their receiver ends, without an answer, by
	// cancelling them itself. Empty: no method is such.
	EndedByCancel string
	// CancelAtEOF is set if the end of input cancels what is in flight; otherwise it is drained.
	CancelAtEOF bool
	// Relay returns the params with which a relay passes on m, a request or notification that was
	// read on from, or its result if m is the answer to a request, with the id and method that has
	// at its own session. They are those of m but for what means something else to their receiver:
	// the id of a request, see [Session.Origin], and the id of the client's process, for which pid
	// stands, or null if pid is 0. Nil: everything passes as it is.
	Relay func(m *Message, from *Session, pid int) json.RawMessage
	// NewReplay returns what remembers, for a relay, what a server has to be told that takes the
	// place of one that died. Nil: no server can take another's place.
	NewReplay func() Replay
	// Handshake is what a client says before and after its own requests.
	Handshake Handshake
	// Log is how a wire log of the dialect is examined, beyond what the fields above say: that of
	// JSON-RPC 2.0 without rules of its own if it is zero.
	Log wirelog.Protocol
}

// Handshake is how a client of a dialect opens and ends a conversation, on a session with the
// server. A nil function has nothing to say.
type Handshake struct {
	// Open is called before the client's own requests. It asks for nothing that a server might
	// have to be configured for, and lets the server say what it can do.
	Open func(ctx context.Context, s *Session) error
	// Close is called after them, unless the session has been ended.
	Close func(ctx context.Context, s *Session) error
}

// Claim is how surely a first message speaks a dialect. The strongest claim binds the session.
type Claim uint8

// The claims, from the weakest: any request would do, the message is usual in this dialect, the
// message can be of no other.
const (
	NoClaim Claim = iota
	WeakClaim
	UsualClaim
	SureClaim
)

// Lane is the queue a request or notification goes through before its handler starts.
type Lane uint8

// The lanes. A message on the Concurrent lane starts after every Ordered one that arrived before
// it has returned, and then runs beside everything. A message on the Ordered lane also holds back
// what arrives after it, until it returns or calls [Release]. A message on the Immediate lane
// starts as it is read, ahead of all queues.
const (
	Concurrent Lane = iota
	Ordered
	Immediate
)

// Lifecycle is the part of a dialect that remembers: what may be said at which moment of a
// session. Its methods must not block, nor call the session.
type Lifecycle interface {
	// Incoming judges a request or notification as it is read, in wire order, before it is
	// scheduled. It is called by one goroutine at a time.
	Incoming(m *Message) Verdict
	// Outgoing judges a message of ours as it is written, answers included, in wire order. It is
	// called under the lock of the output queue, possibly while Incoming runs. The answers of a
	// batch pass whatever the verdict on them is.
	Outgoing(m *Message) Verdict
	// AcceptsBatch reports whether a JSON-RPC batch is legal now.
	AcceptsBatch() bool
	// ExitStatus is the status a process ends with whose only session ends now.
	ExitStatus() int
}

// Verdict is what a [Lifecycle] wants done with a message. The zero value lets it pass.
type Verdict struct {
	// Action is what becomes of the message itself.
	Action Action
	// Result and Err answer a request in its handler's place, with Action [Answer].
	Result json.RawMessage
	Err    *jsonrpc2.Error
	// Cancel is the id of an earlier request that the message cancels.
	Cancel json.RawMessage
	// Release sends the messages held back so far, right after this one. Outgoing only.
	Release bool
	// End ends the session in order: on an incoming message after it, and the ordered messages
	// that arrived before it, have been handled; on an outgoing one after it has been written.
	End bool
}

// Action is what becomes of a message.
type Action uint8

// The actions. Answer is for incoming requests, Hold for outgoing messages: it keeps the message
// until a later verdict says Release. A request of ours that is dropped fails with the verdict's
// Err.
const (
	Pass Action = iota
	Drop
	Answer
	Hold
)
