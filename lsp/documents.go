package lsp

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Document is an open document as it was at one moment. It never changes, so a request may hold
// it while the client goes on typing.
type Document struct {
	// URI is spelled as by the client that opened the document. Answers spell it the same way.
	URI uri.URI
	// LanguageID is what the client says the document is written in.
	LanguageID protocol.LanguageKind
	// Version is the client's number for this state of the document.
	Version int32
	// Text is the contents.
	Text Text
	// Encoding is what characters of the client's positions count.
	Encoding protocol.PositionEncodingKind
}

// Offset returns the byte offset of a position from the client. See [Text.Offset].
func (d Document) Offset(pos protocol.Position) int { return d.Text.Offset(pos, d.Encoding) }

// Position returns the position, for the client, of byte offset off. See [Text.Position].
func (d Document) Position(off int) protocol.Position { return d.Text.Position(off, d.Encoding) }

// Range returns the range, for the client, of the bytes from offset i up to offset j.
func (d Document) Range(i, j int) protocol.Range {
	return protocol.Range{Start: d.Position(i), End: d.Position(j)}
}

// Documents mirrors the documents one client has open, from its didOpen, didChange and didClose
// notifications (LSP 3.18, Text Document Synchronization). Clients that break the protocol are
// put up with, and logged. The zero Documents is ready to use, and safe for concurrent use.
type Documents struct {
	// Encoding is the one agreed on with the client; empty means UTF-16. It must not change
	// once a document is open.
	Encoding protocol.PositionEncodingKind
	// Logger gets a warning for each violation of the protocol. Nil discards them.
	Logger *slog.Logger

	mu     sync.RWMutex // guards the fields below
	open   map[Key]entry
	shared bool // a snapshot has the same map, which must not be written to then
}

type entry struct {
	Document
	file string // real path of the file it is an edited copy of, "" if none
}

// Open adds the document of a didOpen notification and returns it. If it is open already, that
// stays as it is: ok is false.
//
// The URI is kept as p has it: decode p with [Unmarshal] to keep the client's spelling.
func (d *Documents) Open(p *protocol.DidOpenTextDocumentParams) (doc Document, ok bool) {
	item := p.TextDocument
	e := entry{Document: Document{
		URI:        item.URI,
		LanguageID: item.LanguageID,
		Version:    item.Version,
		Text:       NewText(item.Text),
		Encoding:   d.Encoding,
	}}
	if path, err := Path(item.URI); err == nil {
		e.file = realPath(path)
	}
	if !d.add(e) {
		d.warn("didOpen of a document that is open: ignored",
			"uri", item.URI, "version", item.Version)
		return Document{}, false
	}
	return e.Document, true
}

func (d *Documents) add(e entry) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := KeyOf(e.URI)
	if _, ok := d.open[key]; ok {
		return false
	}
	d.writable()[key] = e
	return true
}

// Change applies a didChange notification and returns the document after it. The changes of a
// version that is not newer are applied all the same. A document that is not open is left alone:
// ok is false.
func (d *Documents) Change(p *protocol.DidChangeTextDocumentParams) (doc Document, ok bool) {
	id := p.TextDocument
	before, doc, ok := d.change(id, p.ContentChanges)
	switch {
	case !ok:
		d.warn("didChange of a document that is not open: ignored",
			"uri", id.URI, "version", id.Version)
	case id.Version <= before:
		d.warn("didChange with a version that is not newer: applied",
			"uri", id.URI, "version", id.Version, "before", before)
	}
	return doc, ok
}

// change returns the version before the change as well. The lock is held while the text is
// edited, as two changes must not start from one state.
func (d *Documents) change(
	id protocol.VersionedTextDocumentIdentifier, changes []protocol.TextDocumentContentChangeEvent,
) (before int32, doc Document, ok bool) {
	key := KeyOf(id.URI)
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.open[key]
	if !ok {
		return 0, Document{}, false
	}
	before = e.Version
	e.Version = id.Version
	e.Text = e.Text.Apply(changes, e.Encoding)
	d.writable()[key] = e
	return before, e.Document, true
}

// Close removes the document of a didClose notification and returns its last state, for the
// client's spelling of the URI. ok is false if it was not open.
func (d *Documents) Close(p *protocol.DidCloseTextDocumentParams) (doc Document, ok bool) {
	u := p.TextDocument.URI
	doc, ok = d.remove(KeyOf(u))
	if !ok {
		d.warn("didClose of a document that is not open: ignored", "uri", u)
	}
	return doc, ok
}

func (d *Documents) remove(key Key) (doc Document, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.open[key]
	if ok {
		delete(d.writable(), key)
	}
	return e.Document, ok
}

// writable returns the map of documents for a change. It is called with mu held.
func (d *Documents) writable() map[Key]entry {
	switch {
	case d.open == nil:
		d.open = map[Key]entry{}
	case d.shared:
		d.open = maps.Clone(d.open)
	}
	d.shared = false
	return d.open
}

// snapshot returns the documents as they are now and will stay. It copies nothing: the next change
// does.
func (d *Documents) snapshot() *Documents {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shared = true
	return &Documents{Encoding: d.Encoding, Logger: d.Logger, open: d.open, shared: true}
}

// Get returns the open document u means, however it is spelled.
func (d *Documents) Get(u uri.URI) (doc Document, ok bool) {
	key := KeyOf(u)
	d.mu.RLock()
	defer d.mu.RUnlock()
	e, ok := d.open[key]
	return e.Document, ok
}

// File returns the open document that is an edited copy of the file at path, an absolute path on
// this machine. Symbolic links do not matter, as they were when the document was opened. If the
// client has the file open under several names, that is the document with the least URI.
func (d *Documents) File(path string) (doc Document, ok bool) {
	file := realPath(path)
	for _, e := range d.entries() {
		if e.file != "" && e.file == file {
			return e.Document, true
		}
	}
	return Document{}, false
}

// All returns every open document, sorted by URI.
func (d *Documents) All() []Document {
	var docs []Document
	for _, e := range d.entries() {
		docs = append(docs, e.Document)
	}
	return docs
}

func (d *Documents) entries() []entry {
	d.mu.RLock()
	defer d.mu.RUnlock()
	es := slices.Collect(maps.Values(d.open))
	slices.SortFunc(es, func(a, b entry) int { return cmp.Compare(a.URI, b.URI) })
	return es
}

func (d *Documents) warn(msg string, attrs ...any) {
	if d.Logger != nil {
		d.Logger.Warn(msg, attrs...)
	}
}
