package lsp

import (
	"go.lsp.dev/protocol"

	"triplex/host"
)

// The methods that show what is known about the code (LSP 3.18, Language Features).
var (
	// Hover asks what to show about the symbol under the pointer.
	Hover = Request[*protocol.HoverParams, *protocol.Hover]{
		Method: protocol.MethodTextDocumentHover,
	}
	// SignatureHelp asks for the signature of the call being typed.
	SignatureHelp = Request[*protocol.SignatureHelpParams, *protocol.SignatureHelp]{
		Method: protocol.MethodTextDocumentSignatureHelp,
	}
	// CodeLens asks for the commands to show between the lines.
	CodeLens = Request[*protocol.CodeLensParams, []protocol.CodeLens]{
		Method: protocol.MethodTextDocumentCodeLens,
	}
	// CodeLensResolve asks for the command of a lens.
	CodeLensResolve = Request[*protocol.CodeLens, *protocol.CodeLens]{
		Method: protocol.MethodCodeLensResolve,
	}
	// CodeLensRefresh asks the client to ask for all lenses again.
	CodeLensRefresh = Request[host.NoParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceCodeLensRefresh,
	}
	// FoldingRanges asks what can be folded.
	FoldingRanges = Request[*protocol.FoldingRangeParams, []protocol.FoldingRange]{
		Method: protocol.MethodTextDocumentFoldingRange,
	}
	// FoldingRangeRefresh asks the client to ask for all folding ranges again.
	FoldingRangeRefresh = Request[host.NoParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceFoldingRangeRefresh,
	}
	// SelectionRange asks how a selection grows.
	SelectionRange = Request[*protocol.SelectionRangeParams, []protocol.SelectionRange]{
		Method: protocol.MethodTextDocumentSelectionRange,
	}
	// SemanticTokensFull asks for the tokens of a document.
	SemanticTokensFull = Request[*protocol.SemanticTokensParams, *protocol.SemanticTokens]{
		Method: protocol.MethodTextDocumentSemanticTokensFull,
	}
	// SemanticTokensFullDelta asks for what has changed in the tokens of a document.
	SemanticTokensFullDelta = Request[
		*protocol.SemanticTokensDeltaParams,
		protocol.SemanticTokensDeltaResult,
	]{
		Method: protocol.MethodTextDocumentSemanticTokensFullDelta,
	}
	// SemanticTokensRange asks for the tokens of a range.
	SemanticTokensRange = Request[*protocol.SemanticTokensRangeParams, *protocol.SemanticTokens]{
		Method: protocol.MethodTextDocumentSemanticTokensRange,
	}
	// SemanticTokensRefresh asks the client to ask for all tokens again.
	SemanticTokensRefresh = Request[host.NoParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceSemanticTokensRefresh,
	}
	// InlineValue asks for the values a debugger shows at the ends of lines.
	InlineValue = Request[*protocol.InlineValueParams, []protocol.InlineValue]{
		Method: protocol.MethodTextDocumentInlineValue,
	}
	// InlineValueRefresh asks the client to ask for all inline values again.
	InlineValueRefresh = Request[host.NoParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceInlineValueRefresh,
	}
	// InlayHint asks for the hints to show within lines.
	InlayHint = Request[*protocol.InlayHintParams, []protocol.InlayHint]{
		Method: protocol.MethodTextDocumentInlayHint,
	}
	// InlayHintResolve asks for the details of a hint.
	InlayHintResolve = Request[*protocol.InlayHint, *protocol.InlayHint]{
		Method: protocol.MethodInlayHintResolve,
	}
	// InlayHintRefresh asks the client to ask for all hints again.
	InlayHintRefresh = Request[host.NoParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceInlayHintRefresh,
	}
	// DocumentColor asks for the colours a document names.
	DocumentColor = Request[*protocol.DocumentColorParams, []protocol.ColorInformation]{
		Method: protocol.MethodTextDocumentDocumentColor,
	}
	// ColorPresentation asks how a colour can be written.
	ColorPresentation = Request[*protocol.ColorPresentationParams, []protocol.ColorPresentation]{
		Method: protocol.MethodTextDocumentColorPresentation,
	}
	// PublishDiagnostics tells the client all problems of a document, see
	// [Session.PublishDiagnostics].
	PublishDiagnostics = Notification[*protocol.PublishDiagnosticsParams]{
		Method: protocol.MethodTextDocumentPublishDiagnostics,
	}
	// Diagnostic asks for the problems of a document.
	Diagnostic = Request[*protocol.DocumentDiagnosticParams, protocol.DocumentDiagnosticReport]{
		Method: protocol.MethodTextDocumentDiagnostic,
	}
	// DiagnosticWorkspace asks for the problems of the workspace.
	DiagnosticWorkspace = Request[
		*protocol.WorkspaceDiagnosticParams,
		*protocol.WorkspaceDiagnosticReport,
	]{
		Method: protocol.MethodWorkspaceDiagnostic,
	}
	// DiagnosticRefresh asks the client to ask for all problems again.
	DiagnosticRefresh = Request[host.NoParams, protocol.LSPAny]{
		Method: protocol.MethodWorkspaceDiagnosticRefresh,
	}
)
