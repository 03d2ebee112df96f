package host

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
)

// Session is one conversation with one peer. It implements [jsonrpc2.JSONRPC2]. Its methods are
// safe for concurrent use.
//
// Goroutines: at any moment one goroutine has the reader's role (see reader.go); handlers run on
// the goroutine that read their message or, if that message had to wait, on one of their own.
// The goroutine that started the session's end waits for all of them (see end.go).
type Session struct {
	host    *Host
	id      uint64
	peer    PeerInfo
	started time.Time
	limits  Limits
	log     *slog.Logger

	ctx    context.Context // ends with the session
	cancel context.CancelCauseFunc

	conn     *conn
	in       *framing.Reader // belongs to the holder of the reader's role
	envelope Envelope        // likewise, as far as Decode goes
	judge    Lifecycle       // likewise, as far as Incoming goes; nil if there are no rules
	out      output
	sender   Sender
	framed   bool // the output has the framing found on the input; likewise
	role     role
	stopped  atomic.Bool // nothing that is read is accepted any more
	order    order
	calls    calls
	bound    atomic.Pointer[binding]
	work     sync.WaitGroup // every goroutine of the session but the one that ends it
	counters counters

	mu       sync.Mutex // guards the fields below
	inFlight map[string]*incoming
	held     int           // bytes of these requests, and of those of incomplete batches
	requests uint64        // admitted so far
	active   int           // messages admitted and not finished, notifications included
	drained  chan struct{} // closed when active gets to 0; nil while nobody waits for that
	begun    bool
	ending   bool
	drain    bool  // how it ends
	shut     bool  // closed at once: what fails now fails because of that
	over     bool  // no more work may be started
	cause    error // why the session ended or is going to, nil for an orderly end

	closing chan struct{} // closed when the end begins
	done    chan struct{} // closed when it is over
}

// binding is what a session speaks, once that is known.
type binding struct {
	set     MethodSet
	dialect *Dialect
	plugin  Handler // what the set opened for the session, to be told of its end
	handler Handler // plugin in its middleware; set before any message is handled
	stage   atomic.Int32
}

// The stages of a method set. One that was opened is closed once.
const (
	stageOpening int32 = iota
	stageOpen
	stageClosed // or will be when it is open: the session has ended
)

// PeerInfo says who is at the other end of a session.
type PeerInfo struct {
	Network string // "stdio", "tcp", "unix", "pipe"
	Address string // empty where the network has none
	// SameUser is set if the peer is known to be a process of the host's own user.
	SameUser bool
}

// String returns the peer as NETWORK or NETWORK://ADDRESS.
func (p PeerInfo) String() string {
	if p.Address == "" {
		return p.Network
	}
	return p.Network + "://" + p.Address
}

var _ jsonrpc2.JSONRPC2 = (*Session)(nil)

// Core implements [Peer]: a session of a protocol without a view of its own is its own peer.
func (s *Session) Core() *Session { return s }

// Context returns a context that ends with the session. Its cause says why.
func (s *Session) Context() context.Context { return s.ctx }

// ID returns a number that no other session of the host has.
func (s *Session) ID() uint64 { return s.id }

// Peer says who is at the other end.
func (s *Session) Peer() PeerInfo { return s.peer }

// Logger returns the session's logger.
func (s *Session) Logger() *slog.Logger { return s.log }

// Dialect returns what the session speaks, nil as long as that is not known.
func (s *Session) Dialect() *Dialect {
	if b := s.bound.Load(); b != nil {
		return b.dialect
	}
	return nil
}

// dialect is Dialect for those who need a codec in any case.
func (s *Session) dialect() *Dialect {
	if d := s.Dialect(); d != nil {
		return d
	}
	return Plain
}

// Go runs f on a goroutine that the session's end waits for. Its context ends with the session.
// It reports whether f was started: not on a session that has ended.
func (s *Session) Go(f func(ctx context.Context)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return false
	}
	s.work.Add(1)
	go func() {
		defer s.work.Done()
		defer s.contain("background work")
		f(s.ctx)
	}()
	return true
}

// SetFraming changes the framing: of input from the next unread frame on, of output after the
// answer to the request that is handled under ctx, or at once if there is none.
func (s *Session) SetFraming(ctx context.Context, f framing.Framing) {
	s.in.SetFraming(f)
	if in := incomingFrom(ctx); in != nil {
		// The peer may have read the answer, and be answered itself, before AfterReply's turn.
		in.msg.reframe = &f
	}
	AfterReply(ctx, func() { s.out.setFraming(f) })
}

// Ending returns a channel that is closed when the session begins to end: nothing more is read, and
// what is in flight gets the time to finish. It is for handlers that would otherwise go on until
// they are cancelled.
func (s *Session) Ending() <-chan struct{} { return s.closing }

// Done returns a channel that is closed when the session has ended and nothing of it is left.
func (s *Session) Done() <-chan struct{} { return s.done }

// Err returns why the session ended, or cannot be served: nil as long as nothing is wrong, and
// after an orderly end.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// ExitStatus returns the status with which a process ends that this session was the purpose of.
func (s *Session) ExitStatus() int {
	if s.judge == nil {
		return 0
	}
	return s.judge.ExitStatus()
}

// send queues a message and sees to it that it gets written.
func (s *Session) send(ctx context.Context, m *Message) error {
	if err := s.out.send(ctx, m); err != nil {
		return err
	}
	s.flushUnlessRead()
	return nil
}

// answerNow queues what the session says of its own accord, without waiting for room.
func (s *Session) answerNow(m *Message) {
	s.afterQueuing(s.out.sendNow(m))
}

// afterQueuing sees to the writing of what was queued without waiting for room.
func (s *Session) afterQueuing(err error) {
	switch {
	case err == nil:
		s.flushUnlessRead()
	case errors.Is(err, errOutputFull):
		s.fail(err)
	}
}

// fail ends the session at once because of err.
func (s *Session) fail(err error) {
	s.blame(err)
	s.Close()
}

// blame makes err the cause of the session's end, unless there is one already.
func (s *Session) blame(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil && !s.shut {
		s.cause = err
	}
}

func refusal(m *Message, v Verdict) error {
	if v.Err != nil {
		return v.Err
	}
	return &jsonrpc2.Error{
		Code:    jsonrpc2.CodeInvalidRequest,
		Message: m.Method + " may not be sent now",
	}
}

// sameBytes reports whether a and b are the same memory.
func sameBytes(a, b json.RawMessage) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}
