package lsp

import (
	"encoding/json"
	"strconv"

	"go.lsp.dev/protocol"

	"triplex/host"
)

// relay replaces the client's process by the one that stands for it, as a server may end when that
// does (LSP 3.18, initialize, processId). A client that names no process is left alone.
func relay(m *host.Message, _ *host.Session, pid int) json.RawMessage {
	if m.Kind == host.KindResponse {
		return m.Result
	}
	old, ok := host.Member(m.Params, "processId")
	if m.Method != protocol.MethodInitialize || !ok || string(old) == "null" {
		return m.Params
	}
	stand := []byte("null")
	if pid > 0 {
		stand = strconv.AppendInt(nil, int64(pid), 10)
	}
	return host.Splice(m.Params, stand, "processId")
}

// replay is the [host.Replay] of a session: its handshake, its settings and folders, and the open
// documents as they are now.
type replay struct {
	handshake []*host.Message // initialize and initialized
	settings  []*host.Message // the last didChangeConfiguration
	folders   []*host.Message // each didChangeWorkspaceFolders
	documents Documents
}

// Note implements [host.Replay].
func (r *replay) Note(m *host.Message) {
	switch m.Method {
	case protocol.MethodInitialize:
		r.handshake = []*host.Message{m}
		r.documents.Encoding = agreedEncoding(m.Result)
	case protocol.MethodInitialized:
		r.handshake = append(r.handshake, m)
	case protocol.MethodWorkspaceDidChangeConfiguration:
		r.settings = []*host.Message{m}
	case protocol.MethodWorkspaceDidChangeWorkspaceFolders:
		r.folders = append(r.folders, m)
	case protocol.MethodTextDocumentDidOpen:
		follow(m, r.documents.Open)
	case protocol.MethodTextDocumentDidChange:
		follow(m, r.documents.Change)
	case protocol.MethodTextDocumentDidClose:
		follow(m, r.documents.Close)
	}
}

// follow has the mirror of the documents follow a notification. One that cannot be read would mean
// nothing to a new server either.
func follow[P any](m *host.Message, mirror func(*P) (Document, bool)) {
	var p P
	if Unmarshal(m.Params, &p) == nil {
		mirror(&p)
	}
}

// agreedEncoding returns what the server counts characters in, given its answer to initialize.
func agreedEncoding(result json.RawMessage) (encoding protocol.PositionEncodingKind) {
	raw, _ := host.Member(result, "capabilities", "positionEncoding")
	if json.Unmarshal(raw, &encoding) != nil {
		return ""
	}
	return encoding
}

// Messages implements [host.Replay].
func (r *replay) Messages() []*host.Message {
	var all []*host.Message
	all = append(all, r.handshake...)
	all = append(all, r.settings...)
	all = append(all, r.folders...)
	for _, doc := range r.documents.All() {
		all = append(all, reopening(doc))
	}
	return all
}

// reopening returns the didOpen of a document as it is now.
func reopening(doc Document) *host.Message {
	params, err := protocol.Marshal(&protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI: doc.URI, LanguageID: doc.LanguageID, Version: doc.Version,
			Text: doc.Text.String(),
		},
	})
	if err != nil { // nothing in it can fail
		panic(err)
	}
	return &host.Message{
		Kind: host.KindNotification, Method: protocol.MethodTextDocumentDidOpen, Params: params,
	}
}
