package mount

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
	"triplex/host/mount/child"
)

// codeFailed is the code of a request that was in order and could not be done (LSP 3.18,
// RequestFailed). Its message is for people.
const codeFailed = -32803

// failure returns the error that a request is answered with whose failure is err. One that was
// cancelled stays that.
func failure(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &jsonrpc2.Error{Code: codeFailed, Message: err.Error()}
}

// relay is the [host.Handler] of a client's session.
type relay struct {
	set    *Set
	near   *host.Session
	log    *slog.Logger
	budget child.Budget
	replay host.Replay // used with mu held; nil if no server can take another's place

	mu     sync.Mutex // guards the fields below
	link   *link      // nil if there is no server yet
	late   error      // of a first start that took too long, until a request is told of it
	closed bool
}

// Handle implements [host.Handler]. It has the session's place in the order until it waits for an
// answer, so there is one message at a time that looks for a server.
func (r *relay) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	m := message(ctx, req)
	m.Params = r.set.splice(m, r.near, r.pid())
	if req.Notif {
		return nil, r.pass(ctx, m)
	}
	f, l, err := r.forward(ctx, m)
	if err != nil {
		return nil, failure(err)
	}
	result, err := f.Wait(ctx)
	switch {
	case err == nil:
		m.Result = result.JSON
		r.note(m)
		return r.set.answer(m, l.far, result), nil
	case errors.Is(err, host.ErrClosed):
		return nil, failure(l.cause(ctx, m))
	}
	return nil, err
}

// Close is called at the end of the client's session.
func (r *relay) Close(error) {
	r.mu.Lock()
	l := r.link
	r.closed = true
	r.mu.Unlock()
	if l != nil {
		l.close()
	}
}

// pass passes a notification on. A server that has died hears of it when it is replaced.
func (r *relay) pass(ctx context.Context, m *host.Message) error {
	r.note(m)
	err := host.ErrClosed
	if l := r.current(); l != nil {
		err = l.far.Pass(ctx, m.Method, m.Params)
	}
	if errors.Is(err, host.ErrClosed) {
		r.log.Debug("no server for a notification", "method", m.Method)
		return nil
	}
	return err
}

// forward passes a request on, to a new server if there is none or the old one has died.
func (r *relay) forward(ctx context.Context, m *host.Message) (*host.Forwarded, *link, error) {
	l := r.current()
	if l != nil {
		f, err := l.far.Forward(ctx, m.Method, m.Params)
		if !errors.Is(err, host.ErrClosed) {
			return f, l, err
		}
	}
	l, err := r.replace(ctx, l, m)
	if err != nil {
		return nil, nil, err
	}
	f, err := l.far.Forward(ctx, m.Method, m.Params)
	if errors.Is(err, host.ErrClosed) {
		err = l.cause(ctx, m)
	}
	return f, l, err
}

// note tells the memory of the session what a new server would have to know.
func (r *relay) note(m *host.Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.replay != nil {
		r.replay.Note(m)
	}
}

func (r *relay) current() *link {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.link
}

// pid is the process that stands for the client where the server is: that of the host, if the
// server is on this machine for sure.
func (r *relay) pid() int {
	if r.set.args != nil {
		return os.Getpid()
	}
	return 0
}

// cause waits until it is known why the server is gone, and returns why m was not answered.
func (l *link) cause(ctx context.Context, m *host.Message) error {
	select {
	case <-l.gone:
		return fmt.Errorf("%s was not answered: %w", m.Method, l.err)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// splice returns the params of m, read on from, as they are passed on.
func (s *Set) splice(m *host.Message, from *host.Session, pid int) json.RawMessage {
	if s.protocol.Relay == nil {
		return m.Params
	}
	return s.protocol.Relay(m, from, pid)
}

// answer returns a result that was read on from, of a request whose id and method are those of m,
// as it is passed on.
func (s *Set) answer(m *host.Message, from *host.Session, result host.Verbatim) host.Verbatim {
	if s.protocol.Relay == nil {
		return result
	}
	result.JSON = s.protocol.Relay(&host.Message{
		Kind: host.KindResponse, ID: m.ID, Method: m.Method, Result: result.JSON,
	}, from, 0)
	return result
}

// message returns what is handled under ctx as a message.
func message(ctx context.Context, req *jsonrpc2.Request) *host.Message {
	m := &host.Message{Kind: host.KindRequest, ID: host.RawID(ctx), Method: req.Method}
	if req.Notif {
		m.Kind = host.KindNotification
	}
	if req.Params != nil {
		m.Params = *req.Params
	}
	return m
}
