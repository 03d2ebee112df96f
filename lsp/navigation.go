package lsp

import (
	"go.lsp.dev/protocol"
)

// The methods that lead from one place in the code to others (LSP 3.18, Language Features).
var (
	// Declaration asks where a symbol is declared.
	Declaration = Request[*protocol.DeclarationParams, protocol.DeclarationResult]{
		Method: protocol.MethodTextDocumentDeclaration,
	}
	// Definition asks where a symbol is defined.
	Definition = Request[*protocol.DefinitionParams, protocol.DefinitionResult]{
		Method: protocol.MethodTextDocumentDefinition,
	}
	// TypeDefinition asks where the type of a symbol is defined.
	TypeDefinition = Request[*protocol.TypeDefinitionParams, protocol.DefinitionResult]{
		Method: protocol.MethodTextDocumentTypeDefinition,
	}
	// Implementation asks where a symbol is implemented.
	Implementation = Request[*protocol.ImplementationParams, protocol.DefinitionResult]{
		Method: protocol.MethodTextDocumentImplementation,
	}
	// References asks where a symbol is used.
	References = Request[*protocol.ReferenceParams, []protocol.Location]{
		Method: protocol.MethodTextDocumentReferences,
	}
	// DocumentHighlight asks where in its document a symbol is used.
	DocumentHighlight = Request[*protocol.DocumentHighlightParams, []protocol.DocumentHighlight]{
		Method: protocol.MethodTextDocumentDocumentHighlight,
	}
	// DocumentSymbol asks for the outline of a document.
	DocumentSymbol = Request[*protocol.DocumentSymbolParams, protocol.DocumentSymbolResult]{
		Method: protocol.MethodTextDocumentDocumentSymbol,
	}
	// Moniker asks for names of a symbol that hold across projects.
	Moniker = Request[*protocol.MonikerParams, []protocol.Moniker]{
		Method: protocol.MethodTextDocumentMoniker,
	}
	// PrepareCallHierarchy asks for the item of a call hierarchy at a position.
	PrepareCallHierarchy = Request[
		*protocol.CallHierarchyPrepareParams,
		[]protocol.CallHierarchyItem,
	]{
		Method: protocol.MethodTextDocumentPrepareCallHierarchy,
	}
	// IncomingCalls asks who calls an item.
	IncomingCalls = Request[
		*protocol.CallHierarchyIncomingCallsParams,
		[]protocol.CallHierarchyIncomingCall,
	]{
		Method: protocol.MethodCallHierarchyIncomingCalls,
	}
	// OutgoingCalls asks what an item calls.
	OutgoingCalls = Request[
		*protocol.CallHierarchyOutgoingCallsParams,
		[]protocol.CallHierarchyOutgoingCall,
	]{
		Method: protocol.MethodCallHierarchyOutgoingCalls,
	}
	// PrepareTypeHierarchy asks for the item of a type hierarchy at a position.
	PrepareTypeHierarchy = Request[
		*protocol.TypeHierarchyPrepareParams,
		[]protocol.TypeHierarchyItem,
	]{
		Method: protocol.MethodTextDocumentPrepareTypeHierarchy,
	}
	// Supertypes asks for the supertypes of an item.
	Supertypes = Request[*protocol.TypeHierarchySupertypesParams, []protocol.TypeHierarchyItem]{
		Method: protocol.MethodTypeHierarchySupertypes,
	}
	// Subtypes asks for the subtypes of an item.
	Subtypes = Request[*protocol.TypeHierarchySubtypesParams, []protocol.TypeHierarchyItem]{
		Method: protocol.MethodTypeHierarchySubtypes,
	}
	// DocumentLink asks for the links in a document.
	DocumentLink = Request[*protocol.DocumentLinkParams, []protocol.DocumentLink]{
		Method: protocol.MethodTextDocumentDocumentLink,
	}
	// DocumentLinkResolve asks for the target of a link.
	DocumentLinkResolve = Request[*protocol.DocumentLink, *protocol.DocumentLink]{
		Method: protocol.MethodDocumentLinkResolve,
	}
)
