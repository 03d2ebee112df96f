package framing

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// NewObjectStream returns a stream that lets a jsonrpc2.Conn speak framing f over rwc, within the
// limits l. Under Auto it writes in the framing that the peer turned out to speak, and in Newline
// until then.
//
// A Conn closes on everything its stream reports, so the stream itself answers what is no message,
// with an error whose id is null, and reads on: -32700 for a bad frame or bad JSON, -32600 for JSON
// that a Conn has no place for, such as a batch or an id of 1.5. The Conn learns only of the end
// and of a lost boundary, of the latter after the answer. A response that a Conn cannot take is
// dropped, and so is one whose id is null: it answers no call, but a Conn takes it for the answer
// to its call number 0. It is ReadObject that writes these answers, so it waits for a peer that
// does not read them.
//
// WriteObject makes one Write for each message and is safe for concurrent use. When a Write fails
// part of a frame may be out, so rwc is closed.
func NewObjectStream(rwc io.ReadWriteCloser, f Framing, l Limits) jsonrpc2.ObjectStream {
	return &objectStream{rwc: rwc, in: NewReader(rwc, f, l)}
}

type objectStream struct {
	rwc io.ReadWriteCloser
	in  *Reader

	writing sync.Mutex // held for the Write of one frame
}

// ReadObject reads the next message that v, a pointer, can hold.
func (s *objectStream) ReadObject(v any) error {
	for {
		msg, err := s.next()
		if err != nil {
			return err
		}
		if ok, err := s.decode(msg, v); ok || err != nil {
			return err
		}
	}
}

// next returns the next frame, after answering the bad ones before it.
func (s *objectStream) next() ([]byte, error) {
	for {
		msg, err := s.in.Next()
		var bad *Error
		if !errors.As(err, &bad) {
			return msg, err
		}
		refused := s.refuse(jsonrpc2.CodeParseError, bad.Detail)
		if bad.Fatal {
			return nil, bad
		}
		if refused != nil {
			return nil, refused
		}
	}
}

// decode stores msg in v. It returns false for a message to pass over, which it has answered where
// an answer is due: a response never gets one.
func (s *objectStream) decode(msg []byte, v any) (bool, error) {
	var e envelope
	_ = json.Unmarshal(msg, &e) // what is no JSON object leaves e empty, and v finds out as well
	response := e.Method == nil && (e.Result != nil || e.Error != nil)
	if response && string(e.ID) == "null" {
		return false, nil
	}
	err := json.Unmarshal(msg, v)
	if err == nil {
		return true, nil
	}
	// What the failed attempt has left in v must not mix with the next message.
	reflect.ValueOf(v).Elem().SetZero()
	switch {
	case response:
		return false, nil
	case json.Valid(msg):
		return false, s.refuse(jsonrpc2.CodeInvalidRequest, err.Error())
	}
	return false, s.refuse(jsonrpc2.CodeParseError, err.Error())
}

// WriteObject writes v as one frame.
func (s *objectStream) WriteObject(v any) error {
	msg, err := json.Marshal(v)
	if err != nil {
		return err
	}
	frame := s.in.Framing().Append(nil, msg)
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err = s.rwc.Write(frame); err != nil {
		return errors.Join(err, s.rwc.Close())
	}
	return nil
}

// Close closes the underlying stream.
func (s *objectStream) Close() error { return s.rwc.Close() }

// refuse writes an error that answers no request in particular.
func (s *objectStream) refuse(code int64, message string) error {
	type answer struct {
		Version string         `json:"jsonrpc"`
		ID      *jsonrpc2.ID   `json:"id"`
		Error   jsonrpc2.Error `json:"error"`
	}
	e := jsonrpc2.Error{Code: code, Message: message}
	return s.WriteObject(answer{Version: "2.0", Error: e})
}

// envelope is what the stream itself reads of a message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method json.RawMessage `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}
