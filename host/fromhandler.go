package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// FromHandler returns a method set of plain JSON-RPC 2.0 that serves each session with h, a handler
// written for a jsonrpc2.Conn, as it is. The calls and notifications it sends on the Conn it is
// given reach the peer of the session; DisconnectNotify and the context tell it of the end.
//
// As a Conn would, a session has h handle one message after another, in the order they arrived;
// h may be wrapped in a jsonrpc2.AsyncHandler. Unlike on a Conn of its own, h may wait for the
// answer to a call. What it sees as ids are numbers from 1 in place of the peer's, some of which a
// Conn cannot hold.
//
// The context h gets is that of the whole session, since h may keep it. So a request that its peer
// cancels is answered by the session, and h gets the notification `$/cancelRequest` with the id
// that it knows. A panic costs its request an error, but not in a goroutine that h starts, as an
// AsyncHandler does: nobody can contain that, and the process ends.
func FromHandler(name string, h jsonrpc2.Handler) MethodSet {
	return &foreignSet{name: name, handler: h}
}

type foreignSet struct {
	name    string
	handler jsonrpc2.Handler
}

// serial is plain JSON-RPC with the order of a jsonrpc2.Conn.
var serial = func() *Dialect {
	d := *Plain
	d.Lane = func(*Message) Lane { return Ordered }
	return &d
}()

// Name implements [MethodSet].
func (f *foreignSet) Name() string { return f.name }

// Dialect implements [MethodSet].
func (f *foreignSet) Dialect() *Dialect { return serial }

// Open implements [MethodSet].
func (f *foreignSet) Open(ctx context.Context, s *Session) (Handler, error) {
	b := &bridge{session: s, handler: f.handler, answers: make(chan []byte)}
	b.ctx, b.cancel = context.WithCancel(ctx)
	logger := slog.NewLogLogger(s.Logger().Handler(), slog.LevelDebug)
	// The Conn is given a handler that it never calls.
	b.conn = jsonrpc2.NewConn(b.ctx, stream{b}, f.handler, jsonrpc2.SetLogger(logger))
	return b, nil
}

// bridge is the [Handler] of a session whose messages a jsonrpc2.Handler handles. The Conn which
// that handler is given speaks on a [stream]. What it writes are answers, which Handle waits for,
// and messages to the peer. What it reads are answers of the peer alone: requests go to the handler
// past it, since it changes the bytes of their params and the ids of some.
type bridge struct {
	session *Session
	handler jsonrpc2.Handler
	conn    *jsonrpc2.Conn
	ctx     context.Context // ends with the session, or when the handler closes the Conn
	cancel  context.CancelFunc
	answers chan []byte // of the peer, for the Conn to read

	turn sync.Mutex // held while the handler runs

	mu   sync.Mutex // guards the fields below
	last uint64     // id given to a request
	open map[uint64]*reply
}

// reply is the answer to a request, once the handler has given it.
type reply struct {
	given   chan struct{}
	message *Message // guarded by bridge.mu
}

// Handle implements [Handler].
func (b *bridge) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if req.Notif {
		b.run(req)
		return nil, nil
	}
	id, r := b.expect()
	defer b.forget(id)
	known := *req
	known.ID = jsonrpc2.ID{Num: id}
	b.run(&known)
	Release(ctx) // an AsyncHandler has returned before it answers
	select {
	case <-r.given:
	case <-ctx.Done():
		b.passCancel(id)
	case <-b.ctx.Done():
	}
	return b.outcome(ctx, r)
}

func (b *bridge) run(req *jsonrpc2.Request) {
	b.turn.Lock()
	defer b.turn.Unlock()
	b.handler.Handle(b.ctx, b.conn, req)
}

// passCancel tells the handler that the peer cancelled a request. The handler may be busy with
// another message, which its answer must not wait for.
func (b *bridge) passCancel(id uint64) {
	if b.ctx.Err() != nil {
		return
	}
	params := json.RawMessage(fmt.Sprintf(`{"id":%d}`, id))
	b.session.Go(func(context.Context) {
		b.run(&jsonrpc2.Request{Method: CancelMethod, Params: &params, Notif: true})
	})
}

// outcome returns what a request is answered with.
func (b *bridge) outcome(ctx context.Context, r *reply) (any, error) {
	b.mu.Lock()
	m := r.message
	b.mu.Unlock()
	switch {
	case m == nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case m == nil:
		return nil, errors.New("the handler closed its connection")
	case m.Error != nil:
		return nil, newPeerError(m)
	}
	return Verbatim{JSON: m.Result, extra: m.Extra}, nil
}

// expect enters a request in the table of those that wait for their answer.
func (b *bridge) expect() (uint64, *reply) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open == nil {
		b.open = map[uint64]*reply{}
	}
	b.last++
	r := &reply{given: make(chan struct{})}
	b.open[b.last] = r
	return b.last, r
}

func (b *bridge) forget(id uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, id)
}

// Close is the end of the session for the handler. The Conn closes with the session's context.
func (b *bridge) Close(error) { <-b.conn.DisconnectNotify() }
