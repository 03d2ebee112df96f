package host

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Plain is JSON-RPC 2.0 without a protocol on top, with the cancellation that the language
// server protocol made customary: `$/cancelRequest` with the id of the request.
var Plain = &Dialect{
	Name:         "plain",
	NewLifecycle: func() Lifecycle { return plainLifecycle{} },
	Claims:       plainClaims,
	CancelCall:   CancelRequest,
	CancelTarget: CancelTarget,
	NewReplay:    func() Replay { return noReplay{} },
}

// CancelMethod is the notification that cancels a request, in all dialects that follow the
// language server protocol (LSP 3.18, cancelRequest).
const CancelMethod = "$/cancelRequest"

// CancelRequest is a [Dialect.CancelCall] that sends [CancelMethod].
func CancelRequest(id json.RawMessage, _ string) *Message {
	params := append(append([]byte(`{"id":`), id...), '}')
	return &Message{Kind: KindNotification, Method: CancelMethod, Params: params}
}

// CancelTarget returns the id of the request that m cancels with [CancelMethod], nil if it
// cancels none.
func CancelTarget(m *Message) json.RawMessage {
	if m.Kind != KindNotification || m.Method != CancelMethod ||
		!bytes.HasPrefix(m.Params, []byte("{")) {
		return nil
	}
	id, _ := Member(m.Params, "id")
	return id
}

// plainClaims takes any request that no other dialect knows.
func plainClaims(m *Message) Claim {
	if m.Kind == KindRequest && !strings.HasPrefix(m.Method, "$/") {
		return WeakClaim
	}
	return NoClaim
}

// noReplay remembers nothing: without a handshake each request stands for itself.
type noReplay struct{}

// Note implements [Replay].
func (noReplay) Note(*Message) {}

// Messages implements [Replay].
func (noReplay) Messages() []*Message { return nil }

// plainLifecycle has no states.
type plainLifecycle struct{}

// Incoming implements [Lifecycle].
func (plainLifecycle) Incoming(m *Message) Verdict {
	if m.Kind == KindNotification && m.Method == CancelMethod {
		return Verdict{Action: Drop, Cancel: CancelTarget(m)}
	}
	return Verdict{}
}

// Outgoing implements [Lifecycle].
func (plainLifecycle) Outgoing(*Message) Verdict { return Verdict{} }

// AcceptsBatch implements [Lifecycle].
func (plainLifecycle) AcceptsBatch() bool { return true }

// ExitStatus implements [Lifecycle].
func (plainLifecycle) ExitStatus() int { return 0 }
