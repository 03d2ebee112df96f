package cli

import (
	"context"
	"iter"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	"triplex/host"
)

// sessionKeeper is a handler of HTTP whose clients have sessions.
type sessionKeeper interface {
	// SessionOf returns the id of the session that the headers of a request, or of its answer,
	// belong to; it is empty for what stands alone.
	SessionOf(http.Header) string
	// SessionIDs returns the ids of the sessions that are open.
	SessionIDs() iter.Seq[string]
}

// noSessions is the keeper of handlers that keep none.
type noSessions struct{}

// SessionOf implements [sessionKeeper].
func (noSessions) SessionOf(http.Header) string { return "" }

// SessionIDs implements [sessionKeeper].
func (noSessions) SessionIDs() iter.Seq[string] { return func(func(string) bool) {} }

// httpSession is a [guest]: a session that HTTP clients have with a mount, or a connection, with
// all that stands alone on it.
type httpSession struct {
	id   uint64
	peer host.PeerInfo // who began it
	set  host.MethodSet

	mu    sync.Mutex // guards the field below
	stats host.Stats
}

// ID implements [guest].
func (s *httpSession) ID() uint64 { return s.id }

// Peer implements [guest].
func (s *httpSession) Peer() host.PeerInfo { return s.peer }

// Dialect implements [guest].
func (s *httpSession) Dialect() *host.Dialect { return s.set.Dialect() }

// Stats implements [guest]. Its bytes are those of messages.
func (s *httpSession) Stats() host.Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stats
}

func (s *httpSession) count(change func(*host.Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.stats)
}

// httpSessions are those of a host. Its methods are safe for concurrent use.
type httpSessions struct {
	host    *host.Host
	set     host.MethodSet
	keeper  sessionKeeper
	most    int      // sessions with an id
	metrics *metrics // nil without --metrics
	record  recorder // of nothing without --record

	mu    sync.Mutex               // guards the fields below
	open  map[*httpSession]string  // with their ids, empty for connections
	known map[string]*httpSession  // those of open that have an id
	conns map[net.Conn]*connection // that are open
}

// connection is one of an HTTP client.
type connection struct {
	peer    host.PeerInfo
	session *httpSession // of what stands alone; nil before that comes. Guarded by httpSessions.mu
}

type connectionKey struct{}

// connect notes a connection, of which the context of its requests is to know.
func (h *httpSessions) connect(ctx context.Context, network string, c net.Conn) context.Context {
	conn := &connection{peer: host.PeerInfo{Network: network, Address: c.RemoteAddr().String()}}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns[c] = conn
	return context.WithValue(ctx, connectionKey{}, conn)
}

// disconnect notes the end of a connection, and of what stood alone on it.
func (h *httpSessions) disconnect(c net.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if conn := h.conns[c]; conn != nil {
		h.end(conn.session)
	}
	delete(h.conns, c)
}

// of returns the session with an id or, if there is none, that of a connection.
func (h *httpSessions) of(id string, conn *connection) *httpSession {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.known[id]; s != nil {
		return s
	}
	if conn.session == nil {
		conn.session = h.begin(conn.peer)
	}
	return conn.session
}

// begin enters a new session. It is called with mu held.
func (h *httpSessions) begin(peer host.PeerInfo) *httpSession {
	s := &httpSession{
		id: h.host.NewID(), peer: peer, set: h.set,
		stats: host.Stats{Started: time.Now(), Mount: h.set.Name()},
	}
	h.open[s] = ""
	if h.metrics != nil {
		h.metrics.begin(s)
	}
	return s
}

// full reports whether there is no room for one more session with an id. Those without one end with
// their connections, which have the same bound.
func (h *httpSessions) full() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.known) >= h.most
}

// name gives an id to the session of what stands alone on a connection, since that has turned out
// to have begun it. What comes on the connection without an id is another one's.
func (h *httpSessions) name(id string, conn *connection) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id == "" || h.known[id] != nil || conn.session == nil {
		return
	}
	h.open[conn.session], h.known[id] = id, conn.session
	conn.session = nil
}

// end takes out a session, if it is still there. It is called with mu held.
func (h *httpSessions) end(s *httpSession) {
	id, open := h.open[s]
	if !open {
		return
	}
	delete(h.known, id)
	delete(h.open, s)
	if h.metrics != nil {
		h.metrics.end(s)
	}
}

// endGone ends the sessions that their keeper has ended.
func (h *httpSessions) endGone() {
	h.mu.Lock()
	gone := maps.Clone(h.known) // the keeper has had what is known
	h.mu.Unlock()
	for id := range h.keeper.SessionIDs() {
		delete(gone, id)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range gone {
		h.end(s)
	}
}

// goneInterval is how often the keeper is asked for its sessions.
const goneInterval = 10 * time.Second

// watch ends sessions as their keeper does, until ctx ends.
func (h *httpSessions) watch(ctx context.Context) {
	tick := time.NewTicker(goneInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.endGone()
		case <-ctx.Done():
			return
		}
	}
}

// all returns the sessions that are open.
func (h *httpSessions) all() (open []guest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.open {
		open = append(open, s)
	}
	return open
}
