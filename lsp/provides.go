package lsp

import "go.lsp.dev/protocol"

// provides says what handling a method means for the capabilities. What the plug-in has set
// stays.
var provides = map[string]func(c *protocol.ServerCapabilities){
	protocol.MethodTextDocumentWillSave: func(c *protocol.ServerCapabilities) {
		options[protocol.TextDocumentSyncOptions](&c.TextDocumentSync).WillSave = new(true)
	},
	protocol.MethodTextDocumentWillSaveWaitUntil: func(c *protocol.ServerCapabilities) {
		options[protocol.TextDocumentSyncOptions](&c.TextDocumentSync).WillSaveWaitUntil = new(true)
	},
	protocol.MethodTextDocumentDidSave: func(c *protocol.ServerCapabilities) {
		orTrue(&options[protocol.TextDocumentSyncOptions](&c.TextDocumentSync).Save)
	},
	protocol.MethodNotebookDocumentDidOpen: anyNotebook,
	protocol.MethodNotebookDocumentDidSave: func(c *protocol.ServerCapabilities) {
		anyNotebook(c)
		options[protocol.NotebookDocumentSyncOptions](&c.NotebookDocumentSync).Save = new(true)
	},

	protocol.MethodTextDocumentDeclaration: func(c *protocol.ServerCapabilities) {
		orTrue(&c.DeclarationProvider)
	},
	protocol.MethodTextDocumentDefinition: func(c *protocol.ServerCapabilities) {
		orTrue(&c.DefinitionProvider)
	},
	protocol.MethodTextDocumentTypeDefinition: func(c *protocol.ServerCapabilities) {
		orTrue(&c.TypeDefinitionProvider)
	},
	protocol.MethodTextDocumentImplementation: func(c *protocol.ServerCapabilities) {
		orTrue(&c.ImplementationProvider)
	},
	protocol.MethodTextDocumentReferences: func(c *protocol.ServerCapabilities) {
		orTrue(&c.ReferencesProvider)
	},
	protocol.MethodTextDocumentDocumentHighlight: func(c *protocol.ServerCapabilities) {
		orTrue(&c.DocumentHighlightProvider)
	},
	protocol.MethodTextDocumentDocumentSymbol: func(c *protocol.ServerCapabilities) {
		orTrue(&c.DocumentSymbolProvider)
	},
	protocol.MethodTextDocumentMoniker: func(c *protocol.ServerCapabilities) {
		orTrue(&c.MonikerProvider)
	},
	protocol.MethodTextDocumentPrepareCallHierarchy: func(c *protocol.ServerCapabilities) {
		orTrue(&c.CallHierarchyProvider)
	},
	protocol.MethodTextDocumentPrepareTypeHierarchy: func(c *protocol.ServerCapabilities) {
		orTrue(&c.TypeHierarchyProvider)
	},
	protocol.MethodTextDocumentDocumentLink: func(c *protocol.ServerCapabilities) {
		orNew(&c.DocumentLinkProvider)
	},
	protocol.MethodDocumentLinkResolve: func(c *protocol.ServerCapabilities) {
		orNew(&c.DocumentLinkProvider).ResolveProvider = new(true)
	},

	protocol.MethodTextDocumentHover: func(c *protocol.ServerCapabilities) {
		orTrue(&c.HoverProvider)
	},
	protocol.MethodTextDocumentSignatureHelp: func(c *protocol.ServerCapabilities) {
		orNew(&c.SignatureHelpProvider)
	},
	protocol.MethodTextDocumentCodeLens: func(c *protocol.ServerCapabilities) {
		orNew(&c.CodeLensProvider)
	},
	protocol.MethodCodeLensResolve: func(c *protocol.ServerCapabilities) {
		orNew(&c.CodeLensProvider).ResolveProvider = new(true)
	},
	protocol.MethodTextDocumentFoldingRange: func(c *protocol.ServerCapabilities) {
		orTrue(&c.FoldingRangeProvider)
	},
	protocol.MethodTextDocumentSelectionRange: func(c *protocol.ServerCapabilities) {
		orTrue(&c.SelectionRangeProvider)
	},
	protocol.MethodTextDocumentSemanticTokensFull: func(c *protocol.ServerCapabilities) {
		orTrue(&options[protocol.SemanticTokensOptions](&c.SemanticTokensProvider).Full)
	},
	protocol.MethodTextDocumentSemanticTokensFullDelta: func(c *protocol.ServerCapabilities) {
		o := options[protocol.SemanticTokensOptions](&c.SemanticTokensProvider)
		options[protocol.SemanticTokensFullDelta](&o.Full).Delta = new(true)
	},
	protocol.MethodTextDocumentSemanticTokensRange: func(c *protocol.ServerCapabilities) {
		orTrue(&options[protocol.SemanticTokensOptions](&c.SemanticTokensProvider).Range)
	},
	protocol.MethodTextDocumentInlineValue: func(c *protocol.ServerCapabilities) {
		orTrue(&c.InlineValueProvider)
	},
	protocol.MethodTextDocumentInlayHint: func(c *protocol.ServerCapabilities) {
		orTrue(&c.InlayHintProvider)
	},
	protocol.MethodInlayHintResolve: func(c *protocol.ServerCapabilities) {
		options[protocol.InlayHintOptions](&c.InlayHintProvider).ResolveProvider = new(true)
	},
	protocol.MethodTextDocumentDocumentColor: func(c *protocol.ServerCapabilities) {
		orTrue(&c.ColorProvider)
	},
	protocol.MethodTextDocumentDiagnostic: func(c *protocol.ServerCapabilities) {
		options[protocol.DiagnosticOptions](&c.DiagnosticProvider)
	},
	protocol.MethodWorkspaceDiagnostic: func(c *protocol.ServerCapabilities) {
		options[protocol.DiagnosticOptions](&c.DiagnosticProvider).WorkspaceDiagnostics = true
	},

	protocol.MethodTextDocumentCompletion: func(c *protocol.ServerCapabilities) {
		orNew(&c.CompletionProvider)
	},
	protocol.MethodCompletionItemResolve: func(c *protocol.ServerCapabilities) {
		orNew(&c.CompletionProvider).ResolveProvider = new(true)
	},
	protocol.MethodTextDocumentInlineCompletion: func(c *protocol.ServerCapabilities) {
		orTrue(&c.InlineCompletionProvider)
	},
	protocol.MethodTextDocumentCodeAction: func(c *protocol.ServerCapabilities) {
		orTrue(&c.CodeActionProvider)
	},
	protocol.MethodCodeActionResolve: func(c *protocol.ServerCapabilities) {
		options[protocol.CodeActionOptions](&c.CodeActionProvider).ResolveProvider = new(true)
	},
	protocol.MethodTextDocumentFormatting: func(c *protocol.ServerCapabilities) {
		orTrue(&c.DocumentFormattingProvider)
	},
	protocol.MethodTextDocumentRangeFormatting: func(c *protocol.ServerCapabilities) {
		orTrue(&c.DocumentRangeFormattingProvider)
	},
	protocol.MethodTextDocumentRangesFormatting: func(c *protocol.ServerCapabilities) {
		o := options[protocol.DocumentRangeFormattingOptions](&c.DocumentRangeFormattingProvider)
		o.RangesSupport = new(true)
	},
	protocol.MethodTextDocumentRename: func(c *protocol.ServerCapabilities) {
		orTrue(&c.RenameProvider)
	},
	protocol.MethodTextDocumentPrepareRename: func(c *protocol.ServerCapabilities) {
		options[protocol.RenameOptions](&c.RenameProvider).PrepareProvider = new(true)
	},
	protocol.MethodTextDocumentLinkedEditingRange: func(c *protocol.ServerCapabilities) {
		orTrue(&c.LinkedEditingRangeProvider)
	},

	protocol.MethodWorkspaceSymbol: func(c *protocol.ServerCapabilities) {
		orTrue(&c.WorkspaceSymbolProvider)
	},
	protocol.MethodWorkspaceSymbolResolve: func(c *protocol.ServerCapabilities) {
		options[protocol.WorkspaceSymbolOptions](&c.WorkspaceSymbolProvider).
			ResolveProvider = new(true)
	},
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: func(c *protocol.ServerCapabilities) {
		o := orNew(&orNew(&c.Workspace).WorkspaceFolders)
		o.Supported = new(true)
		if o.ChangeNotifications == nil {
			// The id that clients register it under; some, as gopls, take no boolean here.
			id := protocol.String(protocol.MethodWorkspaceDidChangeWorkspaceFolders)
			o.ChangeNotifications = id
		}
	},
	protocol.MethodWorkspaceWillCreateFiles: func(c *protocol.ServerCapabilities) {
		orAnyFile(&files(c).WillCreate)
	},
	protocol.MethodWorkspaceDidCreateFiles: func(c *protocol.ServerCapabilities) {
		orAnyFile(&files(c).DidCreate)
	},
	protocol.MethodWorkspaceWillRenameFiles: func(c *protocol.ServerCapabilities) {
		orAnyFile(&files(c).WillRename)
	},
	protocol.MethodWorkspaceDidRenameFiles: func(c *protocol.ServerCapabilities) {
		orAnyFile(&files(c).DidRename)
	},
	protocol.MethodWorkspaceWillDeleteFiles: func(c *protocol.ServerCapabilities) {
		orAnyFile(&files(c).WillDelete)
	},
	protocol.MethodWorkspaceDidDeleteFiles: func(c *protocol.ServerCapabilities) {
		orAnyFile(&files(c).DidDelete)
	},
}
