package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// lifecycle is the [host.Lifecycle] of a session, seen from the server. The phases are those of
// the legacy era; modern requests pass in each of them.
type lifecycle struct {
	mu       sync.Mutex // guards the fields below
	phase    phase
	version  string // what initialize has settled on
	requests map[string]*request
	tokens   tokens
}

// phase is how far the legacy handshake has come.
type phase uint8

const (
	fresh        phase = iota // no initialize yet
	initializing              // it has been read
	initialized               // it has been answered with success
)

// request is a request in flight whose end matters here: it has a progress token, or it is
// initialize.
type request struct {
	token string // its key; empty without one
	first bool   // it is initialize
	// refusals counts the requests with the same id whose refusals are still to be written: those
	// must not be taken for the answer to this one.
	refusals int
}

func newLifecycle() host.Lifecycle {
	return &lifecycle{requests: map[string]*request{}, tokens: tokens{}}
}

// AcceptsBatch implements [host.Lifecycle].
func (l *lifecycle) AcceptsBatch() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.version == batchVersion
}

// ExitStatus implements [host.Lifecycle].
func (l *lifecycle) ExitStatus() int { return 0 }

// Incoming implements [host.Lifecycle].
func (l *lifecycle) Incoming(m *host.Message) host.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.Kind == host.KindRequest:
		return l.request(m)
	case m.Method == methodCancelled:
		return host.Verdict{Action: host.Drop, Cancel: l.cancel(m)}
	case l.phase == fresh:
		return host.Verdict{Action: host.Drop}
	}
	return host.Verdict{}
}

// request judges an incoming request. It is called with mu held.
func (l *lifecycle) request(m *host.Message) host.Verdict {
	if !isRequestID(m.ID) {
		return refuse(jsonrpc2.CodeInvalidRequest, "an id is a string or an integer, not %.40s", m.ID)
	}
	if r := l.requests[key(m.ID)]; r != nil {
		r.refusals++
		return refuse(jsonrpc2.CodeInvalidRequest, "id %.80s is in use by a request in flight", m.ID)
	}
	meta, _ := host.Member(m.Params, "_meta")
	_, modern := host.Member(meta, sdk.MetaKeyProtocolVersion)
	if v := l.admit(m, modern); v.Action != host.Pass {
		return v
	}
	r := request{first: m.Method == methodInitialize && !modern}
	if token, ok := host.Member(meta, "progressToken"); ok && isRequestID(token) {
		r.token = key(token)
		l.tokens.add(r.token)
	}
	if r.first {
		l.phase = initializing
	}
	if r.first || r.token != "" {
		l.requests[key(m.ID)] = &r
	}
	return host.Verdict{}
}

// admit judges a request by its method. It is called with mu held.
func (l *lifecycle) admit(m *host.Message, modern bool) host.Verdict {
	switch {
	case strings.HasPrefix(m.Method, notifications):
		return refuse(jsonrpc2.CodeInvalidRequest, "%s is a notification: it has no id", m.Method)
	case modern && m.Method == methodPing:
		return refuse(jsonrpc2.CodeMethodNotFound, "%s has no ping", modernEra)
	case modern:
	case m.Method == methodPing:
		return host.Verdict{Action: host.Answer, Result: json.RawMessage("{}")}
	case m.Method == methodDiscover, m.Method == methodListen:
		return host.Verdict{Action: host.Answer, Err: unversioned(m.Method)}
	case m.Method == methodInitialize && l.phase != fresh:
		return refuse(jsonrpc2.CodeInvalidRequest, "initialize may be sent only once")
	case m.Method != methodInitialize && l.phase == fresh:
		return refuse(jsonrpc2.CodeInvalidRequest, "%s came before initialize", m.Method)
	}
	return host.Verdict{}
}

// unversioned is the answer to a request for a method of the modern era alone that does not name
// its version (2026-07-28, Lifecycle, per-request metadata).
func unversioned(method string) *jsonrpc2.Error {
	return refusal(jsonrpc2.CodeInvalidParams, "%s needs _meta with %q and %q",
		method, sdk.MetaKeyProtocolVersion, sdk.MetaKeyClientCapabilities)
}

func refuse(code int64, format string, args ...any) host.Verdict {
	return host.Verdict{Action: host.Answer, Err: refusal(code, format, args...)}
}

func refusal(code int64, format string, args ...any) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// cancel returns the id of the request that m cancels, nil if it must not: initialize runs to its
// end (2025-11-25, Cancellation). It is called with mu held.
func (l *lifecycle) cancel(m *host.Message) json.RawMessage {
	id, _ := host.Member(m.Params, "requestId")
	if !isRequestID(id) {
		return nil
	}
	r := l.requests[key(id)]
	if r != nil && r.first {
		return nil
	}
	l.forget(id)
	return id
}

// forget ends the progress of a request. It is called with mu held.
func (l *lifecycle) forget(id json.RawMessage) {
	if r := l.requests[key(id)]; r != nil {
		l.tokens.remove(r.token)
		delete(l.requests, key(id))
	}
}

// Outgoing implements [host.Lifecycle].
func (l *lifecycle) Outgoing(m *host.Message) host.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.Kind == host.KindResponse:
		return l.response(m)
	case m.Method == methodProgress:
		if !l.progress(m) {
			return host.Verdict{Action: host.Drop}
		}
	case l.phase == initializing && m.Method != methodPing && m.Method != methodMessage:
		return host.Verdict{Action: host.Hold}
	}
	return host.Verdict{}
}

// progress reports whether a notification of progress may be sent. It is called with mu held.
func (l *lifecycle) progress(m *host.Message) bool {
	token, _ := host.Member(m.Params, "progressToken")
	progress, _ := host.Member(m.Params, "progress")
	value, err := strconv.ParseFloat(string(progress), 64)
	return err == nil && l.tokens.progress(key(token), value)
}

// response notes the end of a request. After a failed initialize the client may try again. It is
// called with mu held.
func (l *lifecycle) response(m *host.Message) host.Verdict {
	r := l.requests[key(m.ID)]
	switch {
	case r == nil:
		return host.Verdict{}
	case r.refusals > 0 && m.Error != nil:
		r.refusals--
		return host.Verdict{}
	}
	l.forget(m.ID)
	if !r.first {
		return host.Verdict{}
	}
	l.phase = fresh
	if m.Error == nil {
		l.phase = initialized
		version, _ := host.Member(m.Result, "protocolVersion")
		l.version = string(bytes.Trim(version, `"`))
	}
	return host.Verdict{Release: true}
}

// isRequestID reports whether raw is a string or an integer: what ids and progress tokens are.
func isRequestID(raw json.RawMessage) bool {
	if len(raw) == 0 {
		return false
	}
	return raw[0] == '"' || (raw[0] == '-' || isDigit(raw[0])) && !bytes.ContainsAny(raw, ".eE")
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// key returns a key that two ids, or tokens, share if they are the same, however they are escaped.
func key(raw json.RawMessage) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return `"` + text + `"`
}
