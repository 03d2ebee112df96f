package lspface

import (
	"context"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

// A session is what the server knows of one client.
type session struct {
	face    *face
	client  *lsp.Session // with the documents as they are at any moment
	view    *workspace.View
	checker *checker

	// applying is held from reading the settings until the view has them, so that of two changes
	// the later one stays.
	applying sync.Mutex

	mu       sync.Mutex // guards the fields below
	folders  []string   // workspace folders, as paths
	settings settings
	listed   completionList
	colored  map[lsp.Key]coloring
	spelled  map[string]uri.URI // how the client spells the names that it has open
	lastID   int                // of a completion list or a coloring
}

// stateOf returns the session that s belongs to.
func stateOf(s *lsp.Session) *session { return s.State.(*session) }

func opened(_ context.Context, s *lsp.Session, doc lsp.Document) {
	stateOf(s).show(doc)
	stateOf(s).checker.changed(doc.URI, true)
}

func changed(_ context.Context, s *lsp.Session, doc lsp.Document) {
	stateOf(s).show(doc)
	stateOf(s).checker.changed(doc.URI, false)
}

// show hands the text to the workspace, which makes a string of it when it is needed and not with
// every keystroke.
func (st *session) show(doc lsp.Document) {
	name := nameOf(doc.URI)
	st.mu.Lock()
	st.spelled[name] = doc.URI
	st.mu.Unlock()
	st.view.OpenLazy(name, doc.Text.String)
}

func closed(_ context.Context, s *lsp.Session, doc lsp.Document) {
	st := stateOf(s)
	st.hide(doc)
	st.checker.changed(doc.URI, false)
}

// hide takes the text from the workspace, unless the client has the file open under another URI
// too.
func (st *session) hide(doc lsp.Document) {
	name := nameOf(doc.URI)
	st.mu.Lock()
	delete(st.colored, lsp.KeyOf(doc.URI))
	delete(st.spelled, name)
	st.mu.Unlock()
	st.view.Close(name)
	if other, ok := st.client.Documents().File(name); ok {
		st.show(other)
	}
}

// uriOf returns the URI of a name in the workspace, as the client spells it if it has it open.
func (st *session) uriOf(name string) uri.URI {
	st.mu.Lock()
	spelled := st.spelled[name]
	st.mu.Unlock()
	if spelled != "" {
		return spelled
	}
	u, err := lsp.FileURI(name)
	if err != nil {
		return uri.URI(name)
	}
	return u
}

// nextID returns a number that the session has not used before. It is called with mu held.
func (st *session) nextID() int {
	st.lastID++
	return st.lastID
}

// textDocument returns what the client can do with text documents.
func textDocument(s *lsp.Session) *protocol.TextDocumentClientCapabilities {
	if t := s.ClientCapabilities().TextDocument; t != nil {
		return t
	}
	return new(protocol.TextDocumentClientCapabilities)
}

// inWorkspace returns what the client can do with a workspace.
func inWorkspace(s *lsp.Session) *protocol.WorkspaceClientCapabilities {
	if w := s.ClientCapabilities().Workspace; w != nil {
		return w
	}
	return new(protocol.WorkspaceClientCapabilities)
}

// isTrue reports whether an optional flag is set.
func isTrue(flag *bool) bool { return flag != nil && *flag }
