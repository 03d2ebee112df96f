package host

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"
)

// JSONRPC is the envelope of JSON-RPC 2.0. It has no state, so one value serves any number of
// sessions at the same time.
type JSONRPC struct {
	// Depth is how many arrays and objects may lie within one another in a message, the message
	// itself included. 0 stands for 10,000.
	Depth int
	// OmitNullID leaves the id out of an answer to a message whose id could not be read, where
	// JSON-RPC 2.0 (section 5) has null.
	OmitNullID bool
}

// Decode implements [Envelope]. The members of m are views of frame, which must never change
// again. Where the specification leaves a choice: of a repeated member the last one counts; a
// message with a method is a call, whatever else it has; null params are absent ones, and a call
// with a null id is refused; of an answer with both outcomes the error counts, unless it is null.
// An answer that breaks the rules still is an answer, a failed one: somebody waits for it, and an
// error sent back would bear the id of a call of ours, which means nothing to its receiver.
func (j JSONRPC) Decode(frame []byte, m *Message) *jsonrpc2.Error {
	*m = Message{Raw: frame}
	var e envelope
	if err := e.scan(frame, j.Depth); err != nil {
		return err
	}
	m.Extra = e.extra
	switch {
	case e.method != nil:
		return e.call(m)
	case e.err != nil, e.result != nil && e.id != nil:
		e.answer(m)
		return nil
	}
	if validID(e.id) {
		m.ID = e.id
	}
	return invalidRequest("the message has no method, and no result or error for an id")
}

// Append implements [Envelope].
func (j JSONRPC) Append(dst []byte, m *Message) []byte {
	dst = slices.Grow(dst, 16+messageSize(m))
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	switch {
	case len(m.ID) > 0:
		dst = append(append(dst, `,"id":`...), m.ID...)
	case m.Kind == KindResponse && !j.OmitNullID:
		dst = append(dst, `,"id":null`...)
	}
	if m.Kind == KindResponse {
		dst = appendOutcome(dst, m)
	} else {
		dst = appendCall(dst, m)
	}
	return append(append(dst, m.Extra...), '}')
}

func appendOutcome(dst []byte, m *Message) []byte {
	switch {
	case len(m.Error) > 0:
		return append(append(dst, `,"error":`...), m.Error...)
	case len(m.Result) > 0:
		return append(append(dst, `,"result":`...), m.Result...)
	}
	return append(dst, `,"result":null`...)
}

func appendCall(dst []byte, m *Message) []byte {
	dst = appendString(append(dst, `,"method":`...), m.Method)
	if len(m.Params) > 0 {
		dst = append(append(dst, `,"params":`...), m.Params...)
	}
	return dst
}

// appendString appends s as a JSON string.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string is always marshaled
			return append(dst, quoted...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}

// envelope is the members of a JSON-RPC object as they are written; nil where one is absent. The
// extra ones are those without a meaning, as [Message] has them.
type envelope struct{ version, id, method, params, result, err, extra json.RawMessage }

// scan checks frame and finds its members.
func (e *envelope) scan(frame []byte, depth int) *jsonrpc2.Error {
	s := newScanner(frame, depth)
	start := s.space(0)
	object := s.byte(start) == '{'
	var end int
	if object {
		end = s.object(start, e.set)
	} else {
		end = s.value(start, 0)
	}
	if s.end(end) < 0 {
		return parseError(s.fault())
	}
	if !object {
		return invalidRequest("a message is an object")
	}
	return nil
}

// set stores a member. Names are compared by their characters (RFC 8259, section 8.3); resolving
// escapes only where nothing else matched keeps that cheap.
func (e *envelope) set(name, value []byte) {
	p := e.member(view(name))
	if p == nil {
		p = e.member(characters(name))
	}
	switch {
	case p != nil:
		*p = value
	case !resembles(characters(name)):
		e.extra = slices.Grow(e.extra, len(name)+len(value)+2)
		e.extra = append(append(append(append(e.extra, ','), name...), ':'), value...)
	}
}

// resembles reports whether a name differs from that of a member by nothing but its case. Such a
// member is nowhere passed on: many libraries, encoding/json for one, would take it for the other,
// so that an id of one side of a relay got to the other.
func resembles(name string) bool {
	return slices.ContainsFunc(memberNames[:], func(known string) bool {
		return strings.EqualFold(name, known)
	})
}

var memberNames = [...]string{
	`"jsonrpc"`, `"id"`, `"method"`, `"params"`, `"result"`, `"error"`,
}

func (e *envelope) member(name string) *json.RawMessage {
	switch name {
	case `"jsonrpc"`:
		return &e.version
	case `"id"`:
		return &e.id
	case `"method"`:
		return &e.method
	case `"params"`:
		return &e.params
	case `"result"`:
		return &e.result
	case `"error"`:
		return &e.err
	}
	return nil
}

// call makes m the request or notification that e is (section 4).
func (e *envelope) call(m *Message) *jsonrpc2.Error {
	if validID(e.id) {
		m.ID = e.id
	}
	switch {
	case !e.version2():
		return invalidRequest(`jsonrpc is not "2.0"`)
	case !isString(e.method):
		return invalidRequest("method is not a string")
	case m.ID == nil && e.id != nil:
		return invalidRequest("id is neither a string nor a number")
	}
	if !isNull(e.params) {
		m.Params = e.params
	}
	if m.Params != nil && m.Params[0] != '[' && m.Params[0] != '{' {
		m.Params = nil
		return invalidRequest("params are neither an array nor an object")
	}
	m.Method = text(e.method)
	m.Kind = KindRequest
	if m.ID == nil {
		m.Kind = KindNotification
	}
	return nil
}

// answer makes m the response that e is (section 5).
func (e *envelope) answer(m *Message) {
	m.Kind = KindResponse
	if validID(e.id) || isNull(e.id) {
		m.ID = e.id
	}
	switch {
	case !e.version2():
		m.Error = malformed("its jsonrpc is not 2.0", m.Raw)
	case e.err != nil && !(isNull(e.err) && e.result != nil):
		m.Error = checkedError(e.err)
	default:
		m.Result = e.result
	}
}

func (e *envelope) version2() bool {
	return string(e.version) == `"2.0"` || characters(e.version) == `"2.0"`
}

func validID(raw []byte) bool { return isString(raw) || isNumber(raw) }

func isNull(raw []byte) bool { return len(raw) > 0 && raw[0] == 'n' }

// checkedError returns raw if it is an error object (section 5.1), else one that says it is not.
func checkedError(raw json.RawMessage) json.RawMessage {
	code, _ := Member(raw, "code")
	if _, err := strconv.ParseInt(view(code), 10, 64); err != nil {
		return malformed("its error has no integer code", raw)
	}
	if message, _ := Member(raw, "message"); !isString(message) {
		return malformed("its error has no message", raw)
	}
	return raw
}

// malformed is the error a caller gets in place of an answer that breaks the rules.
func malformed(why string, answer json.RawMessage) json.RawMessage {
	const format = `{"code":%d,"message":"malformed answer: %s","data":%s}`
	return fmt.Appendf(nil, format, jsonrpc2.CodeInternalError, why, answer)
}

func parseError(err error) *jsonrpc2.Error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: err.Error()}
}

func invalidRequest(why string) *jsonrpc2.Error {
	return &jsonrpc2.Error{
		Code:    jsonrpc2.CodeInvalidRequest,
		Message: "invalid request: " + why,
	}
}

// SplitBatch checks a batch (section 6), nested at most depth levels, and returns its elements,
// whatever they are. Zero for depth is what it is for [JSONRPC]. Of a batch that has more than most
// elements it returns the first ones, and an error: two bytes can be an element, which costs a
// hundred times that. With any other error it returns none.
func SplitBatch(frame []byte, depth, most int) ([]json.RawMessage, *jsonrpc2.Error) {
	s := newScanner(frame, depth)
	start := s.space(0)
	if s.byte(start) != '[' {
		return nil, invalidRequest("a batch is an array")
	}
	var elements []json.RawMessage
	count := 0
	end := s.array(start, func(value []byte) {
		if count++; count <= most {
			elements = append(elements, value)
		}
	})
	switch {
	case s.end(end) < 0:
		return nil, parseError(s.fault())
	case count == 0:
		return nil, invalidRequest("the batch is empty")
	case count > most:
		return elements, invalidRequest(fmt.Sprintf(
			"the batch has %d elements, the limit is %d", count, most))
	}
	return elements, nil
}
