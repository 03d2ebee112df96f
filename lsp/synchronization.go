package lsp

import (
	"go.lsp.dev/protocol"
)

// The methods that keep documents and notebooks in step (LSP 3.18, Document Synchronization).
var (
	// DidOpen tells that the client owns a document from now on. A [Server] keeps [Documents] by
	// itself, see Server.Opened.
	DidOpen = Notification[*protocol.DidOpenTextDocumentParams]{
		Method: protocol.MethodTextDocumentDidOpen,
	}
	// DidChange tells of edits to an open document. See Server.Changed.
	DidChange = Notification[*protocol.DidChangeTextDocumentParams]{
		Method: protocol.MethodTextDocumentDidChange,
	}
	// DidClose tells that the truth about a document is on disk again. See Server.Closed.
	DidClose = Notification[*protocol.DidCloseTextDocumentParams]{
		Method: protocol.MethodTextDocumentDidClose,
	}
	// WillSave tells that a document is about to be saved.
	WillSave = Notification[*protocol.WillSaveTextDocumentParams]{
		Method: protocol.MethodTextDocumentWillSave,
	}
	// WillSaveWaitUntil asks for edits to a document before it is saved.
	WillSaveWaitUntil = Request[*protocol.WillSaveTextDocumentParams, []protocol.TextEdit]{
		Method: protocol.MethodTextDocumentWillSaveWaitUntil,
	}
	// DidSave tells that a document has been saved.
	DidSave = Notification[*protocol.DidSaveTextDocumentParams]{
		Method: protocol.MethodTextDocumentDidSave,
	}
	// DidOpenNotebookDocument tells that the client owns a notebook from now on.
	DidOpenNotebookDocument = Notification[*protocol.DidOpenNotebookDocumentParams]{
		Method: protocol.MethodNotebookDocumentDidOpen,
	}
	// DidChangeNotebookDocument tells of edits to an open notebook.
	DidChangeNotebookDocument = Notification[*protocol.DidChangeNotebookDocumentParams]{
		Method: protocol.MethodNotebookDocumentDidChange,
	}
	// DidSaveNotebookDocument tells that a notebook has been saved.
	DidSaveNotebookDocument = Notification[*protocol.DidSaveNotebookDocumentParams]{
		Method: protocol.MethodNotebookDocumentDidSave,
	}
	// DidCloseNotebookDocument tells that the truth about a notebook is on disk again.
	DidCloseNotebookDocument = Notification[*protocol.DidCloseNotebookDocumentParams]{
		Method: protocol.MethodNotebookDocumentDidClose,
	}
)
