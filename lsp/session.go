package lsp

import (
	"context"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"

	"triplex/host"
)

// Session is a server's view of one client. Its methods are safe for concurrent use. Those that
// call the client take no longer than the session's call timeout, and do nothing where the client
// has not said that it understands them.
//
// The handler of a request gets a Session of its own, whose documents are those of the moment the
// request arrived at, whatever the client does to them meanwhile. The handler of a notification
// has its place in the order: what arrives behind it waits, so it should call [host.Release]
// before it waits for the client.
type Session struct {
	// State belongs to the plug-in: Server.Start sets it, and handlers find it here.
	State any

	*link
	documents *Documents
}

// link is what all views of a client have in common.
type link struct {
	core        *host.Session
	server      *Server
	now         *Documents                                // as they are at any moment
	client      atomic.Pointer[protocol.InitializeParams] // nil until they have come
	initialized atomic.Bool
	watch       sync.Once // starts the watch on the client's process

	mu            sync.Mutex // guards the fields below
	trace         protocol.TraceValue
	announced     []byte            // the capabilities the client was told, as JSON
	registrations map[string]string // methods by the ids of their dynamic registrations
	lastID        int               // of registrations and progress tokens
	work          map[protocol.ProgressToken]context.CancelFunc
	mute          bool // the client does not answer when it is asked for a progress display
}

func newSession(core *host.Session, srv *Server) *Session {
	now := &Documents{Logger: core.Logger()}
	return &Session{link: &link{core: core, server: srv, now: now}, documents: now}
}

// atThisMoment returns the view of a request whose turn has come.
func (s *Session) atThisMoment() *Session {
	return &Session{State: s.State, link: s.link, documents: s.now.snapshot()}
}

// Core implements [host.Peer].
func (s *Session) Core() *host.Session { return s.core }

// Documents returns the documents the client has open, or had when the request arrived whose
// Session this is.
func (s *Session) Documents() *Documents { return s.documents }

// Encoding returns what characters of positions count in this session, which is settled once the
// initialize request is handled.
func (s *Session) Encoding() protocol.PositionEncodingKind {
	if g := s.ClientCapabilities().General; g != nil {
		return ChooseEncoding(g.PositionEncodings)
	}
	return protocol.PositionEncodingKindUTF16
}

// InitializeParams returns what the client said of itself in its initialize request, nil before
// that. It must not be changed.
func (s *Session) InitializeParams() *protocol.InitializeParams { return s.client.Load() }

// ClientCapabilities returns what the client understands: nothing before its initialize request.
// It must not be changed.
func (s *Session) ClientCapabilities() *protocol.ClientCapabilities {
	if p := s.client.Load(); p != nil {
		return &p.Capabilities
	}
	return new(protocol.ClientCapabilities)
}

// ClientInfo returns the client's name and version, as far as it has told them.
func (s *Session) ClientInfo() protocol.ClientInfo {
	if p := s.client.Load(); p != nil {
		return p.ClientInfo
	}
	return protocol.ClientInfo{}
}

// nextID returns a number that the session has not used before. It is called with mu held.
func (s *Session) nextID() int {
	s.lastID++
	return s.lastID
}

// isTrue reports whether an optional flag is set.
func isTrue(flag *bool) bool { return flag != nil && *flag }
