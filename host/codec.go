package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
)

// codeCancelled is the error code of a cancelled request (LSP 3.18, errorCodes).
const codeCancelled = -32800

// errCancelled is the answer to a cancelled request where the dialect has none of its own.
var errCancelled = &jsonrpc2.Error{Code: codeCancelled, Message: "request cancelled"}

// maxOutputDepth bounds the nesting of what a handler sends.
const maxOutputDepth = 10_000

// marshal encodes a value with the dialect's codec. Raw JSON is checked and otherwise left alone.
func (d *Dialect) marshal(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case nil:
		return null, nil
	case Verbatim:
		return v.JSON, nil
	case json.RawMessage:
		return checkRaw(v)
	case *json.RawMessage:
		if v == nil {
			return null, nil
		}
		return checkRaw(*v)
	}
	if d.Marshal != nil {
		return d.Marshal(v)
	}
	return marshalJSON(v)
}

func checkRaw(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return null, nil
	}
	raw = bytes.Trim(raw, " \t\r\n")
	if err := validJSON(raw, maxOutputDepth); err != nil {
		return nil, err
	}
	return raw, nil
}

// marshalJSON is json.Marshal without the escapes that make sense in HTML only.
func marshalJSON(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

func (d *Dialect) unmarshal(data []byte, v any) error {
	if d.Unmarshal != nil {
		return d.Unmarshal(data, v)
	}
	return json.Unmarshal(data, v)
}

// errorObject returns what goes to the wire for an error of a handler: a *jsonrpc2.Error as it
// is, wherever it is wrapped, and -32603 for any other error.
func errorObject(err error) json.RawMessage {
	var peer *peerError
	if errors.As(err, &peer) {
		return peer.raw
	}
	var wire *jsonrpc2.Error
	if !errors.As(err, &wire) {
		wire = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
	}
	return errorJSON(wire)
}

// errorExtra returns the extra members of the answer that err came in, if it is one of a peer.
func errorExtra(err error) json.RawMessage {
	var peer *peerError
	if errors.As(err, &peer) {
		return peer.extra
	}
	return nil
}

func errorJSON(e *jsonrpc2.Error) json.RawMessage {
	if e.Data != nil {
		if _, err := checkRaw(*e.Data); err != nil {
			e = &jsonrpc2.Error{Code: e.Code, Message: fmt.Sprintf("%s (data: %v)", e.Message, err)}
		}
	}
	raw, err := marshalJSON(e)
	if err != nil {
		raw = []byte(`{"code":-32603,"message":"internal error"}`)
	}
	return raw
}
