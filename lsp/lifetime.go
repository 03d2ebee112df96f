package lsp

import (
	"go.lsp.dev/protocol"

	"triplex/host"
)

// The methods of the life cycle and of the protocol itself (LSP 3.18, Server lifecycle).
var (
	// Initialize asks the server to start. A [Server] answers it itself, see Server.Initialize.
	Initialize = Request[*protocol.InitializeParams, *protocol.InitializeResult]{
		Method: protocol.MethodInitialize,
	}
	// Initialized tells the server that the client has taken in the result of initialize.
	Initialized = Notification[*protocol.InitializedParams]{Method: protocol.MethodInitialized}
	// Shutdown asks the server to stop working; exit follows. A [Server] answers null whatever its
	// handler returns.
	Shutdown = Request[host.NoParams, protocol.LSPAny]{Method: protocol.MethodShutdown}
	// Exit ends the session. The life cycle acts on it; no handler sees it.
	Exit = Notification[host.NoParams]{Method: protocol.MethodExit}
	// SetTrace changes what the client wants to be told with [LogTrace].
	SetTrace = Notification[*protocol.SetTraceParams]{Method: protocol.MethodSetTrace}
	// LogTrace traces what the server does, see [Session.LogTrace].
	LogTrace = Notification[*protocol.LogTraceParams]{Method: protocol.MethodLogTrace}
	// CancelRequest cancels a request of its sender. The life cycle acts on it; no handler sees
	// it.
	CancelRequest = Notification[*protocol.CancelParams]{Method: protocol.MethodCancelRequest}
	// Progress reports progress or partial results, see [Session.Progress] and [Partial].
	Progress = Notification[*protocol.ProgressParams]{Method: protocol.MethodProgress}
	// RegisterCapability registers a capability after the start, see [Session.Register].
	RegisterCapability = Request[*protocol.RegistrationParams, protocol.LSPAny]{
		Method: protocol.MethodClientRegisterCapability,
	}
	// UnregisterCapability takes a registration back, see [Session.Unregister].
	UnregisterCapability = Request[*protocol.UnregistrationParams, protocol.LSPAny]{
		Method: protocol.MethodClientUnregisterCapability,
	}
)
