package dap

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// Server is a debug adapter: the methods that an author registers, and what the protocol asks of
// every adapter beside them. It implements [host.MethodSet] and [host.Registrar].
//
//	server := &dap.Server{Title: "mydebugger"}
//	dap.Launch.Handle(server, launch)
//	dap.StackTrace.Handle(server, stackTrace)
//
// The server answers `initialize` with the capabilities and then sends [Initialized]. It acts on
// `cancel`. Requests that every adapter must answer have an answer without a handler: `threads` (a
// single thread), `configurationDone` and `disconnect`. When a session ends without `disconnect`,
// because the client has vanished or the host shuts down, the handler of `disconnect` is called all
// the same, with no arguments: a debuggee that was launched is to be killed. [Terminated] is sent
// then, if it has not been.
//
// Handlers run one after the other, but for those that the dialect makes immediate; and `launch`
// and `attach` run beside what follows them, because a client configures breakpoints while they
// are pending.
//
// A Server must not be changed once it serves. Any number of sessions may share it.
type Server struct {
	// Title is the name of the mount, "dap" if empty.
	Title string
	// Capabilities are what the adapter can do. Those that only say whether a request is handled
	// are set to what the registered handlers imply, unless they are set here.
	Capabilities Capabilities
	// Start, if not nil, begins a session, before anything the client says is handled: it is the
	// place to set the session's State. Its error ends the session.
	Start func(ctx context.Context, s *Session) error

	mux host.Mux[*Session]
}

// Name implements [host.MethodSet].
func (sv *Server) Name() string {
	if sv.Title == "" {
		return Dialect.Name
	}
	return sv.Title
}

// Dialect implements [host.MethodSet].
func (sv *Server) Dialect() *host.Dialect { return Dialect }

// Register implements [host.Registrar]. It panics for the requests that the server answers
// itself, initialize and cancel.
func (sv *Server) Register(method string, f host.MethodFunc[*Session]) {
	if method == Initialize.Method || method == Cancel.Method {
		panic(fmt.Sprintf("the server answers %s itself", method))
	}
	sv.mux.Register(method, f)
}

// Open implements [host.MethodSet]. All handlers must have been registered.
func (sv *Server) Open(ctx context.Context, core *host.Session) (host.Handler, error) {
	s := NewSession(core)
	if sv.Start != nil {
		if err := sv.Start(ctx, s); err != nil {
			return nil, err
		}
	}
	return &handler{server: sv, session: s}, nil
}

// handler handles the requests of one session.
type handler struct {
	server  *Server
	session *Session
	left    atomic.Bool // disconnect has been asked for
}

// Handle implements [host.Handler].
func (h *handler) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case Initialize.Method:
		return h.initialize(ctx, req)
	case Cancel.Method:
		return h.cancel(req)
	case Launch.Method, Attach.Method:
		host.Release(ctx)
	case ConfigurationDone.Method:
		res, err := h.serve(ctx, req)
		if err == nil {
			// What waits for it, such as the response of launch, follows the response.
			host.AfterReply(ctx, h.session.configure)
		}
		return res, err
	case Disconnect.Method:
		h.left.Store(true)
	}
	return h.serve(ctx, req)
}

// serve runs a registered handler, or what stands in for it.
func (h *handler) serve(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if h.server.mux.Has(req.Method) {
		return h.server.mux.Serve(ctx, h.session, req)
	}
	switch req.Method {
	case ConfigurationDone.Method, Disconnect.Method:
		return nil, nil
	case Threads.Method:
		return &ThreadsResponseBody{Threads: []Thread{{ID: 1, Name: "main"}}}, nil
	}
	return nil, host.MethodNotFound(req.Method)
}

func (h *handler) initialize(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	args := new(InitializeRequestArguments)
	if err := decode(req, args); err != nil {
		return nil, err
	}
	h.session.client.Store(args)
	host.AfterReply(ctx, func() {
		if err := Initialized.Send(h.session.core.Context(), h.session, Empty{}); err != nil {
			h.session.core.Logger().Debug("initialized not sent", "error", err)
		}
	})
	return h.server.capabilities(), nil
}

// cancel acts on the part of a cancel request that the dialect leaves: progress.
func (h *handler) cancel(req *jsonrpc2.Request) (any, error) {
	var args CancelArguments
	if err := decode(req, &args); err != nil {
		return nil, err
	}
	h.session.cancelProgress(Or(args.ProgressID, ""))
	return nil, nil
}

// leaveTime is what the handler of disconnect gets when the session is over.
const leaveTime = time.Second

// Close is called by the session when it has ended and all handlers have returned. A client that
// is still there, because it is the host that ends the session, is told.
func (h *handler) Close(error) {
	if h.left.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	_, err := h.serve(ctx, &jsonrpc2.Request{Method: Disconnect.Method})
	if err != nil {
		h.session.core.Logger().Warn("cannot leave the debuggee", "error", err)
	}
	if err := Terminated.Send(ctx, h.session, nil); err != nil {
		h.session.core.Logger().Debug("terminated not sent", "error", err)
	}
}

// decode decodes the arguments of a request that the server answers itself.
func decode(req *jsonrpc2.Request, args any) error {
	if req.Params == nil {
		return nil
	}
	if err := unmarshal(*req.Params, args); err != nil {
		return &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidParams,
			Message: fmt.Sprintf("arguments of %s: %v", req.Method, err),
		}
	}
	return nil
}
