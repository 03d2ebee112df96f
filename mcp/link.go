package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// link connects a session of a host with the server, for which it is the connection to a client.
// It implements [sdk.Transport] and [sdk.Connection]. Towards the server requests have ids of the
// link's own, integers from 1: the server would take 1.5 for 1, and 2^53+1 for 2^53.
type link struct {
	session *host.Session
	slots   slots
	modern  bool
	listen  *subscription // that of a link for subscriptions/listen, else nil

	client  *sdk.ServerSession
	in      chan jsonrpc.Message // what the server reads
	closed  chan struct{}        // nothing is read any more
	hangUp  func()               // closes closed, once
	leaving atomic.Bool          // we hang up, not the server

	calls calls
	asked asked
}

// linkKey is the key in the contexts of the server under which a link finds itself.
type linkKey struct{}

// linkFrom returns the link a request came by that is handled under ctx, nil if it came by HTTP.
func linkFrom(ctx context.Context) *link {
	l, _ := ctx.Value(linkKey{}).(*link)
	return l
}

// queued is how many messages may wait for the server to read them. It reads without delay.
const queued = 16

// errHungUp is what requests get that the server can no longer answer.
var errHungUp = fmt.Errorf("%w: the server has ended it", host.ErrClosed)

func (l *link) open(h *handler) error {
	l.session, l.slots = h.session, h.slots
	l.in, l.closed = make(chan jsonrpc.Message, queued), make(chan struct{})
	l.hangUp = sync.OnceFunc(func() { close(l.closed) })
	ctx := context.WithValue(h.session.Context(), linkKey{}, l)
	var err error
	l.client, err = h.set.server.Connect(ctx, l, nil)
	return err
}

// Connect implements [sdk.Transport].
func (l *link) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// SessionID implements [sdk.Connection].
func (l *link) SessionID() string { return "" }

// Read implements [sdk.Connection].
func (l *link) Read(context.Context) (jsonrpc.Message, error) {
	select {
	case m := <-l.in:
		return m, nil
	case <-l.closed:
		return nil, io.EOF
	}
}

// Close implements [sdk.Connection]. The server calls it when it is done with the client; if it
// was the server that hung up, that ends the session.
func (l *link) Close() error {
	l.hangUp()
	if !l.leaving.Load() {
		l.session.End()
	}
	return nil
}

// leaveTime is what the server gets to end what it does for a client that has left.
const leaveTime = time.Second

// leave hangs up, and waits until the server has noticed. A server waits for its tools without
// limit, so leave does not wait for the server.
func (l *link) leave() {
	l.leaving.Store(true)
	l.hangUp()
	if !ends(func() { l.client.Close() }) {
		l.session.Logger().Warn("a tool ignores that its client has left")
	}
}

// ends runs f, which belongs to the server, and reports whether it ends in good time.
func ends(f func()) bool {
	ended := make(chan struct{})
	go func() {
		f()
		close(ended)
	}()
	timer := time.NewTimer(leaveTime)
	defer timer.Stop()
	select {
	case <-ended:
		return true
	case <-timer.C:
		return false
	}
}

// push hands a message to the server, unless it has hung up.
func (l *link) push(m jsonrpc.Message) {
	select {
	case l.in <- m:
	case <-l.closed:
	}
}

func (l *link) notify(method string, params json.RawMessage) {
	l.push(&jsonrpc.Request{Method: method, Params: params})
}

// call sends a request and waits for its answer. It calls sent, if that is not nil, once nothing
// can come before the request any more.
func (l *link) call(
	ctx context.Context, method string, params json.RawMessage, sent func(),
) (any, error) {
	c := l.send(method, params)
	defer l.calls.take(c.id)
	if sent != nil {
		sent()
	}
	select {
	case out := <-c.answer:
		return out.result, out.err
	case <-l.closed:
		return nil, errHungUp
	case <-ctx.Done():
	}
	l.cancel(c)
	if l.session.Context().Err() == nil {
		return nil, ctx.Err() // the client gave up: nobody waits for an answer
	}
	return l.await(c)
}

func (l *link) send(method string, params json.RawMessage) *call {
	c := l.calls.add(method)
	l.push(&jsonrpc.Request{ID: serverID(c.id), Method: method, Params: params})
	return c
}

// await waits for the answer to a call that has been cancelled.
func (l *link) await(c *call) (any, error) {
	select {
	case out := <-c.answer:
		return out.result, out.err
	case <-l.closed:
		return nil, errHungUp
	}
}

// cancel tells the server that a call is no longer wanted.
func (l *link) cancel(c *call) {
	l.notify(methodCancelled, fmt.Appendf(nil, `{"requestId":%d}`, c.id))
}

// Write implements [sdk.Connection]. What cannot be sent costs that message, not the link: an error
// that is not errRejected would have the server hang up.
func (l *link) Write(ctx context.Context, m jsonrpc.Message) error {
	var err error
	switch m := m.(type) {
	case *jsonrpc.Response:
		l.answer(m)
	case *jsonrpc.Request:
		if m.IsCall() {
			err = l.ask(ctx, m)
		} else {
			err = l.tell(ctx, m)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errRejected, err)
	}
	return nil
}

// errRejected is how a server knows that a message was refused by a connection that goes on: by
// this code, which it has no name for.
var errRejected = &jsonrpc.Error{Code: -32005, Message: "not sent"}

// answer gives a request its answer. One that has been cancelled is not in the table any more.
func (l *link) answer(m *jsonrpc.Response) {
	id, _ := m.ID.Raw().(int64)
	c := l.calls.take(id)
	switch {
	case c == nil:
	case m.Error != nil:
		c.answer <- outcome{err: wireError(c.method, l.modern, m.Error)}
	case l.listen != nil:
		c.answer <- outcome{result: l.listen.tagged(m.Result)}
	default:
		c.answer <- outcome{result: m.Result}
	}
}

// tell sends a notification of the server to the client. A modern client is told of changes only
// where it listens (2026-07-28, Subscriptions).
func (l *link) tell(ctx context.Context, m *jsonrpc.Request) error {
	switch {
	case m.Method == methodCancelled:
		l.asked.cancel(m.Params)
		return nil
	case !l.modern || !isSubscribed(m.Method):
		return l.session.Notify(ctx, m.Method, m.Params)
	case l.listen == nil:
		return nil
	}
	return l.listen.tell(ctx, l.session, m)
}

// errNoRequests is what the server gets instead of sending a request to a modern client
// (2026-07-28, Lifecycle). It is known to it as "method not found", which ends its pings.
var errNoRequests = &jsonrpc.Error{
	Code:    jsonrpc.CodeMethodNotFound,
	Message: "a server sends no requests from version " + modernEra + " on",
}

// ask sends a request of the server to the client, and hands the answer to the server when it
// comes. The server waits for it under its own id.
func (l *link) ask(ctx context.Context, m *jsonrpc.Request) error {
	if l.modern {
		return errNoRequests
	}
	until, cancel := l.asked.add(l.session.Context(), m.ID)
	w, err := l.session.Dispatch(ctx, m.Method, m.Params)
	if err != nil {
		cancel()
		return err
	}
	if !l.session.Go(func(context.Context) {
		defer cancel()
		var result json.RawMessage
		err := w.Wait(until, &result)
		l.push(&jsonrpc.Response{ID: m.ID, Result: result, Error: serverError(err)})
	}) {
		cancel()
		return host.ErrClosed
	}
	return nil
}

// serverError returns err as the server knows it.
func serverError(err error) error {
	var answer *jsonrpc2.Error
	if !errors.As(err, &answer) {
		return err
	}
	e := &jsonrpc.Error{Code: answer.Code, Message: answer.Message}
	if answer.Data != nil {
		e.Data = *answer.Data
	}
	return e
}
