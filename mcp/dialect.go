package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
)

// Dialect is the Model Context Protocol, both eras on one session: the legacy one, whose sessions
// begin with `initialize` (2024-11-05 to 2025-11-25), and the modern one, whose requests stand
// alone and name the version they are written in (from 2026-07-28). What it sees to, whoever
// handles the messages:
//
//   - `ping` is answered at any time, any other legacy request only after `initialize`, which
//     comes once and cannot be cancelled
//   - ids are strings or integers; one that is in use is refused, and its first user not disturbed
//   - a cancelled request is not answered
//   - progress is sent only while its request is in flight, only with the token of that request,
//     and only if it makes progress
//   - batches are legal where `initialize` has settled on 2025-03-26
//   - an answer to what could not be read has no id
var Dialect = &host.Dialect{
	Name:         "mcp",
	Framing:      framing.Newline,
	NewEnvelope:  newEnvelope,
	NewLifecycle: newLifecycle,
	Claims:       claims,
	Lane:         lane,
	CancelCall:   cancelCall,
	CancelTarget: cancelTarget,
	Relay:        relay,
	NewReplay:    func() host.Replay { return new(replay) },
	SilentCancel: true,
	Handshake:    host.Handshake{Open: openSession},

	EndedByCancel: methodListen,
	Cancelled: &jsonrpc2.Error{
		Code:    jsonrpc2.CodeInternalError,
		Message: "the session ended before the request was answered",
	},
}

// Methods the package itself acts on.
const (
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodDiscover   = "server/discover"
	methodListen     = "subscriptions/listen"
	methodCall       = "tools/call"
	methodCancelled  = "notifications/cancelled"
	methodProgress   = "notifications/progress"
	methodMessage    = "notifications/message"

	notifications = "notifications/" // what the method of every notification starts with
)

// batchVersion is the one version with batches (2025-03-26, changelog; 2025-06-18, changelog).
const batchVersion = "2025-03-26"

// modernEra is the first version of the modern era.
const modernEra = "2026-07-28"

// newEnvelope leaves out the id that could not be read: MCP has no null ids (2025-11-25, schema,
// JSONRPCErrorResponse).
func newEnvelope(l host.Limits) host.Envelope {
	return host.JSONRPC{Depth: l.Depth, OmitNullID: true}
}

// claims knows a client by how it begins a session: the handshake of the legacy era, the question
// that opens the modern one, or any modern request.
func claims(m *host.Message) host.Claim {
	if m.Kind != host.KindRequest {
		return host.NoClaim
	}
	_, handshake := host.Member(m.Params, "protocolVersion")
	if m.Method == methodInitialize && handshake || m.Method == methodDiscover || isModern(m.Params) {
		return host.SureClaim
	}
	return host.NoClaim
}

// lane keeps the order of all messages: the handler hands them to the server one by one, and then
// lets go of its place.
func lane(m *host.Message) host.Lane {
	if m.Method == methodPing {
		return host.Immediate
	}
	return host.Ordered
}

func cancelCall(id json.RawMessage, _ string) *host.Message {
	const reason = `,"reason":"the answer is no longer waited for"}`
	return &host.Message{
		Kind:   host.KindNotification,
		Method: methodCancelled,
		Params: bytes.Join([][]byte{[]byte(`{"requestId":`), id, []byte(reason)}, nil),
	}
}

// isModern reports whether the params are those of a modern request: they name a version
// (2026-07-28, Lifecycle, per-request metadata).
func isModern(params json.RawMessage) bool {
	_, ok := requestVersion(params)
	return ok
}

// requestVersion returns the version that a modern request names, as it is written.
func requestVersion(params json.RawMessage) (json.RawMessage, bool) {
	return host.Member(params, "_meta", sdk.MetaKeyProtocolVersion)
}
