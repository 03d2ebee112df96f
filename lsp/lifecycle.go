package lsp

import (
	"encoding/json"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/host"
)

// Error codes of LSP 3.18, errorCodes, beyond those of JSON-RPC.
const (
	// CodeServerNotInitialized answers a request that comes before initialize has been answered.
	CodeServerNotInitialized = -32002
	// CodeRequestFailed is for a valid request that could not be done; its message is for people.
	CodeRequestFailed = -32803
	// CodeServerCancelled is for a request the server gave up, where its definition allows that.
	CodeServerCancelled = -32802
	// CodeContentModified is for a result that a change to the document made useless. A change
	// that merely waits to be handled is no reason for it.
	CodeContentModified = -32801
)

// lifecycle is the [host.Lifecycle] of a session, seen from the server (LSP 3.18, Server
// lifecycle). It moves from phase to phase with what it reads and writes, so it holds whatever
// the plug-in does.
type lifecycle struct {
	mu    sync.Mutex // guards the fields below
	phase phase
	// token is the workDoneToken of the initialize request in hand.
	token protocol.ProgressToken
	// refusals counts the repeated initialize requests whose refusals are still to be written:
	// those must not be taken for the failure of the first.
	refusals int
	greeted  bool // initialized has been seen
}

// phase is how far a session has come.
type phase uint8

const (
	uninitialized phase = iota
	initializing        // initialize has been read
	running             // its result has been written
	stopping            // shutdown has been read
	stopped             // shutdown has been answered
)

// Incoming implements [host.Lifecycle]. Exit and cancellation are heeded in every phase: a client
// may give up while initialize goes on.
func (l *lifecycle) Incoming(m *host.Message) host.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.Kind == host.KindRequest {
		return l.request(m)
	}
	switch {
	case m.Method == protocol.MethodExit:
		return host.Verdict{End: true}
	case m.Method == protocol.MethodCancelRequest:
		return host.Verdict{Action: host.Drop, Cancel: host.CancelTarget(m)}
	case l.phase != running || m.Method == protocol.MethodInitialized && l.greeted:
		return host.Verdict{Action: host.Drop}
	case m.Method == protocol.MethodInitialized:
		l.greeted = true
	}
	return host.Verdict{}
}

// request judges an incoming request. It is called with mu held.
func (l *lifecycle) request(m *host.Message) host.Verdict {
	first := m.Method == protocol.MethodInitialize
	switch {
	case l.phase >= stopping:
		return refuse(jsonrpc2.CodeInvalidRequest, "after shutdown only exit may come")
	case first && l.phase == uninitialized:
		l.phase = initializing
		l.token = progressToken(m.Params, "workDoneToken")
	case first:
		l.refusals++
		return refuse(jsonrpc2.CodeInvalidRequest, "initialize may be sent only once")
	case l.phase != running:
		return refuse(CodeServerNotInitialized,
			"the session is not initialized: send initialize, and wait for its answer, first")
	case m.Method == protocol.MethodShutdown:
		l.phase = stopping
	}
	return host.Verdict{}
}

func refuse(code int64, text string) host.Verdict {
	return host.Verdict{
		Action: host.Answer, Err: &jsonrpc2.Error{Code: code, Message: text},
	}
}

// Outgoing implements [host.Lifecycle]. Until initialize has been answered, what may not be said
// yet is held back.
func (l *lifecycle) Outgoing(m *host.Message) host.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.Kind == host.KindResponse:
		return l.answered(m)
	case l.phase < running && !l.early(m):
		return host.Verdict{Action: host.Hold}
	case l.phase == stopped && m.Kind == host.KindRequest:
		return host.Verdict{Action: host.Drop, Err: &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidRequest,
			Message: m.Method + " may not be sent after shutdown",
		}}
	}
	return host.Verdict{}
}

// answered notes an answer of ours. A failed initialize leaves the session as it was before, as
// the client may try again (LSP 3.18, InitializeError). It is called with mu held.
func (l *lifecycle) answered(m *host.Message) host.Verdict {
	switch {
	case m.Method == protocol.MethodShutdown && l.phase == stopping:
		l.phase = stopped
	case m.Method != protocol.MethodInitialize:
	case m.Error == nil:
		l.phase = running
		return host.Verdict{Release: true}
	case l.refusals > 0:
		l.refusals--
	case l.phase == initializing:
		l.phase = uninitialized
	}
	return host.Verdict{}
}

// early reports whether m may be sent while initialize is being handled (LSP 3.18, initialize).
// It is called with mu held.
func (l *lifecycle) early(m *host.Message) bool {
	if l.phase != initializing {
		return false
	}
	switch m.Method {
	case protocol.MethodWindowShowMessage, protocol.MethodWindowLogMessage,
		protocol.MethodTelemetryEvent, protocol.MethodWindowShowMessageRequest:
		return true
	case protocol.MethodProgress:
		return l.token != nil && l.token == progressToken(m.Params, "token")
	}
	return false
}

// progressToken returns the token that is the named member of params, nil if there is none.
func progressToken(params json.RawMessage, name string) (token protocol.ProgressToken) {
	raw, ok := host.Member(params, name)
	if !ok || Unmarshal(raw, &token) != nil {
		return nil
	}
	return token
}

// AcceptsBatch implements [host.Lifecycle]: there are no batches (LSP 3.18, Base Protocol).
func (l *lifecycle) AcceptsBatch() bool { return false }

// ExitStatus implements [host.Lifecycle] (LSP 3.18, exit).
func (l *lifecycle) ExitStatus() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase >= stopping {
		return 0
	}
	return 1
}
