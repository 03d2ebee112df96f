package dap

import (
	"encoding/json"
	"strconv"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// envelope translates between DAP messages and those of a session. It gives our messages their
// seq as they are queued for output, so that the numbers on the wire are 1, 2, 3 and so on, and
// remembers which of our requests went out under which.
type envelope struct {
	depth int
	seq   int64 // of the message last appended

	mu    sync.Mutex // guards the fields below
	calls map[int64]json.RawMessage
}

func newEnvelope(l host.Limits) host.Envelope {
	return &envelope{depth: l.Depth, calls: map[int64]json.RawMessage{}}
}

// Decode implements [host.Envelope]. What a message is, its type alone tells.
func (e *envelope) Decode(frame []byte, m *host.Message) *jsonrpc2.Error {
	*m = host.Message{Raw: frame}
	var w wire
	if err := w.scan(frame, e.depth); err != nil {
		return err
	}
	m.Extra = w.extra
	switch w.text("type") {
	case "request":
		return decodeRequest(&w, m)
	case "event":
		return e.decodeEvent(&w, m)
	case "response":
		e.decodeResponse(&w, m)
		return nil
	}
	if w.isRPCAnswer() {
		m.Kind, m.ID = host.KindResponse, null
		return nil
	}
	return w.stranger()
}

func decodeRequest(w *wire, m *host.Message) *jsonrpc2.Error {
	id, ok := integer(w.members["seq"])
	if !ok {
		return invalid("this request cannot be answered: its seq must be an integer")
	}
	m.ID = id
	if m.Method = w.text("command"); m.Method == "" {
		return invalid("command must be the name of a request")
	}
	m.Kind = host.KindRequest
	m.Params = w.payload("arguments")
	return nil
}

func (e *envelope) decodeEvent(w *wire, m *host.Message) *jsonrpc2.Error {
	if m.Method = w.text("event"); m.Method == "" {
		return invalid("event must be the name of an event")
	}
	m.Kind = host.KindNotification
	m.Params = w.payload("body")
	if m.Method == ProgressStart.Method {
		m.Params = e.progress(m.Params)
	}
	return nil
}

// progress returns the body of a progressStart event with the id of our call in place of the seq
// that it went out under.
func (e *envelope) progress(body json.RawMessage) json.RawMessage {
	seq, ok := integer(member(body, "requestId"))
	if !ok {
		return body
	}
	key, _ := strconv.ParseInt(string(seq), 10, 64)
	e.mu.Lock()
	id := e.calls[key]
	e.mu.Unlock()
	if id == nil {
		return body
	}
	return host.Splice(body, id, "requestId")
}

func member(object json.RawMessage, name string) json.RawMessage {
	value, _ := host.Member(object, name)
	return value
}

// decodeResponse reads an answer to a request of ours. Nothing in it can be so wrong that its
// caller should not hear of it. The id of an answer nobody waits for is null.
func (e *envelope) decodeResponse(w *wire, m *host.Message) {
	m.Kind = host.KindResponse
	m.Method = w.text("command")
	m.ID = e.take(w.members["request_seq"])
	if success, ok := w.members["success"]; ok && string(success) != "true" {
		m.Error = errorObject(w)
		return
	}
	if m.Result = w.members["body"]; m.Result == nil {
		m.Result = null
	}
}

// take returns the id of the call that went out as seq, and forgets it.
func (e *envelope) take(seq json.RawMessage) json.RawMessage {
	n, ok := integer(seq)
	if !ok {
		return null
	}
	key, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil {
		return null
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	id, ok := e.calls[key]
	if !ok {
		return null
	}
	delete(e.calls, key)
	return id
}

// Append implements [host.Envelope].
func (e *envelope) Append(dst []byte, m *host.Message) []byte {
	e.seq++
	dst = strconv.AppendInt(append(dst, `{"seq":`...), e.seq, 10)
	switch {
	case m.Kind == host.KindRequest:
		dst = e.appendRequest(dst, m)
	case m.Kind == host.KindNotification:
		dst = appendEvent(dst, m.Method, m.Params)
	case len(m.ID) == 0 || m.ID[0] == 'n':
		dst = appendComplaint(dst, m.Error)
	default:
		dst = appendResponse(dst, m)
	}
	return append(append(dst, m.Extra...), '}')
}

func (e *envelope) appendRequest(dst []byte, m *host.Message) []byte {
	dst = append(dst, `,"type":"request","command":`...)
	dst = appendText(dst, m.Method)
	if m.ID == nil {
		return appendMember(dst, "arguments", e.target(m.Params))
	}
	e.mu.Lock()
	e.calls[e.seq] = m.ID
	e.mu.Unlock()
	return appendMember(dst, "arguments", m.Params)
}

// target returns the arguments of a cancel that [cancelCall] made, with the seq of the request in
// place of the id of the call. The call is not waited for any more, so it is forgotten.
func (e *envelope) target(arguments json.RawMessage) json.RawMessage {
	id, _ := host.Member(arguments, "requestId")
	e.mu.Lock()
	defer e.mu.Unlock()
	for seq, call := range e.calls {
		if string(call) == string(id) {
			delete(e.calls, seq)
			return cancelArguments(strconv.AppendInt(nil, seq, 10))
		}
	}
	return nil
}

func appendEvent(dst []byte, event string, body json.RawMessage) []byte {
	dst = append(dst, `,"type":"event","event":`...)
	return appendMember(appendText(dst, event), "body", body)
}

// appendComplaint tells the user what cannot be an answer to anything: an error about a message
// whose seq could not be read.
func appendComplaint(dst []byte, e json.RawMessage) []byte {
	body := []byte(`{"category":"` + OutputImportant + `","output":`)
	body = append(appendText(body, readError(e).Message+"\n"), '}')
	return appendEvent(dst, Output.Method, body)
}

func appendResponse(dst []byte, m *host.Message) []byte {
	dst = append(append(dst, `,"type":"response","request_seq":`...), m.ID...)
	dst = append(dst, `,"success":`...)
	dst = strconv.AppendBool(dst, m.Error == nil)
	dst = appendText(append(dst, `,"command":`...), m.Method)
	if m.Error != nil {
		return appendFailure(dst, m)
	}
	return appendMember(dst, "body", m.Result)
}

var null = json.RawMessage("null")

func invalid(text string) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: text}
}

// appendMember appends a member, unless it is absent or null.
func appendMember(dst []byte, name string, value json.RawMessage) []byte {
	if len(value) == 0 || value[0] == 'n' {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return append(dst, value...)
}
