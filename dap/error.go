package dap

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// The error codes of a session that have a meaning of their own in this protocol. All other
// codes are ids of an [Error].
const (
	CodeCancelled  = -32800 // the predefined message "cancelled"
	CodeNotStopped = -32002 // the predefined message "notStopped"
	CodeFailed     = -32001 // a failed response without an Error
)

// ErrNotStopped is the answer to a request that works only while the debuggee is stopped, such
// as `scopes`. A client may try again then.
var ErrNotStopped error = &jsonrpc2.Error{
	Code: CodeNotStopped, Message: "the debuggee is not stopped",
}

// Error is a failure in words for the user; the schema calls it Message. A handler that returns
// one, wrapped or not, is answered with an ErrorResponse that holds it.
type Error struct {
	// ID identifies the error among all that the adapter has. It should not be 0.
	ID int `json:"id"`
	// Format is the text. {name} in it stands for one of Variables.
	Format string `json:"format"`
	// Variables whose names begin with an underscore are free of personal data.
	Variables     map[string]string `json:"variables,omitzero"`
	SendTelemetry *bool             `json:"sendTelemetry,omitzero"`
	// ShowUser asks the client to show the error at once. Nil is sent as false.
	ShowUser *bool   `json:"showUser,omitzero"`
	URL      *string `json:"url,omitzero"`      // where to read more
	URLLabel *string `json:"urlLabel,omitzero"` // the name of the link to it
	Extra
}

// Errorf returns an Error whose text is formatted as by fmt.Sprintf. It is not shown at once.
func Errorf(id int, format string, args ...any) *Error {
	return &Error{ID: id, Format: fmt.Sprintf(format, args...)}
}

// Error implements error: it returns the text with the variables in place.
func (e *Error) Error() string {
	var b strings.Builder
	for rest := e.Format; ; {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, behind, closed := strings.Cut(after, "}")
		value, known := e.Variables[name]
		if closed && known {
			b.WriteString(value)
			rest = behind
			continue
		}
		b.WriteByte('{')
		rest = after
	}
}

// As makes errors.As find the answer that the session gives for e.
func (e *Error) As(target any) bool {
	answer, ok := target.(**jsonrpc2.Error)
	if !ok {
		return false
	}
	sent := *e
	if sent.ShowUser == nil {
		sent.ShowUser = new(false)
	}
	*answer = &jsonrpc2.Error{Code: int64(e.ID), Message: e.Error()}
	if data, err := marshal(errorBody{Error: &sent}); err == nil {
		(*answer).Data = (*json.RawMessage)(&data)
	}
	return true
}

// AsError returns the Error that err holds: one of ours, or what the peer answered a call with.
func AsError(err error) (*Error, bool) {
	var own *Error
	if errors.As(err, &own) {
		return own, true
	}
	var answer *jsonrpc2.Error
	if !errors.As(err, &answer) || answer.Data == nil {
		return nil, false
	}
	var body errorBody
	if unmarshal(*answer.Data, &body) != nil || body.Error == nil {
		return nil, false
	}
	return body.Error, true
}

// errorBody is the body of an ErrorResponse.
type errorBody struct {
	Error *Error `json:"error,omitzero"`
	Extra
}
