package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
)

// Replay remembers what a client has told a server that still holds, so that another server can
// take its place in the middle of a session. Its methods are not called concurrently.
type Replay interface {
	// Note takes a notification of the client that is passed on, or a request of the client that
	// was answered with m.Result.
	Note(m *Message)
	// Messages returns the requests and notifications that bring a new server to where the old
	// one was, in order. Each request is to be answered before the next message is sent.
	Messages() []*Message
}

// Forwarded is a request that was passed on with [Session.Forward]. Wait must be called once.
type Forwarded struct{ w *Waiter }

// Forward passes the request that is handled under ctx on to the peer of s, which is another
// session than its own: it is for relays. It returns when the request is queued, so a relay that
// handles messages one at a time passes them on in the order it read them in.
//
// The answer keeps its place too: what the peer of s sent before it has been handled when Wait
// returns, and what the peer sent after it is handled once the answer to the request under ctx is
// queued. Params, result and error are passed on as the bytes they are, and so are members of the
// two messages that the envelope does not know; params must be JSON that was read from a session.
func (s *Session) Forward(
	ctx context.Context, method string, params json.RawMessage,
) (*Forwarded, error) {
	c := newCall()
	c.origin, c.method, c.place = RawID(ctx), method, new(place)
	m := &Message{Kind: KindRequest, Method: method, Params: params, Extra: extra(ctx)}
	w, err := s.dispatch(ctx, m, c)
	if err != nil {
		return nil, err
	}
	AfterReply(ctx, c.place.release)
	return &Forwarded{w}, nil
}

// Wait gives up the place in the order that the message under ctx holds, and waits for the answer.
// The handler returns what Wait returns: the result, or the peer's error, has its bytes then.
// Everything else is as with [Session.Call].
func (f *Forwarded) Wait(ctx context.Context) (Verbatim, error) {
	Release(ctx)
	m, err := f.w.outcome(ctx)
	if err != nil {
		return Verbatim{}, err
	}
	return Verbatim{JSON: m.Result, extra: m.Extra}, nil
}

// Pass passes the notification that is handled under ctx on to the peer of s.
func (s *Session) Pass(ctx context.Context, method string, params json.RawMessage) error {
	m := &Message{Kind: KindNotification, Method: method, Params: params, Extra: extra(ctx)}
	err := s.send(ctx, m)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// Origin returns the id, at its own session, and the method of the request that was forwarded to
// the peer of s under the id given; nil if no such request is open.
func (s *Session) Origin(id json.RawMessage) (origin json.RawMessage, method string) {
	n, err := strconv.ParseUint(string(id), 10, 64)
	if err != nil {
		return nil, ""
	}
	return s.calls.origin(n)
}

// ErrNoAnswer is what the handler of a forwarded request gets that was ended with [Session.Drop].
// If it returns that, its request is not answered either where the dialect allows it; see
// [Dialect.SilentCancel].
var ErrNoAnswer = errors.New("the peer has ended the request without an answer")

// Drop ends the request that was forwarded to the peer of s under the id given, whose answer is not
// going to come. The peer is not told. Without such a request Drop does nothing.
func (s *Session) Drop(id json.RawMessage) {
	if c := s.calls.answered(&Message{ID: id}); c != nil {
		c.answer <- new(Message) // no response
	}
}

// extra returns the members of the message handled under ctx that its envelope does not know.
func extra(ctx context.Context) json.RawMessage {
	if in := incomingFrom(ctx); in != nil {
		return in.msg.Extra
	}
	return nil
}

// Verbatim is a result that was checked when it came off the wire. A handler that returns it has it
// sent without another look at it. The one that [Forwarded.Wait] returns brings along the members
// of the peer's answer that the envelope does not know.
type Verbatim struct {
	JSON json.RawMessage

	extra json.RawMessage
}

// acceptForwarded gives the answer to a forwarded request its place in the order: there it wakes
// the handler that waits for it, and holds back what the peer sent later until the answer has been
// passed on.
func (s *Session) acceptForwarded(in *incoming, c *call) {
	deliver := sync.OnceFunc(func() { c.answer <- &in.msg })
	in.req.Method = "answer"
	s.inOrder(in, s.limits.QueuedIn, deliver, func() {
		deliver()
		if c.place.hold(s) {
			in.letGo()
		}
	})
}

// inOrder does something, which must not block, in the place that in gets in the order, and at once
// if it is its turn. If the session ends before, or limit bytes are queued, always is done instead.
func (s *Session) inOrder(in *incoming, limit int, always, do func()) {
	in.lane, in.action = Ordered, do
	in.req.Notif = true
	in.after = append(in.after, always)
	if in = s.admitWithin(in, limit); in == nil {
		return
	}
	s.handle(in)
	if in.letGo() {
		s.spawnNext()
	}
}

// place is that of an answer in the order of the session it came from: it is held until the answer
// has been passed on.
type place struct {
	mu     sync.Mutex // guards the fields below
	passed bool       // the answer is on its way
	holder *Session   // whose order waits for that
}

// hold keeps the order of s, which the caller owns, until the answer has been passed on. It returns
// false if that has happened.
func (p *place) hold(s *Session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.passed {
		return false
	}
	s.work.Add(1)
	p.holder = s
	return true
}

// release lets the order go on: the answer has been passed on.
func (p *place) release() {
	p.mu.Lock()
	s := p.holder
	p.passed = true
	p.mu.Unlock()
	if s != nil {
		s.spawnNext()
		s.work.Done()
	}
}

// endForwarded gives the end of the forwarded requests, which nobody answers any more, its place in
// the order: the peer's last messages are passed on first.
func (s *Session) endForwarded() {
	in := &incoming{s: s}
	in.req.Method = "end"
	s.inOrder(in, math.MaxInt, s.calls.closeForwarded, s.calls.closeForwarded)
}
