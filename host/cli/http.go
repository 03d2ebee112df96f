package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"triplex/host"
	"triplex/host/transport"
)

// httpSet is a method set that serves HTTP clients as well.
type httpSet interface {
	host.MethodSet
	// HTTPHandler returns what serves them, whatever the path, within the limits: a body has at
	// most the bytes of a frame, and an answer to what a client is asked comes within the call
	// timeout. It is called once. The handler may have a method Drain(), which ends answers that
	// would go on for ever, may be an [io.Closer], which is for the time after the last request,
	// and may be a [sessionKeeper].
	HTTPHandler(host.Limits) http.Handler
}

// httpServer serves the HTTP clients of a mount.
type httpServer struct {
	handler  http.Handler // of the mount
	sessions *httpSessions
	servers  []*http.Server // one for each address
	open     atomic.Int64   // connections
}

// Bounds of what a connection may take that does nothing, or not what it should.
const (
	httpHeaderTime = 10 * time.Second
	httpIdleTime   = 2 * time.Minute
)

// makeHTTP prepares to serve the addresses of HTTP, if there are any.
func (s *server) makeHTTP() error {
	if len(s.flags.http.addresses) == 0 {
		return nil
	}
	set, err := s.httpSet(s.flags.http.addresses[0])
	if err != nil {
		return err
	}
	handler := set.HTTPHandler(s.flags.limits)
	keeper, ok := handler.(sessionKeeper)
	if !ok {
		keeper = noSessions{}
	}
	s.http = &httpServer{handler: handler, sessions: &httpSessions{
		host: s.host, set: set, keeper: keeper, most: int(s.flags.maxSessions),
		metrics: s.metrics, record: recorder{s.record},
		open:  map[*httpSession]string{},
		known: map[string]*httpSession{},
		conns: map[net.Conn]*connection{},
	}}
	return nil
}

// serveHTTP serves the addresses of HTTP, if there are any, until the shutdown.
func (s *server) serveHTTP(ctx context.Context) error {
	if s.http == nil {
		return nil
	}
	for _, address := range s.flags.http.addresses {
		lns, err := s.listenHTTP(ctx, address)
		if err != nil {
			return err
		}
		web := s.newHTTPServer(address)
		s.http.servers = append(s.http.servers, web)
		for _, ln := range lns {
			fmt.Fprintf(s.stderr, "listening on %s\n", ln.Address)
			s.serveWeb(web, ln)
		}
	}
	s.group.Go(func() error {
		s.http.sessions.watch(ctx)
		return nil
	})
	return nil
}

// httpClients returns those who are served over HTTP.
func (s *server) httpClients() []guest {
	if s.http == nil {
		return nil
	}
	return s.http.sessions.all()
}

// httpSet returns the mount that serves HTTP at an address.
func (s *server) httpSet(address transport.Address) (httpSet, error) {
	var found []httpSet
	var names []string
	for _, set := range s.host.Mounts {
		names = append(names, set.Name())
		if set, ok := set.(httpSet); ok {
			found = append(found, set)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, usagef("--listen %s: no mount serves HTTP (mounted: %s): "+
			"listen on tcp:// or unix://, or mount one that does", address, strings.Join(names, ", "))
	}
	return nil, usagef("--listen %s: the mounts %s and %s both serve HTTP: choose one",
		address, found[0].Name(), found[1].Name())
}

// listenHTTP listens on an address of HTTP. Other machines are let in only where the connection is
// secured and they have to show a token.
func (s *server) listenHTTP(
	ctx context.Context, address transport.Address,
) ([]*transport.Listener, error) {
	f := s.flags
	config := transport.Config{AllowOtherUsers: f.otherUsers, Logger: s.log}
	if address.Network == "https" {
		config.TLS = f.tls.config
		config.AllowRemote = f.http.token != ""
	}
	lns, err := config.Listen(ctx, address)
	if errors.Is(err, transport.ErrReachable) {
		err = fmt.Errorf("%w, or on https:// with --tls-cert, --tls-key and --token-file", err)
	}
	return lns, err
}

// newHTTPServer returns a server of the mount at an address.
func (s *server) newHTTPServer(address transport.Address) *http.Server {
	accounted := s.http.sessions.account(s.http.handler)
	handler := limitBody(int64(s.flags.limits.Frame), accounted)
	if token := s.flags.http.token; token != "" {
		handler = requireToken(token, handler)
	}
	web := &http.Server{
		Handler:           onlyAt(address.Path, handler),
		ReadHeaderTimeout: httpHeaderTime,
		IdleTimeout:       httpIdleTime,
		MaxHeaderBytes:    s.flags.limits.Header,
		ConnState:         s.countConnection,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return s.http.sessions.connect(ctx, address.Network, c)
		},
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	if h, ok := s.http.handler.(interface{ Drain() }); ok {
		web.RegisterOnShutdown(h.Drain)
	}
	return web
}

// countConnection keeps the number of HTTP connections within that of sessions, and the host from
// being idle while there are any.
func (s *server) countConnection(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		if s.http.open.Add(1) > int64(s.flags.maxSessions) {
			s.log.Warn("connection refused: too many (see --max-sessions)",
				"peer", conn.RemoteAddr().String())
			conn.Close()
		}
		if s.idle != nil {
			s.idle.Started(nil)
		}
	case http.StateClosed:
		s.http.sessions.disconnect(conn)
		s.http.open.Add(-1)
		if s.idle != nil {
			s.idle.Ended(nil)
		}
	}
}

// limitBody refuses bodies of more than limit bytes, those that say their length before they come.
// Others it cuts off there, whoever reads them; what their clients are told is up to next.
func limitBody(limit int64, next http.Handler) http.Handler {
	next = http.MaxBytesHandler(next, limit)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > limit {
			text := fmt.Sprintf("a body of %d bytes is more than %d (--max-frame)", r.ContentLength, limit)
			http.Error(w, text, http.StatusRequestEntityTooLarge)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// onlyAt serves one path.
func onlyAt(path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveWeb serves ln until web is shut down.
func (s *server) serveWeb(web *http.Server, ln *transport.Listener) {
	s.group.Go(func() error {
		if err := web.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.end(err)
			return fmt.Errorf("%s: %w", ln.Address, err)
		}
		return nil
	})
}

// shutdownHTTP lets the requests end that are being answered, as far as the drain timeout allows,
// and then the sessions that HTTP clients have.
func (s *server) shutdownHTTP() {
	if s.http == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.flags.limits.DrainTimeout)
	defer cancel()
	var ends errgroup.Group
	for _, web := range s.http.servers {
		ends.Go(func() error {
			defer web.Close() // what is left
			return web.Shutdown(ctx)
		})
	}
	if err := ends.Wait(); err != nil {
		s.log.Warn("HTTP requests were cut off", "error", err)
	}
	if c, ok := s.http.handler.(io.Closer); ok {
		if err := c.Close(); err != nil {
			s.log.Warn("closing the sessions of HTTP clients", "error", err)
		}
	}
}
