package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"triplex/host"
	"triplex/host/transport"
	"triplex/host/wirelog"
)

// Why a host ends that nothing is wrong with.
var (
	errSessionOver = errors.New("the session has ended")
	errClientGone  = errors.New("the client process has ended")
	errIdle        = errors.New("no sessions are left")
)

// server is a host at work.
type server struct {
	*app
	flags     *serveFlags
	log       *slog.Logger
	end       context.CancelCauseFunc
	host      *host.Host
	listeners []*transport.Listener
	endpoint  *endpoint       // what the host was started for; nil if it only listens
	session   *host.Session   // on the endpoint
	metrics   *metrics        // nil without --metrics
	web       *http.Server    // that shows them
	http      *httpServer     // nil without an address of HTTP
	idle      *idleWatch      // nil without --exit-when-idle
	record    *wirelog.Writer // nil without --record
	group     errgroup.Group
}

// serve runs the command serve.
func (a *app) serve(ctx context.Context, f *serveFlags) error {
	// A broken pipe on descriptor 1 or 2 is an error like others, not the death of the process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signalled, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, end := context.WithCancelCause(signalled)
	defer end(nil)
	log, flush := a.logs.open(a.stderr)
	defer flush()
	s := &server{app: a, flags: f, log: log, end: end}
	err := s.start(ctx)
	if err == nil {
		<-ctx.Done()
	}
	interrupted := signalled.Err() != nil
	stop() // a second signal ends the process at once
	if cause := context.Cause(ctx); err == nil && cause != errSessionOver {
		s.log.Info("shutting down", "reason", cause)
	}
	if err := errors.Join(err, s.shutdown()); err != nil || interrupted || s.session == nil {
		return err
	}
	return exitStatus(s.session.ExitStatus())
}

// start opens everything and begins to serve it. After an error, shutdown ends what was begun.
func (s *server) start(ctx context.Context) error {
	config := transport.Config{
		TLS: s.flags.tls.config, AllowOtherUsers: s.flags.otherUsers, Logger: s.log,
	}
	var err error
	if s.listeners, err = config.Activated(); err != nil {
		return err
	}
	if len(s.listeners)+len(s.flags.listen) == 0 && s.flags.pipe == "" && s.flags.socket == "" {
		s.flags.stdio = true
	}
	if s.endpoint, err = s.flags.openEndpoint(ctx); err != nil {
		return err
	}
	if err := s.serveMetrics(ctx); err != nil {
		return err
	}
	if err := s.makeHost(); err != nil {
		return err
	}
	for _, address := range s.flags.addresses {
		lns, err := config.Listen(ctx, address)
		if err != nil {
			return err
		}
		s.listeners = append(s.listeners, lns...)
	}
	if s.endpoint != nil {
		if err := s.attach(); err != nil {
			return err
		}
	}
	s.listen()
	if err := s.serveHTTP(ctx); err != nil {
		return err
	}
	s.watchClient(ctx)
	return nil
}

func (s *server) makeHost() error {
	sets, err := s.mountSets(s.flags)
	if err != nil {
		return err
	}
	s.host = &host.Host{
		Mounts:      sets,
		Framing:     s.flags.framing,
		Limits:      s.flags.limits,
		MaxSessions: int(s.flags.maxSessions),
		Logger:      s.log,
	}
	if s.record, err = s.flags.record.open(s.log); err != nil {
		return err
	}
	if s.record != nil {
		s.host.Recorder = recorder{s.record}
	}
	s.host.Control = controlMethods(s.host, s.httpClients)
	s.host.Observer = s.observer()
	return s.makeHTTP()
}

// observer returns what the flags want to be told of sessions, nil if nothing does: then messages
// are not timed.
func (s *server) observer() host.Observer {
	var all observers
	if s.flags.idle != nil {
		s.idle = newIdleWatch(time.Duration(*s.flags.idle), func() { s.end(errIdle) })
		all = append(all, s.idle)
	}
	if s.metrics != nil {
		all = append(all, s.metrics)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// listen serves the listeners and announces them.
func (s *server) listen() {
	for _, ln := range s.listeners {
		fmt.Fprintf(s.stderr, "listening on %s\n", ln.Address)
		if !s.flags.stdio && ln.Address.Network == "tcp" && s.speaks("dap") {
			// The line that debugger clients wait for which start a debug server on a port.
			fmt.Fprintf(s.stdout, "DAP server listening at: %s\n", ln.Addr())
		}
		s.group.Go(func() error {
			err := s.host.Serve(ln)
			if errors.Is(err, host.ErrHostClosed) {
				return nil
			}
			s.end(err)
			return fmt.Errorf("%s: %w", ln.Address, err)
		})
	}
}

// speaks reports whether a set of the dialect is mounted.
func (s *server) speaks(dialect string) bool {
	for _, set := range s.host.Mounts {
		if set.Dialect().Name == dialect {
			return true
		}
	}
	return false
}

// attach serves the endpoint, and ends the host with it.
func (s *server) attach() error {
	session, err := s.host.Attach(s.endpoint.stream, s.endpoint.peer)
	if err != nil {
		return err
	}
	s.session = session
	s.group.Go(func() error {
		defer s.end(errSessionOver)
		<-session.Done()
		err := session.Err()
		if isLostOutput(err) {
			return fmt.Errorf("answers are lost: %w", err)
		}
		if err != nil {
			s.log.Warn("the session ended early", "error", err)
		}
		return nil
	})
	return nil
}

// isLostOutput reports whether err is that a file or a device took no more, as a full disk does. A
// client that has closed its end of a pipe wants no more: that is how some clients leave.
func isLostOutput(err error) bool {
	var failed *fs.PathError
	return errors.As(err, &failed) && failed.Op == "write" && !errors.Is(err, syscall.EPIPE)
}

// shutdownGrace is what sessions get beyond the drain timeout to write what is left.
const shutdownGrace = 3 * time.Second

// shutdown ends what start began, in order, and returns why that was necessary if it was a failure.
func (s *server) shutdown() error {
	if s.host != nil {
		s.shutdownHost()
	}
	closeRecord(s.record, s.log)
	// What follows is closed already, as far as the host got to serve it.
	if s.endpoint != nil {
		s.endpoint.stream.Close()
	}
	for _, ln := range s.listeners {
		ln.Close()
	}
	if s.web != nil {
		s.web.Close()
	}
	return s.group.Wait()
}

func (s *server) shutdownHost() {
	limit := s.flags.limits.DrainTimeout + shutdownGrace
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var requests sync.WaitGroup
	requests.Go(s.shutdownHTTP)
	if err := s.host.Shutdown(ctx); err != nil {
		s.log.Warn("sessions were cut off", "error", err)
	}
	requests.Wait()
	for _, set := range s.host.Mounts {
		if c, ok := set.(io.Closer); ok { // it may have children to wait for
			if err := c.Close(); err != nil {
				s.log.Warn("closing a mount", "mount", set.Name(), "error", err)
			}
		}
	}
}
