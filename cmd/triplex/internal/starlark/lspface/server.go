package lspface

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

// name is the name of the method set and of the server.
const name = "starlark-lsp"

// A Config says what the language server works with. Workspace and Programs are required; other
// faces may share them.
type Config struct {
	Workspace *workspace.Workspace
	Programs  *runs.Registry
	// MaxSteps bounds the steps of a program that an editor runs or debugs; 0 stands for
	// 2,000,000,000.
	MaxSteps uint64
	// MaxTime bounds the time that a program runs for which an editor runs; 0 stands for a minute.
	MaxTime time.Duration
}

// A face is what all sessions of the language server share.
type face struct {
	Config

	mu       sync.Mutex // guards the fields below
	sessions map[*session]struct{}
}

// New returns the language server.
func New(cfg Config) *lsp.Server {
	cfg.MaxSteps = cmp.Or(cfg.MaxSteps, 2_000_000_000)
	cfg.MaxTime = cmp.Or(cfg.MaxTime, time.Minute)
	f := &face{Config: cfg, sessions: make(map[*session]struct{})}
	srv := &lsp.Server{
		Info:         protocol.ServerInfo{Name: name},
		Capabilities: capabilities(),
		Start:        f.start,
		Stop:         f.stop,
		Initialize:   initialize,
		Opened:       opened,
		Changed:      changed,
		Closed:       closed,
	}
	handleReading(srv)
	handleWriting(srv)
	handleWorkspace(srv)
	return srv
}

// handleReading registers what tells the client about the code.
func handleReading(srv *lsp.Server) {
	lsp.Completion.Handle(srv, completion)
	lsp.CompletionResolve.Handle(srv, resolveCompletion)
	lsp.Hover.Handle(srv, hover)
	lsp.SignatureHelp.Handle(srv, signatureHelp)
	lsp.Definition.Handle(srv, definition)
	lsp.Declaration.Handle(srv, declaration)
	lsp.References.Handle(srv, references)
	lsp.DocumentHighlight.Handle(srv, highlights)
	lsp.DocumentSymbol.Handle(srv, documentSymbols)
	lsp.DocumentLink.Handle(srv, links)
	lsp.FoldingRanges.Handle(srv, folds)
	lsp.SelectionRange.Handle(srv, selections)
	lsp.SemanticTokensFull.Handle(srv, tokens)
	lsp.SemanticTokensFullDelta.Handle(srv, tokensDelta)
	lsp.SemanticTokensRange.Handle(srv, tokensRange)
	lsp.InlayHint.Handle(srv, inlayHints)
	lsp.CodeLens.Handle(srv, lenses)
	lsp.PrepareCallHierarchy.Handle(srv, prepareCalls)
	lsp.IncomingCalls.Handle(srv, incomingCalls)
	lsp.OutgoingCalls.Handle(srv, outgoingCalls)
	lsp.Diagnostic.Handle(srv, pullDiagnostics)
}

// handleWriting registers what changes the code.
func handleWriting(srv *lsp.Server) {
	lsp.Rename.Handle(srv, rename)
	lsp.PrepareRename.Handle(srv, prepareRename)
	lsp.Formatting.Handle(srv, format)
	lsp.RangeFormatting.Handle(srv, formatRange)
	lsp.RangesFormatting.Handle(srv, formatRanges)
	lsp.CodeAction.Handle(srv, codeActions)
}

// handleWorkspace registers what is about no document in particular.
func handleWorkspace(srv *lsp.Server) {
	lsp.Initialized.Handle(srv, initialized)
	lsp.Symbols.Handle(srv, workspaceSymbols)
	lsp.DidChangeConfiguration.Handle(srv, didChangeConfiguration)
	lsp.DidChangeWorkspaceFolders.Handle(srv, didChangeFolders)
	lsp.DidChangeWatchedFiles.Handle(srv, didChangeFiles)
	lsp.ExecuteCommand.Handle(srv, executeCommand)
}

// capabilities returns the options that do not follow from the handlers.
func capabilities() protocol.ServerCapabilities {
	return protocol.ServerCapabilities{
		CompletionProvider: &protocol.CompletionOptions{
			TriggerCharacters: []string{".", "\"", "'", "/", ":"},
		},
		SignatureHelpProvider: &protocol.SignatureHelpOptions{
			TriggerCharacters: []string{"(", ","},
		},
		SemanticTokensProvider: &protocol.SemanticTokensOptions{Legend: legend},
		DiagnosticProvider: &protocol.DiagnosticOptions{
			Identifier: new(section), InterFileDependencies: true,
		},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: []protocol.CodeActionKind{
				protocol.CodeActionKindQuickFix, protocol.CodeActionKindSourceOrganizeImports,
			},
		},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: commandNames()},
	}
}

func (f *face) start(_ context.Context, s *lsp.Session) error {
	view, err := f.Workspace.View(workspace.Options{})
	if err != nil {
		return err
	}
	st := &session{
		face: f, client: s, view: view,
		colored: make(map[lsp.Key]coloring), spelled: make(map[string]uri.URI),
	}
	st.checker = newChecker(st)
	view.Edited(st.applyEdits)
	s.State = st
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sessions[st] = struct{}{}
	return nil
}

func (f *face) stop(s *lsp.Session, _ error) {
	st := stateOf(s)
	f.mu.Lock()
	delete(f.sessions, st)
	f.mu.Unlock()
	st.view.Release()
	for _, doc := range s.Documents().All() { // which others may have seen unsaved
		f.tellOthers(st, realName(nameOf(doc.URI)))
	}
}

// tellOthers tells all sessions but one, and the debugger, that a file has changed.
func (f *face) tellOthers(but *session, name string) {
	f.Programs.Reverify(name)
	f.mu.Lock()
	list := slices.Collect(maps.Keys(f.sessions))
	f.mu.Unlock()
	for _, s := range list {
		if s != but {
			s.checker.depend(name)
		}
	}
}
