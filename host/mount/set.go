package mount

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

// Options are the choices of a mount; the zero value is ready to use.
type Options struct {
	// Framing is the framing of the server. Auto stands for the dialect's, and for Newline where
	// that has none of its own: a client speaks first.
	Framing framing.Framing

	// Limits bounds each session with a server, as it does each session with a client. How long
	// a server may take to answer is not bounded: the client can cancel.
	Limits host.Limits

	// StartTimeout bounds the start of a server and, after a restart, what it has to be told
	// again. Zero means 30 s.
	StartTimeout time.Duration

	// StdinGrace and TermGrace are the patience with a child when its session has ended; see
	// the fields of child.Config. Zero means 2 s and 1 s, a negative value no time.
	StdinGrace, TermGrace time.Duration

	// Restarts is how many servers of a session that died are replaced within RestartWindow.
	// Zero means 5 in 180 s; negative Restarts means none.
	Restarts      int
	RestartWindow time.Duration
}

// Set is a mount: a [host.MethodSet] whose methods are those of a server. Its Options must not be
// changed once it is served.
type Set struct {
	Options Options

	name     string
	protocol *host.Dialect // as its package has it
	dialect  *host.Dialect // as the client's session speaks it
	args     []string      // of the child; nil if there is none, then
	address  transport.Address

	links sync.WaitGroup // what ends the servers; Close waits for it
}

// Name implements [host.MethodSet].
func (s *Set) Name() string { return s.name }

// Dialect implements [host.MethodSet].
func (s *Set) Dialect() *host.Dialect { return s.dialect }

// Open implements [host.MethodSet]: it starts or dials the session's server. If that fails, the
// first request tries again, and is answered with the reason when it fails too. It does not wait
// for the start timeout a second time.
func (s *Set) Open(ctx context.Context, near *host.Session) (host.Handler, error) {
	r := &relay{set: s, near: near, log: near.Logger().With("mount", s.name)}
	r.budget.Restarts, r.budget.Window = s.Options.Restarts, s.Options.RestartWindow
	if s.protocol.NewReplay != nil {
		r.replay = s.protocol.NewReplay()
	}
	ctx, cancel := s.Options.startContext(ctx)
	defer cancel()
	l, err := r.connect(ctx)
	if err != nil {
		r.log.Error("no server", "error", err)
		if ctx.Err() != nil {
			r.late = err
		}
		return r, nil
	}
	r.link = l
	return r, nil
}

// Close waits until nothing is left of the servers of sessions that have ended. It takes at most
// the grace periods, and does not end sessions.
func (s *Set) Close() error {
	s.links.Wait()
	return nil
}

// startContext bounds the start of a server.
func (o *Options) startContext(ctx context.Context) (context.Context, context.CancelFunc) {
	limit := o.startTimeout()
	return context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("the server was not ready within %s (--start-timeout)", limit))
}

func (o *Options) startTimeout() time.Duration {
	if o.StartTimeout <= 0 {
		return 30 * time.Second
	}
	return o.StartTimeout
}

// limits are those of the session with a server.
func (o *Options) limits() host.Limits {
	l := o.Limits
	l.IdleTimeout = 0
	l.CallTimeout = math.MaxInt64
	return l
}

// framing is that of the server.
func (s *Set) framing() framing.Framing {
	for _, f := range []framing.Framing{s.Options.Framing, s.protocol.Framing} {
		if f != framing.Auto {
			return f
		}
	}
	return framing.Newline
}
