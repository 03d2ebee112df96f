package lsp

import (
	"go.lsp.dev/protocol"
)

// The methods that change the code (LSP 3.18, Language Features).
var (
	// Completion asks how the word at a position may go on.
	Completion = Request[*protocol.CompletionParams, protocol.CompletionResult]{
		Method: protocol.MethodTextDocumentCompletion,
	}
	// CompletionResolve asks for the details of a completion.
	CompletionResolve = Request[*protocol.CompletionItem, *protocol.CompletionItem]{
		Method: protocol.MethodCompletionItemResolve,
	}
	// InlineCompletion asks for text to propose at a position.
	InlineCompletion = Request[*protocol.InlineCompletionParams, protocol.InlineCompletionResult]{
		Method: protocol.MethodTextDocumentInlineCompletion,
	}
	// CodeAction asks what can be done about a range.
	CodeAction = Request[*protocol.CodeActionParams, []protocol.CommandOrCodeAction]{
		Method: protocol.MethodTextDocumentCodeAction,
	}
	// CodeActionResolve asks for the edit of an action.
	CodeActionResolve = Request[*protocol.CodeAction, *protocol.CodeAction]{
		Method: protocol.MethodCodeActionResolve,
	}
	// Formatting asks for a document in good form.
	Formatting = Request[*protocol.DocumentFormattingParams, []protocol.TextEdit]{
		Method: protocol.MethodTextDocumentFormatting,
	}
	// RangeFormatting asks for a range in good form.
	RangeFormatting = Request[*protocol.DocumentRangeFormattingParams, []protocol.TextEdit]{
		Method: protocol.MethodTextDocumentRangeFormatting,
	}
	// RangesFormatting asks for several ranges in good form.
	RangesFormatting = Request[*protocol.DocumentRangesFormattingParams, []protocol.TextEdit]{
		Method: protocol.MethodTextDocumentRangesFormatting,
	}
	// OnTypeFormatting asks what else to change after a character was typed.
	OnTypeFormatting = Request[*protocol.DocumentOnTypeFormattingParams, []protocol.TextEdit]{
		Method: protocol.MethodTextDocumentOnTypeFormatting,
	}
	// Rename asks for the edits that rename a symbol.
	Rename = Request[*protocol.RenameParams, *protocol.WorkspaceEdit]{
		Method: protocol.MethodTextDocumentRename,
	}
	// PrepareRename asks whether, and where, a symbol can be renamed.
	PrepareRename = Request[*protocol.PrepareRenameParams, protocol.PrepareRenameResult]{
		Method: protocol.MethodTextDocumentPrepareRename,
	}
	// LinkedEditingRange asks which ranges are edited together.
	LinkedEditingRange = Request[
		*protocol.LinkedEditingRangeParams,
		*protocol.LinkedEditingRanges,
	]{
		Method: protocol.MethodTextDocumentLinkedEditingRange,
	}
)
