package lsp

import (
	"go.lsp.dev/protocol"

	"triplex/host"
)

// The methods of the workspace (LSP 3.18, Workspace Features).
var (
	// Symbols asks for symbols of the workspace by name.
	Symbols = Request[*protocol.WorkspaceSymbolParams, protocol.WorkspaceSymbolResult]{
		Method: protocol.MethodWorkspaceSymbol,
	}
	// WorkspaceSymbolResolve asks for the place of a symbol.
	WorkspaceSymbolResolve = Request[*protocol.WorkspaceSymbol, *protocol.WorkspaceSymbol]{
		Method: protocol.MethodWorkspaceSymbolResolve,
	}
	// Configuration asks the client for settings, see [Session.Configuration].
	Configuration = Request[*protocol.ConfigurationParams, []protocol.LSPAny]{
		Method: protocol.MethodWorkspaceConfiguration,
	}
	// DidChangeConfiguration tells that settings have changed.
	DidChangeConfiguration = Notification[*protocol.DidChangeConfigurationParams]{
		Method: protocol.MethodWorkspaceDidChangeConfiguration,
	}
	// WorkspaceFolders asks the client for the folders that are open.
	WorkspaceFolders = Request[host.NoParams, []protocol.WorkspaceFolder]{
		Method: protocol.MethodWorkspaceWorkspaceFolders,
	}
	// DidChangeWorkspaceFolders tells that folders were opened or closed.
	DidChangeWorkspaceFolders = Notification[*protocol.DidChangeWorkspaceFoldersParams]{
		Method: protocol.MethodWorkspaceDidChangeWorkspaceFolders,
	}
	// WillCreateFiles asks for edits before files are created.
	WillCreateFiles = Request[*protocol.CreateFilesParams, *protocol.WorkspaceEdit]{
		Method: protocol.MethodWorkspaceWillCreateFiles,
	}
	// DidCreateFiles tells that files were created.
	DidCreateFiles = Notification[*protocol.CreateFilesParams]{
		Method: protocol.MethodWorkspaceDidCreateFiles,
	}
	// WillRenameFiles asks for edits before files are renamed.
	WillRenameFiles = Request[*protocol.RenameFilesParams, *protocol.WorkspaceEdit]{
		Method: protocol.MethodWorkspaceWillRenameFiles,
	}
	// DidRenameFiles tells that files were renamed.
	DidRenameFiles = Notification[*protocol.RenameFilesParams]{
		Method: protocol.MethodWorkspaceDidRenameFiles,
	}
	// WillDeleteFiles asks for edits before files are deleted.
	WillDeleteFiles = Request[*protocol.DeleteFilesParams, *protocol.WorkspaceEdit]{
		Method: protocol.MethodWorkspaceWillDeleteFiles,
	}
	// DidDeleteFiles tells that files were deleted.
	DidDeleteFiles = Notification[*protocol.DeleteFilesParams]{
		Method: protocol.MethodWorkspaceDidDeleteFiles,
	}
	// DidChangeWatchedFiles tells that watched files have changed on disk.
	DidChangeWatchedFiles = Notification[*protocol.DidChangeWatchedFilesParams]{
		Method: protocol.MethodWorkspaceDidChangeWatchedFiles,
	}
	// ExecuteCommand asks the server to run one of its commands.
	ExecuteCommand = Request[*protocol.ExecuteCommandParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceExecuteCommand,
	}
	// ApplyEdit asks the client to edit the workspace, see [Session.ApplyEdit].
	ApplyEdit = Request[*protocol.ApplyWorkspaceEditParams, *protocol.ApplyWorkspaceEditResult]{
		Method: protocol.MethodWorkspaceApplyEdit,
	}
	// TextDocumentContent asks for the text of a document that only the server has.
	TextDocumentContent = Request[
		*protocol.TextDocumentContentParams,
		*protocol.TextDocumentContentResult,
	]{
		Method: protocol.MethodWorkspaceTextDocumentContent,
	}
	// TextDocumentContentRefresh asks the client to ask for such a text again.
	TextDocumentContentRefresh = Request[
		*protocol.TextDocumentContentRefreshParams,
		protocol.LSPAny,
	]{
		Method: protocol.MethodWorkspaceTextDocumentContentRefresh,
	}
)
