package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"triplex/framing"
)

// ErrHostClosed is what Serve and Attach return after Shutdown or Close.
var ErrHostClosed = errors.New("host closed")

// MethodSet is a plug-in: the methods of one protocol that a host serves.
type MethodSet interface {
	// Name returns the mount's name.
	Name() string
	// Dialect returns the protocol the methods belong to.
	Dialect() *Dialect
	// Open returns the Handler of a new session. It is called once for each session, before any
	// message is handled; state of the session lives in the Handler it returns. The context ends
	// with the session.
	Open(ctx context.Context, s *Session) (Handler, error)
}

// Host serves method sets to any number of sessions. Its fields must not be changed once it
// serves; its methods are safe for concurrent use.
type Host struct {
	// Mounts are the method sets that sessions can choose from with their first message. With
	// one mount there is no choice, and any first message is for it.
	Mounts []MethodSet
	// Framing is the framing of all sessions; Auto detects it for each.
	Framing framing.Framing
	// Limits bounds each session.
	Limits Limits
	// MaxSessions bounds the sessions at one time; zero means 16,384.
	MaxSessions int
	// Logger gets what is worth knowing; nil discards it.
	Logger *slog.Logger
	// Middleware wraps the Handler of each session, the last one outermost.
	Middleware []func(Handler) Handler
	// Outgoing wraps what sends the calls and notifications of a session, the last one outermost.
	Outgoing []func(*Session, Sender) Sender
	// Control holds the methods that the host itself answers, on every session, whatever that
	// speaks and before it has spoken it; nil if there are none.
	Control *Mux[*Session]
	// Recorder gets every frame, if it is not nil.
	Recorder Recorder
	// Observer is told of sessions and of every message that was handled, if it is not nil.
	Observer Observer

	lastID atomic.Uint64

	mu        sync.Mutex // guards the fields below
	sessions  map[*Session]struct{}
	listeners map[net.Listener]struct{}
	closed    bool
}

// Recorder is told of every frame of every session. It is called in wire order for each
// direction, must not block, and must not keep frame.
type Recorder interface {
	// Record gets a frame and whether it is a message; incoming is the direction.
	Record(s *Session, incoming bool, frame []byte, message bool)
}

// Observer is told of sessions and of messages that were handled. It must not block.
type Observer interface {
	// Started comes before the messages of a session.
	Started(s *Session)
	// Ended comes after them; what s.Stats returns is final.
	Ended(s *Session)
	// Handled gets the method, the time from reading the message to its answer, and its error.
	Handled(s *Session, method string, took time.Duration, err error)
}

const defaultMaxSessions = 16_384

// Attach starts a session on a stream, which the session closes at its end. With several mounts
// the first message decides which one it gets. Deadlines and half-closing (SetReadDeadline,
// SetWriteDeadline, CloseWrite) are used if the stream has them.
func (h *Host) Attach(stream io.ReadWriteCloser, peer PeerInfo) (*Session, error) {
	if len(h.Mounts) == 0 {
		return nil, errors.New("the host has no mounts")
	}
	s := h.newSession(stream, peer)
	if err := h.remember(s); err != nil {
		stream.Close()
		return nil, err
	}
	s.log.Debug("session started")
	if h.Observer != nil {
		h.Observer.Started(s)
	}
	s.start()
	return s, nil
}

// NewID returns a number that no session of the host has, for a client that is served past it.
func (h *Host) NewID() uint64 { return h.lastID.Add(1) }

func (h *Host) newSession(stream io.ReadWriteCloser, peer PeerInfo) *Session {
	s := &Session{
		host: h, id: h.NewID(), peer: peer, started: time.Now(),
		limits:  h.Limits.WithDefaults(),
		closing: make(chan struct{}), done: make(chan struct{}),
	}
	s.calls.timeout = s.limits.CallTimeout
	s.log = slog.New(sessionLog{h.logger().Handler(), s})
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.conn = &conn{ReadWriteCloser: stream}
	s.in = framing.NewReader(s.conn, h.Framing, s.limits.framing())
	s.envelope = JSONRPC{Depth: s.limits.Depth}
	s.out = output{
		conn: s.conn, timeout: s.limits.WriteTimeout, limit: s.limits.QueuedOut,
		failed: s.fail, ended: s.end, envelope: s.envelope, framing: h.outputFraming(),
	}
	if h.Recorder != nil {
		s.out.record = func(frame []byte) { h.Recorder.Record(s, false, frame, true) }
	}
	s.sender = direct{s}
	for _, wrap := range h.Outgoing {
		s.sender = wrap(s, s.sender)
	}
	return s
}

// outputFraming is the framing of what is sent before anything was received.
func (h *Host) outputFraming() framing.Framing {
	if h.Framing != framing.Auto {
		return h.Framing
	}
	if f := h.Mounts[0].Dialect().Framing; f != framing.Auto {
		return f
	}
	return framing.Newline
}

func (h *Host) logger() *slog.Logger {
	if h.Logger != nil {
		return h.Logger
	}
	return slog.New(slog.DiscardHandler)
}

// remember counts a session in, if there is room for it.
func (h *Host) remember(s *Session) error {
	limit := h.MaxSessions
	if limit <= 0 {
		limit = defaultMaxSessions
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrHostClosed
	}
	if len(h.sessions) >= limit {
		return fmt.Errorf("%d sessions are open (--max-sessions)", limit)
	}
	if h.sessions == nil {
		h.sessions = map[*Session]struct{}{}
	}
	h.sessions[s] = struct{}{}
	return nil
}

// forget is the last thing a session does.
func (h *Host) forget(s *Session) {
	h.mu.Lock()
	delete(h.sessions, s)
	h.mu.Unlock()
	s.log.Debug("session ended", "cause", s.Err())
	if h.Observer != nil {
		h.Observer.Ended(s)
	}
}

// Sessions returns the sessions that are open, in no order.
func (h *Host) Sessions() []*Session {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make([]*Session, 0, len(h.sessions))
	for s := range h.sessions {
		all = append(all, s)
	}
	return all
}

// Serve accepts sessions on ln until ln fails or the host is shut down, which closes ln. It
// returns why it stopped: [ErrHostClosed] after Shutdown or Close.
func (h *Host) Serve(ln net.Listener) error {
	defer ln.Close()
	if err := h.listen(ln); err != nil {
		return err
	}
	defer h.unlisten(ln)
	for {
		c, err := ln.Accept()
		switch {
		case err == nil:
			h.attach(c)
		case h.isClosed():
			return ErrHostClosed
		case isTemporary(err):
			h.logger().Warn("cannot accept a connection", "error", err)
			time.Sleep(acceptPause)
		default:
			return fmt.Errorf("accept: %w", err)
		}
	}
}

// acceptPause is the pause after the system had no resources for a connection.
const acceptPause = 50 * time.Millisecond

func isTemporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

func (h *Host) attach(c net.Conn) {
	peer := PeerInfo{
		Network: c.RemoteAddr().Network(), Address: c.RemoteAddr().String(),
		SameUser: isSameUser(c),
	}
	if peer.Address == "@" { // a unix socket without a name
		peer.Address = ""
	}
	if _, err := h.Attach(c, peer); err != nil {
		h.logger().Warn("connection refused", "peer", peer.String(), "error", err)
	}
}

// isSameUser reports whether c, or the connection that it secures, is said to be of a process of
// the host's own user.
func isSameUser(c net.Conn) bool {
	if secured, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secured.NetConn()
	}
	u, ok := c.(interface{ SameUser() bool })
	return ok && u.SameUser()
}

func (h *Host) listen(ln net.Listener) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return ErrHostClosed
	}
	if h.listeners == nil {
		h.listeners = map[net.Listener]struct{}{}
	}
	h.listeners[ln] = struct{}{}
	return nil
}

func (h *Host) unlisten(ln net.Listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.listeners, ln)
}

func (h *Host) isClosed() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closed
}

// shut stops accepting and returns the sessions that are open.
func (h *Host) shut() []*Session {
	h.mu.Lock()
	h.closed = true
	for ln := range h.listeners {
		ln.Close()
	}
	h.mu.Unlock()
	return h.Sessions()
}

// Shutdown ends the host in order: it stops listening, ends every session as [Session.End] does,
// and waits for them. When ctx ends, what is left is closed at once, and ctx's error returned.
func (h *Host) Shutdown(ctx context.Context) error {
	sessions := h.shut()
	for _, s := range sessions {
		s.End()
	}
	stop := context.AfterFunc(ctx, func() {
		for _, s := range sessions {
			s.Close()
		}
	})
	defer stop()
	await(sessions)
	return ctx.Err()
}

// Close ends the host and all sessions at once, and waits for them.
func (h *Host) Close() error {
	sessions := h.shut()
	for _, s := range sessions {
		s.Close()
	}
	await(sessions)
	return nil
}

func await(sessions []*Session) {
	for _, s := range sessions {
		<-s.Done()
	}
}
