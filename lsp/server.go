package lsp

import (
	"context"
	"fmt"
	"slices"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/host"
)

// Server is a language server: a [host.MethodSet] that a plug-in author fills with handlers, one
// for each method it serves:
//
//	srv := &lsp.Server{Info: protocol.ServerInfo{Name: "acme"}}
//	lsp.Hover.Handle(srv, hover)
//	lsp.Completion.Handle(srv, complete)
//
// The life cycle, the capabilities, the documents, cancellation, tracing and the end of the
// client's process are taken care of. The zero Server is ready to use. It must not be changed
// once it serves; any number of sessions may share it, and each calls its functions concurrently
// with the others.
type Server struct {
	// Info names the server to clients. Its name is that of the mount as well, "lsp" if empty.
	Info protocol.ServerInfo
	// Capabilities holds the options of what the server can do, such as the characters that
	// trigger completion or the legend of semantic tokens. What is left out follows from the
	// methods that have handlers.
	Capabilities protocol.ServerCapabilities

	// Start, if not nil, begins a session, before anything the client says is handled: it is the
	// place to set the session's State. Its error ends the session.
	Start func(ctx context.Context, s *Session) error
	// Stop, if not nil, is called once at the end of a session that Start began. The cause is nil
	// after an orderly end.
	Stop func(s *Session, cause error)
	// Initialize, if not nil, sees the client's [Session.InitializeParams] and may change the
	// result that is about to answer them. It must not wait for the client: what it sends is held
	// back until the answer has been written, but for messages to the user (LSP 3.18,
	// initialize). Its error is the answer, and the client may try again.
	Initialize func(ctx context.Context, s *Session, result *protocol.InitializeResult) error

	// Opened, Changed and Closed, if not nil, are told of a document after [Session.Documents]
	// was brought up to date. They are called in order, and what arrives behind them waits for
	// them: long work belongs on [host.Session.Go]. Closed gets the document's last state.
	Opened  func(ctx context.Context, s *Session, doc Document)
	Changed func(ctx context.Context, s *Session, doc Document)
	Closed  func(ctx context.Context, s *Session, doc Document)

	methods host.Mux[*Session]
}

var (
	_ host.MethodSet           = (*Server)(nil)
	_ host.Registrar[*Session] = (*Server)(nil)
)

// Register implements [host.Registrar]. Typed methods call it: [Hover].Handle(srv, f).
//
// A few methods the server handles itself. Handlers of initialized, shutdown, $/setTrace and
// window/workDoneProgress/cancel run after it has done so, and their results do not matter.
// Handlers of textDocument/didOpen, didChange and didClose take its place: all three, or none.
// There are none for initialize, exit and $/cancelRequest; registering one panics.
func (srv *Server) Register(method string, f host.MethodFunc[*Session]) {
	switch method {
	case protocol.MethodInitialize:
		panic("lsp: initialize is handled by the server: set Server.Initialize")
	case protocol.MethodExit, protocol.MethodCancelRequest:
		panic(fmt.Sprintf("lsp: %s is acted on before any handler", method))
	}
	srv.methods.Register(method, f)
}

// Name implements [host.MethodSet].
func (srv *Server) Name() string {
	if srv.Info.Name == "" {
		return Dialect.Name
	}
	return srv.Info.Name
}

// Dialect implements [host.MethodSet].
func (srv *Server) Dialect() *host.Dialect { return serverDialect }

// serverDialect is [Dialect] with requests in order too: so each can look at the documents before
// the next message changes them. Then it gives up its place, and requests run concurrently.
var serverDialect = func() *host.Dialect {
	d := *Dialect
	d.Lane = func(m *host.Message) host.Lane {
		if l := lane(m); l != host.Concurrent {
			return l
		}
		return host.Ordered
	}
	return &d
}()

// Open implements [host.MethodSet].
func (srv *Server) Open(ctx context.Context, core *host.Session) (host.Handler, error) {
	if err := srv.checkMirror(); err != nil {
		return nil, err
	}
	s := newSession(core, srv)
	if srv.Start != nil {
		if err := srv.Start(ctx, s); err != nil {
			return nil, err
		}
	}
	return &handler{s}, nil
}

// checkMirror returns an error if the plug-in handles some of the methods of mirror, but not all
// (LSP 3.18, Text Document Synchronization).
func (srv *Server) checkMirror() error {
	all := mirror.Methods()
	missing := slices.DeleteFunc(mirror.Methods(), srv.methods.Has)
	if len(missing) > 0 && len(missing) < len(all) {
		return fmt.Errorf("handlers for %q are missing: there must be one for each of %q or none",
			missing, all)
	}
	return nil
}

// handler is the [host.Handler] of a session.
type handler struct{ session *Session }

// Handle implements [host.Handler].
func (h *handler) Handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	s := h.session
	if !req.Notif {
		s = s.atThisMoment()
		host.Release(ctx)
	}
	theirs := &s.server.methods
	switch {
	case own.Has(req.Method):
		result, err := own.Serve(ctx, s, req)
		if err == nil && theirs.Has(req.Method) {
			s.follow(ctx, req)
		}
		return result, err
	case mirror.Has(req.Method) && !theirs.Has(req.Method):
		result, err := mirror.Serve(ctx, s, req)
		if err != nil {
			s.core.Logger().Warn("a document may not be as the client has it",
				"method", req.Method, "error", err)
		}
		return result, err
	}
	return theirs.Serve(ctx, s, req)
}

// follow runs the plug-in's handler of a method that has been handled already.
func (s *Session) follow(ctx context.Context, req *jsonrpc2.Request) {
	if _, err := s.server.methods.Serve(ctx, s, req); err != nil {
		s.core.Logger().Warn("handler failed", "method", req.Method, "error", err)
	}
}

// Close tells the plug-in that the session is over.
func (h *handler) Close(cause error) {
	if stop := h.session.server.Stop; stop != nil {
		stop(h.session, cause)
	}
}
