package dap

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"triplex/host"
)

// Session is a debug session as the handlers of a [Server] see it: a client that debugs. Typed
// methods take it; so an event is sent with
//
//	dap.Stopped.Send(ctx, s, &dap.StoppedEventBody{Reason: dap.StoppedReasonStep, ThreadID: new(1)})
//
// It is safe for concurrent use.
type Session struct {
	// State belongs to the plug-in: Server.Start sets it, and handlers find it here.
	State any

	core *host.Session

	client     atomic.Pointer[InitializeRequestArguments]
	configured chan struct{} // closed after configurationDone
	configure  func()        // closes it, once
	progresses atomic.Int64  // numbers the ids of progress

	mu       sync.Mutex // guards the fields below
	progress map[string]context.CancelFunc
}

// NewSession returns the view of a session that its [Server] does not make: that of a client, which
// calls an adapter with the descriptors of its requests.
func NewSession(core *host.Session) *Session {
	s := &Session{core: core, configured: make(chan struct{})}
	s.configure = sync.OnceFunc(func() { close(s.configured) })
	s.client.Store(new(InitializeRequestArguments))
	return s
}

// Core implements [host.Peer].
func (s *Session) Core() *host.Session { return s.core }

// Client returns what the client said of itself in the `initialize` request, and nothing before
// that. It must not be changed.
func (s *Session) Client() *InitializeRequestArguments { return s.client.Load() }

// AwaitConfiguration waits until the client has sent `configurationDone`, which it may do before
// `launch` or `attach` as well as after: whichever comes last starts the debuggee, so their
// handlers call AwaitConfiguration before that.
func (s *Session) AwaitConfiguration(ctx context.Context) error {
	select {
	case <-s.configured:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ErrUnsupported is why a message was not sent: the client has no support for it.
var ErrUnsupported = errors.New("the client does not support this")

// Invalidate tells the client to ask again for what it shows. Without support for the
// `invalidated` event (supportsInvalidatedEvent) it is not sent.
func (s *Session) Invalidate(ctx context.Context, body *InvalidatedEventBody) error {
	if !Or(s.Client().SupportsInvalidatedEvent, false) {
		return nil
	}
	return Invalidated.Send(ctx, s, body)
}

// MemoryChanged tells the client of memory that changed. Without support for the `memory` event
// (supportsMemoryEvent) it is not sent.
func (s *Session) MemoryChanged(ctx context.Context, body *MemoryEventBody) error {
	if !Or(s.Client().SupportsMemoryEvent, false) {
		return nil
	}
	return Memory.Send(ctx, s, body)
}

// reverseTimeout bounds reverse requests whose context has no deadline. There are clients that
// never answer those they do not know.
const reverseTimeout = 30 * time.Second

// RunInTerminal has the client run a command in a terminal of its user. It returns
// [ErrUnsupported] if the client cannot (supportsRunInTerminalRequest). A context without deadline
// gets one of 30 seconds.
func (s *Session) RunInTerminal(
	ctx context.Context, args *RunInTerminalRequestArguments,
) (*RunInTerminalResponseBody, error) {
	if !Or(s.Client().SupportsRunInTerminalRequest, false) {
		return nil, fmt.Errorf("runInTerminal: %w", ErrUnsupported)
	}
	if args.CWD == "" || len(args.Args) == 0 {
		return nil, errors.New("runInTerminal: needs a working directory (cwd) and a command (args)")
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	return RunInTerminal.Call(ctx, s, args)
}

// StartDebugging has the client start another session with this adapter, on a connection of its
// own. It returns [ErrUnsupported] if the client cannot (supportsStartDebuggingRequest). A context
// without deadline gets one of 30 seconds.
func (s *Session) StartDebugging(ctx context.Context, args *StartDebuggingRequestArguments) error {
	if !Or(s.Client().SupportsStartDebuggingRequest, false) {
		return fmt.Errorf("startDebugging: %w", ErrUnsupported)
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	_, err := StartDebugging.Call(ctx, s, args)
	return err
}

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, reverseTimeout,
		fmt.Errorf("the client did not answer within %s", reverseTimeout))
}

// requestID returns the seq of the request that is handled under ctx, nil if there is none.
func requestID(ctx context.Context) *int {
	if n, err := strconv.Atoi(string(host.RawID(ctx))); err == nil {
		return new(n)
	}
	return nil
}
