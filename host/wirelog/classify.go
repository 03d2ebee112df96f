package wirelog

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Kind is what a message is to the peer that gets it.
type Kind int

// The kinds of message.
const (
	Other        Kind = iota // not a message of the protocol
	Request                  // wants an answer
	Notification             // wants none
	Answer                   // to a request
)

// Message is what a [Classifier] finds in a message.
type Message struct {
	Kind    Kind
	ID      string // of a request, or of the request that is answered: the token on the wire
	Method  string // of a request or notification; an answer may leave it empty
	Err     string // what an answer says went wrong; empty when nothing did
	Cancels string // the id of the sender's own request that this message cancels
}

// Classifier tells what a message is. It gets one JSON value, never an array, because batches are
// taken apart before. It must be safe for concurrent use.
type Classifier func(msg json.RawMessage) Message

// JSONRPC is the Classifier of JSON-RPC 2.0. It knows no methods, so it finds no Cancels.
func JSONRPC(msg json.RawMessage) Message {
	// A map, because a struct would take keys for the wrong case.
	var members map[string]json.RawMessage
	if json.Unmarshal(msg, &members) != nil {
		return Message{}
	}
	id, hasID := members["id"]
	m := Message{ID: string(id)}
	if method, ok := members["method"]; ok {
		if json.Unmarshal(method, &m.Method) != nil {
			return Message{}
		}
		m.Kind = Notification
		if hasID {
			m.Kind = Request
		}
		return m
	}
	failure, failed := members["error"]
	if _, ok := members["result"]; !hasID || !ok && !failed {
		return Message{}
	}
	m.Kind = Answer
	if failed {
		m.Err = errorText(failure)
	}
	return m
}

// errorText puts a JSON-RPC error into words.
func errorText(failure json.RawMessage) string {
	var e struct {
		Code    json.RawMessage `json:"code"`
		Message string          `json:"message"`
	}
	if err := json.Unmarshal(failure, &e); err != nil || e.Code == nil {
		return fmt.Sprintf("an error without a code: %s", failure)
	}
	return fmt.Sprintf("%s %s", e.Code, e.Message)
}

// elements returns the messages in a record's message: itself, or the elements of a batch.
func elements(msg json.RawMessage) []json.RawMessage {
	var batch []json.RawMessage
	if trimmed := bytes.TrimLeft(msg, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' &&
		json.Unmarshal(msg, &batch) == nil && len(batch) > 0 {
		return batch
	}
	return []json.RawMessage{msg}
}
