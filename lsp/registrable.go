package lsp

import "go.lsp.dev/protocol"

// place says where capabilities mention a method.
type place struct {
	client string // the flag with which a client takes its dynamic registration
	server string // the static capability that excludes one, "" if there is none
}

// registrable holds the methods that can be registered dynamically: those with registration
// options in the protocol's meta model, and workspace folders, which have a flag of their own.
var registrable = map[string]place{
	"notebookDocument/sync": {
		"notebookDocument.synchronization.dynamicRegistration", "notebookDocumentSync",
	},
	"textDocument/semanticTokens": {
		"textDocument.semanticTokens.dynamicRegistration", "semanticTokensProvider",
	},
	protocol.MethodTextDocumentCodeAction: {
		"textDocument.codeAction.dynamicRegistration", "codeActionProvider",
	},
	protocol.MethodTextDocumentCodeLens: {
		"textDocument.codeLens.dynamicRegistration", "codeLensProvider",
	},
	protocol.MethodTextDocumentColorPresentation: {
		"textDocument.colorProvider.dynamicRegistration", "colorProvider",
	},
	protocol.MethodTextDocumentCompletion: {
		"textDocument.completion.dynamicRegistration", "completionProvider",
	},
	protocol.MethodTextDocumentDeclaration: {
		"textDocument.declaration.dynamicRegistration", "declarationProvider",
	},
	protocol.MethodTextDocumentDefinition: {
		"textDocument.definition.dynamicRegistration", "definitionProvider",
	},
	protocol.MethodTextDocumentDiagnostic: {
		"textDocument.diagnostic.dynamicRegistration", "diagnosticProvider",
	},
	protocol.MethodTextDocumentDidChange: {
		"textDocument.synchronization.dynamicRegistration", "textDocumentSync",
	},
	protocol.MethodTextDocumentDidClose: {
		"textDocument.synchronization.dynamicRegistration", "textDocumentSync",
	},
	protocol.MethodTextDocumentDidOpen: {
		"textDocument.synchronization.dynamicRegistration", "textDocumentSync",
	},
	protocol.MethodTextDocumentDidSave: {
		"textDocument.synchronization.dynamicRegistration", "textDocumentSync.save",
	},
	protocol.MethodTextDocumentDocumentColor: {
		"textDocument.colorProvider.dynamicRegistration", "colorProvider",
	},
	protocol.MethodTextDocumentDocumentHighlight: {
		"textDocument.documentHighlight.dynamicRegistration", "documentHighlightProvider",
	},
	protocol.MethodTextDocumentDocumentLink: {
		"textDocument.documentLink.dynamicRegistration", "documentLinkProvider",
	},
	protocol.MethodTextDocumentDocumentSymbol: {
		"textDocument.documentSymbol.dynamicRegistration", "documentSymbolProvider",
	},
	protocol.MethodTextDocumentFoldingRange: {
		"textDocument.foldingRange.dynamicRegistration", "foldingRangeProvider",
	},
	protocol.MethodTextDocumentFormatting: {
		"textDocument.formatting.dynamicRegistration", "documentFormattingProvider",
	},
	protocol.MethodTextDocumentHover: {
		"textDocument.hover.dynamicRegistration", "hoverProvider",
	},
	protocol.MethodTextDocumentImplementation: {
		"textDocument.implementation.dynamicRegistration", "implementationProvider",
	},
	protocol.MethodTextDocumentInlayHint: {
		"textDocument.inlayHint.dynamicRegistration", "inlayHintProvider",
	},
	protocol.MethodTextDocumentInlineCompletion: {
		"textDocument.inlineCompletion.dynamicRegistration", "inlineCompletionProvider",
	},
	protocol.MethodTextDocumentInlineValue: {
		"textDocument.inlineValue.dynamicRegistration", "inlineValueProvider",
	},
	protocol.MethodTextDocumentLinkedEditingRange: {
		"textDocument.linkedEditingRange.dynamicRegistration", "linkedEditingRangeProvider",
	},
	protocol.MethodTextDocumentMoniker: {
		"textDocument.moniker.dynamicRegistration", "monikerProvider",
	},
	protocol.MethodTextDocumentOnTypeFormatting: {
		"textDocument.onTypeFormatting.dynamicRegistration", "documentOnTypeFormattingProvider",
	},
	protocol.MethodTextDocumentPrepareCallHierarchy: {
		"textDocument.callHierarchy.dynamicRegistration", "callHierarchyProvider",
	},
	protocol.MethodTextDocumentPrepareTypeHierarchy: {
		"textDocument.typeHierarchy.dynamicRegistration", "typeHierarchyProvider",
	},
	protocol.MethodTextDocumentRangeFormatting: {
		"textDocument.rangeFormatting.dynamicRegistration", "documentRangeFormattingProvider",
	},
	protocol.MethodTextDocumentReferences: {
		"textDocument.references.dynamicRegistration", "referencesProvider",
	},
	protocol.MethodTextDocumentRename: {
		"textDocument.rename.dynamicRegistration", "renameProvider",
	},
	protocol.MethodTextDocumentSelectionRange: {
		"textDocument.selectionRange.dynamicRegistration", "selectionRangeProvider",
	},
	protocol.MethodTextDocumentSignatureHelp: {
		"textDocument.signatureHelp.dynamicRegistration", "signatureHelpProvider",
	},
	protocol.MethodTextDocumentTypeDefinition: {
		"textDocument.typeDefinition.dynamicRegistration", "typeDefinitionProvider",
	},
	protocol.MethodTextDocumentWillSave: {
		"textDocument.synchronization.dynamicRegistration", "textDocumentSync.willSave",
	},
	protocol.MethodTextDocumentWillSaveWaitUntil: {
		"textDocument.synchronization.dynamicRegistration", "textDocumentSync.willSaveWaitUntil",
	},
	protocol.MethodWorkspaceDidChangeConfiguration: {
		"workspace.didChangeConfiguration.dynamicRegistration", "",
	},
	protocol.MethodWorkspaceDidChangeWatchedFiles: {
		"workspace.didChangeWatchedFiles.dynamicRegistration", "",
	},
	protocol.MethodWorkspaceDidChangeWorkspaceFolders: {
		"workspace.workspaceFolders", "workspace.workspaceFolders.changeNotifications",
	},
	protocol.MethodWorkspaceDidCreateFiles: {
		"workspace.fileOperations.dynamicRegistration", "workspace.fileOperations.didCreate",
	},
	protocol.MethodWorkspaceDidDeleteFiles: {
		"workspace.fileOperations.dynamicRegistration", "workspace.fileOperations.didDelete",
	},
	protocol.MethodWorkspaceDidRenameFiles: {
		"workspace.fileOperations.dynamicRegistration", "workspace.fileOperations.didRename",
	},
	protocol.MethodWorkspaceExecuteCommand: {
		"workspace.executeCommand.dynamicRegistration", "executeCommandProvider",
	},
	protocol.MethodWorkspaceSymbol: {
		"workspace.symbol.dynamicRegistration", "workspaceSymbolProvider",
	},
	protocol.MethodWorkspaceTextDocumentContent: {
		"workspace.textDocumentContent.dynamicRegistration", "workspace.textDocumentContent",
	},
	protocol.MethodWorkspaceWillCreateFiles: {
		"workspace.fileOperations.dynamicRegistration", "workspace.fileOperations.willCreate",
	},
	protocol.MethodWorkspaceWillDeleteFiles: {
		"workspace.fileOperations.dynamicRegistration", "workspace.fileOperations.willDelete",
	},
	protocol.MethodWorkspaceWillRenameFiles: {
		"workspace.fileOperations.dynamicRegistration", "workspace.fileOperations.willRename",
	},
}
