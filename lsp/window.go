package lsp

import (
	"go.lsp.dev/protocol"
)

// The methods of the client's window (LSP 3.18, Window Features).
var (
	// ShowMessage shows a message, see [Session.ShowMessage].
	ShowMessage = Notification[*protocol.ShowMessageParams]{
		Method: protocol.MethodWindowShowMessage,
	}
	// ShowMessageRequest shows a message and lets the user choose an answer.
	ShowMessageRequest = Request[*protocol.ShowMessageRequestParams, *protocol.MessageActionItem]{
		Method: protocol.MethodWindowShowMessageRequest,
	}
	// LogMessage writes to the client's log, see [Session.LogMessage].
	LogMessage = Notification[*protocol.LogMessageParams]{Method: protocol.MethodWindowLogMessage}
	// ShowDocument asks the client to show a document.
	ShowDocument = Request[*protocol.ShowDocumentParams, *protocol.ShowDocumentResult]{
		Method: protocol.MethodWindowShowDocument,
	}
	// WorkDoneProgressCreate asks the client for a progress display, see [Session.Progress].
	WorkDoneProgressCreate = Request[*protocol.WorkDoneProgressCreateParams, protocol.LSPAny]{
		Method: protocol.MethodWindowWorkDoneProgressCreate,
	}
	// WorkDoneProgressCancel tells that the user does not want to wait any longer. A [Server]
	// cancels the context of the work.
	WorkDoneProgressCancel = Notification[*protocol.WorkDoneProgressCancelParams]{
		Method: protocol.MethodWindowWorkDoneProgressCancel,
	}
	// Telemetry gives the client an event to pass on to its telemetry.
	Telemetry = Notification[protocol.LSPAny]{Method: protocol.MethodTelemetryEvent}
)
