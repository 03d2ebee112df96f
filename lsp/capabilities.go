package lsp

import (
	"go.lsp.dev/protocol"
)

// capabilities returns what the server can do for a client: the options the plug-in gave, filled
// up by the methods it handles.
func (srv *Server) capabilities(
	client *protocol.ClientCapabilities,
) (protocol.ServerCapabilities, error) {
	// Each session gets its own copy: Server.Initialize may change what is in it.
	c, err := protocol.Clone(srv.Capabilities)
	if err != nil {
		return c, err
	}
	announceSync(&c)
	for _, m := range srv.methods.Methods() {
		if f := provides[m]; f != nil {
			f(&c)
		}
	}
	simplify(&c, client)
	return c, nil
}

// announceSync announces the documents, which are always in step.
func announceSync(c *protocol.ServerCapabilities) {
	o := options[protocol.TextDocumentSyncOptions](&c.TextDocumentSync)
	o.OpenClose = new(true)
	if o.Change == nil {
		o.Change = new(protocol.TextDocumentSyncKindIncremental)
	}
}

// simplify takes back options that the client has not said it knows (LSP 3.18,
// codeActionProvider and renameProvider).
func simplify(c *protocol.ServerCapabilities, client *protocol.ClientCapabilities) {
	t := client.TextDocument
	if t == nil {
		t = new(protocol.TextDocumentClientCapabilities)
	}
	if c.RenameProvider != nil && (t.Rename == nil || !isTrue(t.Rename.PrepareSupport)) {
		c.RenameProvider = protocol.Boolean(true)
	}
	if c.CodeActionProvider != nil && !takesCodeActions(t.CodeAction) {
		c.CodeActionProvider = protocol.Boolean(true)
	}
}

// orTrue sets a capability, which is a union with a boolean, to true unless it is set.
func orTrue[U any](capability *U) {
	if any(*capability) == nil {
		*capability = any(protocol.Boolean(true)).(U)
	}
}

// orNew returns the options at field, which it makes if there are none.
func orNew[O any](field **O) *O {
	if *field == nil {
		*field = new(O)
	}
	return *field
}

// options returns the options of type O in a capability, which is a union. It makes them if the
// capability is not set or a mere boolean. If it is of yet another type, the plug-in has said
// all: what is returned then is not part of it.
func options[O, U any](capability *U) *O {
	switch v := any(*capability).(type) {
	case *O:
		return v
	case nil, protocol.Boolean:
		o := new(O)
		*capability = any(o).(U)
		return o
	}
	return new(O)
}

func files(c *protocol.ServerCapabilities) *protocol.FileOperationOptions {
	return orNew(&orNew(&c.Workspace).FileOperations)
}

// orAnyFile makes a file operation concern all files unless the plug-in has named some.
func orAnyFile(o *protocol.FileOperationRegistrationOptions) {
	if o.Filters == nil {
		o.Filters = []protocol.FileOperationFilter{
			{Pattern: protocol.FileOperationPattern{Glob: "**"}},
		}
	}
}

// anyNotebook announces notebooks of all kinds unless the plug-in has named some.
func anyNotebook(c *protocol.ServerCapabilities) {
	o := options[protocol.NotebookDocumentSyncOptions](&c.NotebookDocumentSync)
	if o.NotebookSelector == nil {
		o.NotebookSelector = []protocol.NotebookSelector{
			&protocol.NotebookDocumentFilterWithNotebook{Notebook: protocol.String("*")},
		}
	}
}

// takesCodeActions reports whether the client knows code actions that are no mere commands.
func takesCodeActions(c *protocol.CodeActionClientCapabilities) bool {
	return c != nil && c.CodeActionLiteralSupport.CodeActionKind.ValueSet != nil
}
