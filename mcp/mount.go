package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// Options configures a mount. The zero value is ready to use.
type Options struct {
	// Name is the name of the mount; "mcp" if empty.
	Name string
	// Concurrency bounds the requests of one session that run at the same time; 100 if 0. Those
	// beyond it wait. All HTTP clients together count as one session.
	Concurrency int
	// Logger gets what goes wrong over HTTP; nil discards it. Sessions of a host have their own.
	Logger *slog.Logger
	// Token is what HTTP clients must send as bearer token; empty lets everyone in.
	Token string
	// SessionTimeout ends a legacy HTTP session without requests; 30 min if 0.
	SessionTimeout time.Duration
}

// Set is a server as a method set of a host: it implements [host.MethodSet].
type Set struct {
	server  *sdk.Server
	options Options
	slots   slots // of HTTP
	running running
}

// Mount makes a method set of a server. Each session of the host is a client of the server, and so
// is every user of [Set.HTTPHandler].
//
// Mount adds middleware to the server; the package documentation says what that does. It is to be
// called once for a server, after all other middleware has been added, so that it covers that too.
func Mount(server *sdk.Server, options *Options) *Set {
	s := &Set{server: server}
	if options != nil {
		s.options = *options
	}
	o := &s.options
	o.Name = cmp.Or(o.Name, Dialect.Name)
	o.Concurrency = cmp.Or(max(o.Concurrency, 0), 100)
	o.SessionTimeout = cmp.Or(max(o.SessionTimeout, 0), 30*time.Minute)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s.slots = make(slots, o.Concurrency)
	server.AddReceivingMiddleware(s.contain, s.running.track, translate, s.limit, expectReports,
		resolve, shape, check)
	server.AddSendingMiddleware(dropReports, ask)
	return s
}

// Name implements [host.MethodSet].
func (s *Set) Name() string { return s.options.Name }

// Dialect implements [host.MethodSet].
func (s *Set) Dialect() *host.Dialect { return Dialect }

// Open implements [host.MethodSet].
func (s *Set) Open(_ context.Context, session *host.Session) (host.Handler, error) {
	return &handler{
		set: s, session: session,
		slots: make(slots, s.options.Concurrency),
		links: map[*link]struct{}{},
	}, nil
}
