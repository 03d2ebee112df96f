package dap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// defaultDepth bounds the nesting of a message where the host's limits do not say.
const defaultDepth = 10_000

// wire is the members of a message on the wire, each as it is written. The last of a repeated
// member counts.
type wire struct {
	members map[string]json.RawMessage
	extra   json.RawMessage // those that no message has, as [host.Message] wants them
}

// scan checks that frame is one object of JSON, nested at most depth levels, and finds its
// members. It does not look into them, and they point into frame.
func (w *wire) scan(frame []byte, depth int) *jsonrpc2.Error {
	if depth <= 0 {
		depth = defaultDepth
	}
	w.members = make(map[string]json.RawMessage, 8)
	dec := jsontext.NewDecoder(bytes.NewBuffer(frame), jsontext.AllowDuplicateNames(true))
	if kind := dec.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		return invalid("a message of the Debug Adapter Protocol must be a JSON object")
	}
	err := w.scanObject(dec, frame, depth)
	if err == nil && len(bytes.TrimLeft(frame[dec.InputOffset():], " \t\r\n")) > 0 {
		err = fmt.Errorf("something follows the object, at offset %d", dec.InputOffset())
	}
	if err != nil {
		text := strings.TrimPrefix(err.Error(), "jsontext: ")
		return &jsonrpc2.Error{
			Code:    jsonrpc2.CodeParseError,
			Message: fmt.Sprintf("dropped a message that is not JSON: %.200s", text),
		}
	}
	return nil
}

func (w *wire) scanObject(dec *jsontext.Decoder, frame []byte, depth int) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		if name.Kind() == '}' {
			return nil
		}
		key, start := name.String(), dec.InputOffset()
		if err := skip(dec, depth); err != nil {
			return err
		}
		value := bytes.TrimLeft(frame[start:dec.InputOffset()], ": \t\r\n")
		w.members[key] = value
		if !isMember(key) {
			w.extra = append(append(appendText(append(w.extra, ','), key), ':'), value...)
		}
	}
}

// isMember reports whether a message of some type has a member of that name, whatever its case: not
// all libraries tell them apart. None of them is passed on in a message of another type: clients
// take any message with request_seq for a response, or any with event for an event.
func isMember(name string) bool {
	return slices.ContainsFunc(memberNames[:], func(known string) bool {
		return strings.EqualFold(name, known)
	})
}

var memberNames = [...]string{
	"seq", "type", "command", "arguments", "event", "body", "request_seq", "success", "message",
}

// skip reads a member's value.
func skip(dec *jsontext.Decoder, depth int) error {
	for {
		if _, err := dec.ReadToken(); err != nil {
			return err
		}
		switch level := dec.StackDepth(); {
		case level > depth:
			return fmt.Errorf("more than %d levels are nested, at offset %d", depth, dec.InputOffset())
		case level == 1:
			return nil
		}
	}
}

// text returns a member that is a string, and "" for any other.
func (w *wire) text(name string) string {
	s, _ := unquote(w.members[name])
	return s
}

func unquote(value json.RawMessage) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, value)
	return string(s), err == nil
}

// payload returns arguments or a body, nil if they are absent or null. Clients whose language
// does not tell an empty table from an empty list send [] for {}.
func (w *wire) payload(name string) json.RawMessage {
	value := w.members[name]
	switch {
	case len(value) == 0 || value[0] == 'n':
		return nil
	case value[0] == '[' && len(bytes.TrimSpace(value[1:len(value)-1])) == 0:
		return json.RawMessage("{}")
	}
	return value
}

// isRPCAnswer reports whether the message is an answer in JSON-RPC: to a complaint of ours, most
// likely, by a peer of another protocol. To complain about that too would go on without end.
func (w *wire) isRPCAnswer() bool {
	_, rpc := w.members["jsonrpc"]
	_, method := w.members["method"]
	return rpc && !method
}

// stranger returns the complaint about a message that is of no type, for the people who have to
// find out why their client and this host do not understand each other.
func (w *wire) stranger() *jsonrpc2.Error {
	_, rpc := w.members["jsonrpc"]
	_, method := w.members["method"]
	if rpc || method {
		return invalid("this is a JSON-RPC message, as LSP and MCP clients send it, but this session " +
			`speaks the Debug Adapter Protocol ("seq", "type", "command"): connect the client to an ` +
			"endpoint of its own protocol")
	}
	return invalid(`type must be "request", "response" or "event"`)
}

// integer returns the integer that a token stands for, as it is usually written. Some clients
// send 1.0 and "1" for 1.
func integer(token json.RawMessage) (json.RawMessage, bool) {
	text := string(token)
	if s, ok := unquote(token); ok {
		text = s
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.AppendInt(nil, n, 10), true
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return nil, false
	}
	return strconv.AppendInt(nil, int64(f), 10), true
}

// failure is the error object of a session's message.
type failure struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`    // the body; null: there was none; absent: not of DAP
	Implied bool            `json:"implied"` // the message was not sent, it was made from the body
}

// errorObject returns the error object for a failed response. Its data is the body.
func errorObject(w *wire) json.RawMessage {
	body := w.members["body"]
	if len(body) == 0 {
		body = null
	}
	message, explicit := unquote(w.members["message"])
	code := int64(CodeFailed)
	switch {
	case message == "cancelled":
		code = CodeCancelled
	case message == "notStopped":
		code = CodeNotStopped
	default:
		code = errorID(body)
	}
	if !explicit {
		message = reason(body)
	}
	dst := strconv.AppendInt([]byte(`{"code":`), code, 10)
	dst = appendText(append(dst, `,"message":`...), message)
	dst = append(append(dst, `,"data":`...), body...)
	if !explicit {
		dst = append(dst, `,"implied":true`...)
	}
	return append(dst, '}')
}

func errorID(body json.RawMessage) int64 {
	if id, ok := host.Member(body, "error", "id"); ok {
		if n, ok := integer(id); ok {
			if code, err := strconv.ParseInt(string(n), 10, 64); err == nil {
				return code
			}
		}
	}
	return CodeFailed
}

// reason returns why a request failed, for a response without message.
func reason(body json.RawMessage) string {
	var b errorBody
	if err := unmarshal(body, &b); err == nil && b.Error != nil && b.Error.Format != "" {
		return b.Error.Error()
	}
	return "the request failed; its peer did not say why"
}

func readError(object json.RawMessage) failure {
	f := failure{Code: jsonrpc2.CodeInternalError, Message: "internal error"}
	_ = unmarshal(object, &f) // what cannot be read is an internal error
	return f
}

// appendFailure appends the message and the body of a failed response.
func appendFailure(dst []byte, m *host.Message) []byte {
	f := readError(m.Error)
	message := f.Message
	switch {
	case f.Code == CodeCancelled:
		message = "cancelled"
	case f.Code == CodeNotStopped:
		message = "notStopped"
	case f.Code == jsonrpc2.CodeMethodNotFound && f.Data == nil:
		message = "unsupported command " + m.Method
		f.Message = message
	}
	if !f.Implied {
		dst = appendText(append(dst, `,"message":`...), message)
	}
	return appendMember(dst, "body", f.body())
}

// body returns the body of an ErrorResponse.
func (f failure) body() json.RawMessage {
	if len(f.Data) > 0 && (f.Data[0] == '{' || f.Data[0] == 'n') {
		return f.Data
	}
	if f.Data == nil && f.Code == CodeCancelled {
		return json.RawMessage("{}") // nothing that a client would show
	}
	b := strconv.AppendInt([]byte(`{"error":{"id":`), f.Code, 10)
	b = appendText(append(b, `,"format":`...), f.Message)
	b = append(b, `,"showUser":false}`...)
	if f.Data != nil {
		b = append(append(b, `,"data":`...), f.Data...)
	}
	return append(b, '}')
}

func appendText(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error tells of invalid UTF-8 that was replaced
	return dst
}

func cancelArguments(requestID []byte) json.RawMessage {
	return append(append([]byte(`{"requestId":`), requestID...), '}')
}
