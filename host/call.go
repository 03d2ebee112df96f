package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"
)

// ErrCallTimeout is what a call gets whose peer does not answer in time.
var ErrCallTimeout = errors.New("the peer did not answer in time")

// Call implements [jsonrpc2.JSONRPC2]: it sends a request to the peer and waits for the answer,
// which it decodes into result with the codec of the session's dialect; a result that is a
// *json.RawMessage gets the bytes as they came. An error answer is returned as a
// *[jsonrpc2.Error]; it keeps its bytes when a handler returns it as its own error.
//
// If ctx ends first, the peer is told in the dialect's way, and the late answer is dropped. A
// context without deadline gets that of [Limits.CallTimeout]. Call options belong to
// jsonrpc2.Conn and are refused. Call is safe for concurrent use, and from any handler.
//
// The caller may be the one who writes what the session has queued. While the peer takes none of
// that, Call goes on after the end of ctx, until [Limits.WriteTimeout] at most: a message that is
// half on the wire cannot be withdrawn.
func (s *Session) Call(
	ctx context.Context, method string, params, result any, opts ...jsonrpc2.CallOption,
) error {
	if err := refuseOptions(opts); err != nil {
		return err
	}
	return s.sender.Call(ctx, method, params, result)
}

// Notify implements [jsonrpc2.JSONRPC2]: it sends a notification to the peer. It waits while the
// output queue is full, until ctx ends, and may write what is in the queue, as [Session.Call] does.
// Notify is safe for concurrent use.
func (s *Session) Notify(
	ctx context.Context, method string, params any, opts ...jsonrpc2.CallOption,
) error {
	if err := refuseOptions(opts); err != nil {
		return err
	}
	return s.sender.Notify(ctx, method, params)
}

func refuseOptions(opts []jsonrpc2.CallOption) error {
	if len(opts) > 0 {
		return errors.New("call options work on a jsonrpc2.Conn only, not on a session")
	}
	return nil
}

// Sender sends messages to a peer. Outgoing middleware wraps it.
type Sender interface {
	// Call sends a request and decodes its answer into result.
	Call(ctx context.Context, method string, params, result any) error
	// Notify sends a notification.
	Notify(ctx context.Context, method string, params any) error
}

// direct is the innermost Sender of a session.
type direct struct{ s *Session }

// Notify implements [Sender].
func (d direct) Notify(ctx context.Context, method string, params any) error {
	raw, err := d.s.dialect().marshalParams(params)
	if err != nil {
		return fmt.Errorf("params of %s: %w", method, err)
	}
	return d.s.send(ctx, &Message{Kind: KindNotification, Method: method, Params: raw})
}

// Call implements [Sender].
func (d direct) Call(ctx context.Context, method string, params, result any) error {
	w, err := d.s.Dispatch(ctx, method, params)
	if err != nil {
		return err
	}
	return w.Wait(ctx, result)
}

// Waiter waits for the answer to a request that was sent with [Session.Dispatch].
type Waiter struct {
	s      *Session
	id     uint64
	method string
	answer <-chan *Message
}

// Dispatch sends a request, past outgoing middleware, and returns what waits for its answer: it is
// for those to whom the order matters in which requests and notifications leave. Wait must be
// called once.
func (s *Session) Dispatch(ctx context.Context, method string, params any) (*Waiter, error) {
	raw, err := s.dialect().marshalParams(params)
	if err != nil {
		return nil, fmt.Errorf("params of %s: %w", method, err)
	}
	return s.dispatch(ctx, &Message{Kind: KindRequest, Method: method, Params: raw}, newCall())
}

// dispatch sends the request m, to which it gives an id.
func (s *Session) dispatch(ctx context.Context, m *Message, c *call) (*Waiter, error) {
	_, bounded := ctx.Deadline()
	id, err := s.calls.add(c, !bounded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Method, err)
	}
	m.ID = callID(id)
	if err := s.send(ctx, m); err != nil {
		s.calls.take(id)
		return nil, fmt.Errorf("%s: %w", m.Method, err)
	}
	return &Waiter{s: s, id: id, method: m.Method, answer: c.answer}, nil
}

func callID(id uint64) json.RawMessage { return strconv.AppendUint(nil, id, 10) }

// Wait waits for the answer and decodes it into result, as [Session.Call] does.
func (w *Waiter) Wait(ctx context.Context, result any) error {
	m, err := w.outcome(ctx)
	if err != nil {
		return err
	}
	return w.s.dialect().unmarshalResult(w.method, m.Result, result)
}

// outcome waits for the answer, which is an error if it says so.
func (w *Waiter) outcome(ctx context.Context) (*Message, error) {
	m, err := w.await(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.method, err)
	}
	switch {
	case m.Kind != KindResponse:
		return nil, ErrNoAnswer
	case m.Error != nil:
		return nil, newPeerError(m)
	}
	return m, nil
}

// await waits for the answer to a call, and gives the call up if there is none.
func (w *Waiter) await(ctx context.Context) (*Message, error) {
	select {
	case m, ok := <-w.answer:
		switch {
		case !ok:
			return nil, w.s.calls.cause()
		case m == nil:
			w.cancel()
			return nil, fmt.Errorf("%w (--call-timeout %s)", ErrCallTimeout, w.s.limits.CallTimeout)
		}
		return m, nil
	case <-ctx.Done():
		if w.s.calls.take(w.id) != nil {
			w.cancel()
		}
		return nil, context.Cause(ctx)
	}
}

// cancel tells the peer that the answer is no longer wanted. It does not wait for a peer that reads
// nothing.
func (w *Waiter) cancel() {
	d := w.s.dialect()
	if d.CancelCall == nil {
		return
	}
	if m := d.CancelCall(callID(w.id), w.method); m != nil {
		err := w.s.out.sendNow(m)
		w.s.Go(func(context.Context) { w.s.afterQueuing(err) })
	}
}

// peerError is an error answer of the peer. It remembers its bytes, so that a handler that
// returns it passes on what the peer said and not a copy of it.
type peerError struct {
	err        *jsonrpc2.Error
	raw, extra json.RawMessage // see [Message]
}

// Error implements error.
func (e *peerError) Error() string { return e.err.Error() }

// newPeerError decodes the error object of m by the exact names of its members, which encoding/json
// does not go by.
func newPeerError(m *Message) error {
	raw := m.Error
	e := &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError}
	code, _ := Member(raw, "code")
	if n, err := strconv.ParseInt(string(code), 10, 64); err == nil {
		e.Code = n
	}
	if message, _ := Member(raw, "message"); isString(message) {
		e.Message = text(message)
	}
	if data, ok := Member(raw, "data"); ok {
		e.Data = &data
	}
	return &peerError{err: e, raw: raw, extra: m.Extra}
}

// Unwrap lets errors.As find the *jsonrpc2.Error.
func (e *peerError) Unwrap() error { return e.err }

// unmarshalResult decodes the result of a call.
func (d *Dialect) unmarshalResult(method string, raw json.RawMessage, result any) error {
	switch r := result.(type) {
	case nil:
		return nil
	case *json.RawMessage:
		*r = raw
		return nil
	}
	if err := d.unmarshal(raw, result); err != nil {
		return fmt.Errorf("result of %s: %w", method, err)
	}
	return nil
}

// marshalParams encodes params, nil meaning none.
func (d *Dialect) marshalParams(params any) (json.RawMessage, error) {
	if params == nil {
		return nil, nil
	}
	raw, err := d.marshal(params)
	if err != nil || bytes.Equal(raw, null) {
		return nil, err
	}
	if c := raw[0]; c != '{' && c != '[' {
		return nil, fmt.Errorf("must be an object or an array, not %.40s", raw)
	}
	return raw, nil
}

var null = json.RawMessage("null")
