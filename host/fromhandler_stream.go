package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"
)

// stream is the bridge as its Conn sees it.
type stream struct{ *bridge }

var _ jsonrpc2.ObjectStream = stream{}

// ReadObject implements [jsonrpc2.ObjectStream]: it waits for an answer of the peer.
func (s stream) ReadObject(v any) error {
	select {
	case answer := <-s.answers:
		return json.Unmarshal(answer, v)
	case <-s.ctx.Done():
		return io.EOF
	}
}

// Close implements [jsonrpc2.ObjectStream]. If it is the handler that closes the Conn, the session
// ends in order.
func (s stream) Close() error {
	s.cancel()
	s.session.End()
	return nil
}

// WriteObject implements [jsonrpc2.ObjectStream]: it takes an answer of the handler, or a message
// to the peer.
func (s stream) WriteObject(obj any) error {
	raw, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	var m Message
	if err := (JSONRPC{}).Decode(raw, &m); err != nil {
		return err
	}
	switch m.Kind {
	case KindResponse:
		return s.answer(&m)
	case KindNotification:
		return s.session.Notify(s.ctx, m.Method, m.Params)
	}
	return s.ask(&m)
}

// answer takes the answer to a request, the first one alone.
func (s stream) answer(m *Message) error {
	id, err := strconv.ParseUint(string(m.ID), 10, 64)
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.open[id]
	if err != nil || r == nil || r.message != nil {
		return fmt.Errorf("no request with id %s waits for an answer", m.ID)
	}
	r.message = m
	close(r.given)
	return nil
}

// ask sends a request to the peer, in the order of the writes, and lets the answer be read. A Conn
// does not say when it stops waiting, so that takes at most as long as a call of the session may.
func (s stream) ask(m *Message) error {
	w, err := s.session.Dispatch(s.ctx, m.Method, m.Params)
	if err != nil {
		return err
	}
	started := s.session.Go(func(ctx context.Context) {
		answer := Message{Kind: KindResponse, ID: m.ID}
		if err := w.Wait(ctx, &answer.Result); err != nil {
			answer.Error = errorObject(err)
		}
		select {
		case s.answers <- (JSONRPC{}).Append(nil, &answer):
		case <-s.ctx.Done():
		}
	})
	if !started {
		return errors.New("the session has ended")
	}
	return nil
}
