package lsp

import (
	"context"
	"encoding/json"

	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"

	"triplex/host"
)

// own holds what every [Server] does itself, ahead of the plug-in.
var own = ownMethods()

func ownMethods() *host.Mux[*Session] {
	m := new(host.Mux[*Session])
	Initialize.Handle(m, initialize)
	m.Register(protocol.MethodInitialized, initialized)
	Shutdown.Handle(m, shutdown)
	SetTrace.Handle(m, setTrace)
	WorkDoneProgressCancel.Handle(m, cancelWork)
	return m
}

// initialize agrees with the client on what the session is going to be.
func initialize(
	ctx context.Context, s *Session, p *protocol.InitializeParams,
) (*protocol.InitializeResult, error) {
	s.client.Store(p)
	s.now.Encoding = s.Encoding()
	s.setTrace(p.Trace)
	caps, err := s.server.capabilities(&p.Capabilities)
	if err != nil {
		return nil, err
	}
	result := &protocol.InitializeResult{Capabilities: caps, ServerInfo: s.server.Info}
	if f := s.server.Initialize; f != nil {
		if err := f(ctx, s, result); err != nil {
			return nil, err
		}
	}
	result.Capabilities.PositionEncoding = s.now.Encoding
	if err := s.announce(&result.Capabilities); err != nil {
		return nil, err
	}
	s.watchParent(p.ProcessID)
	return result, nil
}

// initialized notes that the client has taken in what it was told. Its params say nothing, so
// whatever a client sends in their place is well.
func initialized(_ context.Context, s *Session, req *jsonrpc2.Request) (any, error) {
	s.initialized.Store(true)
	nothing := json.RawMessage("{}")
	req.Params = &nothing
	return nil, nil
}

// shutdown answers null. The life cycle has seen the request already.
func shutdown(context.Context, *Session, host.NoParams) (protocol.LSPAny, error) {
	return nil, nil
}

func setTrace(_ context.Context, s *Session, p *protocol.SetTraceParams) error {
	s.setTrace(p.Value)
	return nil
}

func cancelWork(_ context.Context, s *Session, p *protocol.WorkDoneProgressCancelParams) error {
	s.cancelWork(p.Token)
	return nil
}
