package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Handler handles the messages of one session. The result of a request is encoded with the
// dialect's codec; a json.RawMessage goes to the wire as it is, and must not be changed
// afterwards. An error that is, or wraps, a *[jsonrpc2.Error] is answered as that error, any
// other as -32603. The result of a notification is ignored.
//
// Handle is called concurrently, as the dialect's lanes have it. A panic costs its request
// an error -32603 and nothing else. If the Handler has a method Close(cause error), that is
// called once at the end of the session, with nil if the end was orderly.
type Handler interface {
	Handle(ctx context.Context, req *jsonrpc2.Request) (result any, err error)
}

// HandlerFunc makes a Handler of a function.
type HandlerFunc func(ctx context.Context, req *jsonrpc2.Request) (any, error)

// Handle implements [Handler].
func (f HandlerFunc) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	return f(ctx, req)
}

// errVanished is the answer for a handler that ended its goroutine instead of returning.
var errVanished = errors.New("the handler ended without an answer")

// run handles in and then, as long as it owns the order, what comes next in it.
func (s *Session) run(in *incoming) {
	for in != nil {
		s.handle(in)
		if !in.letGo() {
			return
		}
		in = s.next()
	}
}

// next starts the concurrent messages that are next in the order, and returns the ordered one
// behind them, if there is one.
func (s *Session) next() *incoming {
	for {
		in := s.order.next()
		if in == nil {
			return nil
		}
		if in.lane == Ordered {
			in.holds = true
			return in
		}
		s.spawn(in)
	}
}

// spawn runs in on a goroutine of its own.
func (s *Session) spawn(in *incoming) {
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		s.run(in)
	}()
}

// spawnNext lets the order go on without the caller.
func (s *Session) spawnNext() {
	if in := s.next(); in != nil {
		s.spawn(in)
	}
}

// handle runs the handler of one message and sees to its answer, however the handler ends.
func (s *Session) handle(in *incoming) {
	if !s.begin(in) {
		return
	}
	if s.ctx.Err() != nil {
		s.withdraw(in, context.Canceled)
		return
	}
	var res any
	err, vanished := errVanished, true
	defer func() {
		if p := recover(); p != nil {
			res, err, vanished = nil, s.panicked(in.req.Method, p), false
		}
		s.complete(in, res, err)
		if vanished && in.letGo() {
			s.spawnNext()
		}
	}()
	res, err = s.perform(in)
	vanished = false
}

// perform does what a message is there for.
func (s *Session) perform(in *incoming) (any, error) {
	switch {
	case in.action != nil:
		in.action()
		return nil, nil
	case in.control:
		return s.host.Control.Serve(in, s, &in.req)
	}
	return s.bound.Load().handler.Handle(in, &in.req)
}

// begin reports whether in is still to be handled.
func (s *Session) begin(in *incoming) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.state != waiting {
		return false
	}
	in.state = running
	return true
}

// panicked logs a panic and returns the error that its request is answered with.
func (s *Session) panicked(what string, p any) error {
	s.counters.panics.Add(1)
	s.log.Error("handler panicked", "method", what, "panic", p, "stack", string(debug.Stack()))
	return &jsonrpc2.Error{
		Code:    jsonrpc2.CodeInternalError,
		Message: fmt.Sprintf("internal error: the handler of %s panicked", what),
	}
}

// guard runs code of a plug-in that is no handler.
func (s *Session) guard(what string, f func()) {
	defer s.contain(what)
	f()
}

// contain is deferred around code of a plug-in that is no handler.
func (s *Session) contain(what string) {
	if p := recover(); p != nil {
		s.panicked(what, p)
	}
}

// complete answers a message that has been handled, and lets go of it.
func (s *Session) complete(in *incoming, res any, err error) {
	s.observe(in, err)
	if in.req.Notif {
		if err != nil {
			s.log.Debug("notification failed", "method", in.req.Method, "error", err)
		}
	} else if s.answer(in, &in.msg, res, err) {
		if in.batch != nil {
			s.settle(in.batch, &in.msg)
		} else if s.send(context.Background(), &in.msg) != nil {
			s.log.Debug("answer lost: the session has ended", "method", in.req.Method)
		}
	}
	if in.req.Notif {
		s.settle(in.batch, nil)
	}
	in.reply()
	s.finish(in)
	if in.last {
		s.end()
	}
}

// withdraw lets go of a message that is not going to be handled; a request is answered with err.
func (s *Session) withdraw(in *incoming, err error) {
	if in.req.Notif {
		s.settle(in.batch, nil)
	} else {
		s.answerFor(in, err)
	}
	in.reply()
	s.finish(in)
}

// answerFor answers a request in its handler's place. It does not wait for room. A handler that
// does not return may still look at its message, so the answer is another one.
func (s *Session) answerFor(in *incoming, err error) {
	m := &Message{ID: in.msg.ID, Method: in.msg.Method}
	if s.answer(in, m, nil, err) {
		s.respond(in.batch, m)
	}
}

// answer makes m, which has the id and method of a request, the one answer that the request gets.
// It returns false if that got its answer already, or gets none.
func (s *Session) answer(in *incoming, m *Message, res any, err error) bool {
	s.mu.Lock()
	over, cancelled := in.state == answered, in.cancelled
	if !over {
		in.state = answered
		delete(s.inFlight, in.key)
		if in.batch == nil { // else the answer stays until those of the batch are complete
			s.held -= in.size
		}
	}
	s.mu.Unlock()
	if over {
		return false
	}
	if (cancelled || errors.Is(err, ErrNoAnswer)) && s.dialect().SilentCancel {
		s.settle(in.batch, nil)
		return false
	}
	m.Kind, m.Raw, m.Extra = KindResponse, nil, nil
	s.encode(in, m, res, err, cancelled)
	return true
}

// encode gives m the result or the error that a request is answered with. To encode either runs
// code of the plug-in, which may panic as the handler may.
func (s *Session) encode(in *incoming, m *Message, res any, err error, cancelled bool) {
	defer func() {
		if p := recover(); p != nil {
			m.Result, m.Error = nil, errorObject(s.panicked(in.req.Method, p))
		}
	}()
	if err == nil {
		m.Result, err = s.encodeResult(in, res)
	}
	if err == nil {
		if passed, ok := res.(Verbatim); ok {
			m.Extra = passed.extra
		}
		return
	}
	s.counters.errors.Add(1)
	m.Error, m.Extra = s.errorAnswer(err, cancelled)
}

// errorAnswer returns the error a request is answered with, and the extra members that go with it.
// That its peer cancelled it, or the end of the session, beats whatever error came of that.
func (s *Session) errorAnswer(err error, cancelled bool) (object, extra json.RawMessage) {
	if !cancelled && !(errors.Is(err, context.Canceled) && s.ctx.Err() != nil) {
		return errorObject(err), errorExtra(err)
	}
	if c := s.dialect().Cancelled; c != nil {
		return errorJSON(c), nil
	}
	return errorJSON(errCancelled), nil
}

func (s *Session) encodeResult(in *incoming, res any) (json.RawMessage, error) {
	if raw, ok := res.(json.RawMessage); ok && sameBytes(raw, in.msg.Params) {
		return raw, nil
	}
	raw, err := s.dialect().marshal(res)
	if err != nil {
		return nil, fmt.Errorf("the result of %s cannot be encoded: %w", in.req.Method, err)
	}
	return raw, nil
}

// finish lets go of a message: its context ends, and the session's end need not wait for it.
func (s *Session) finish(in *incoming) {
	in.cancel(context.Canceled)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	if s.active == 0 && s.drained != nil {
		close(s.drained)
		s.drained = nil
	}
}

// cancelRequest acts on the peer's wish to cancel one of its requests. An id that is not, or no
// longer, in flight means nothing.
func (s *Session) cancelRequest(id json.RawMessage) {
	s.mu.Lock()
	in := s.inFlight[idKey(id)]
	if in == nil {
		s.mu.Unlock()
		return
	}
	in.cancelled = true
	unstarted := in.state == waiting
	if unstarted {
		in.state = withdrawn
	}
	s.mu.Unlock()
	in.cancel(context.Canceled)
	if unstarted {
		s.withdraw(in, context.Canceled)
	}
}

// observe tells the host's observer that a message was handled.
func (s *Session) observe(in *incoming, err error) {
	if o := s.host.Observer; o != nil && in.action == nil {
		o.Handled(s, in.req.Method, time.Since(s.started)-in.began, err)
	}
}
