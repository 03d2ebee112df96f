package dap

import (
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
)

// Dialect is the Debug Adapter Protocol. It serves both ends: a session that sends `initialize`
// is the client's, any other the adapter's, and has that order of messages kept for it:
//
//   - before the response to `initialize` nothing is sent; what is sent earlier waits for it
//   - `initialized` and `terminated` are sent once
//   - `stopped` and `continued` wait for the response of a request that resumes execution
//   - requests are handled one after the other, except those that have to work while others
//     take their time: cancel, pause, disconnect, terminate, threads
//   - `cancel` cancels the request it names, whoever handles it
//   - the response to `disconnect`, and the end of input, end the session: after that response
//     nothing is sent but what is still owed to other requests
var Dialect = &host.Dialect{
	Name:         "dap",
	Framing:      framing.ContentLength,
	NewEnvelope:  newEnvelope,
	NewLifecycle: newLifecycle,
	Marshal:      marshal,
	Unmarshal:    unmarshal,
	Claims:       claims,
	Lane:         lane,
	CancelCall:   cancelCall,
	Relay:        relay,
	Cancelled:    &jsonrpc2.Error{Code: CodeCancelled, Message: "cancelled"},
	CancelAtEOF:  true,
	Handshake:    host.Handshake{Open: openSession, Close: closeSession},
	Log:          logging,
}

// claims knows a message by its seq and type.
func claims(m *host.Message) host.Claim {
	if _, ok := host.Member(m.Raw, "seq"); !ok {
		return host.NoClaim
	}
	switch kind, _ := host.Member(m.Raw, "type"); string(kind) {
	case `"request"`, `"event"`, `"response"`:
		return host.SureClaim
	}
	return host.NoClaim
}

// lane keeps the order of all that configures and inspects. Execution is stopped and the session
// ended whatever else goes on.
func lane(m *host.Message) host.Lane {
	switch m.Method {
	case Cancel.Method, Pause.Method, Disconnect.Method, Terminate.Method, Threads.Method:
		return host.Immediate
	}
	return host.Ordered
}

// cancelCall cancels what was asked of an adapter. A client is not asked to cancel anything: the
// protocol has it the other way round only.
func cancelCall(id json.RawMessage, method string) *host.Message {
	if method == RunInTerminal.Method || method == StartDebugging.Method {
		return nil
	}
	return &host.Message{
		Kind: host.KindRequest, Method: Cancel.Method, Params: cancelArguments(id),
	}
}
