package lspface

import (
	"github.com/sourcegraph/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/lsp"
)

// A place translates between a text and the positions that one client has in it. It is for one
// goroutine, as it finds a position from the one before: to count a line of a megabyte from its
// start for each of its words takes minutes.
type place struct {
	text *source.Text
	enc  protocol.PositionEncodingKind

	at  int               // the offset whose position was found last
	pos protocol.Position // that position
}

func newPlace(text *source.Text, enc protocol.PositionEncodingKind) *place {
	return &place{text: text, enc: enc}
}

// position returns the position of an offset.
func (p *place) position(off int) protocol.Position {
	line := p.text.LineOf(off)
	span := p.text.LineSpan(line)
	off = min(max(off, span.Start), span.End)
	if line != int(p.pos.Line) || off < p.at {
		p.at, p.pos = span.Start, protocol.Position{Line: uint32(line)}
	}
	skipped := p.text.Slice(source.Span{Start: p.at, End: off})
	p.at = off
	p.pos.Character += uint32(lsp.Length(skipped, p.enc))
	return p.pos
}

func (p *place) rng(span source.Span) protocol.Range {
	start := p.position(span.Start)
	at := p.at
	end := p.position(span.End)
	p.at, p.pos = at, start // what comes next may begin within this
	return protocol.Range{Start: start, End: end}
}

func (p *place) ranges(spans []source.Span) []protocol.Range {
	list := make([]protocol.Range, len(spans))
	for i, span := range spans {
		list[i] = p.rng(span)
	}
	return list
}

func (p *place) edits(edits []source.Edit) []protocol.TextEdit {
	list := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		list[i] = protocol.TextEdit{Range: p.rng(e.Span), NewText: e.New}
	}
	return list
}

// A document is a file that a request is about: as the client had it when it asked, or as it is on
// disk if the client has not opened it.
type document struct {
	*place
	uri  uri.URI
	name string // in the workspace
	file *workspace.File

	session *lsp.Session
	client  lsp.Text // the same text, for positions that the client gives
	open    bool
	version int32 // if it is open
}

// open returns the file that u means. The error is one for the client.
func open(s *lsp.Session, u uri.URI) (*document, error) {
	if u == "" {
		return nil, &jsonrpc2.Error{
			Code: jsonrpc2.CodeInvalidParams, Message: "params: textDocument.uri is missing",
		}
	}
	view := stateOf(s).view
	d := &document{uri: u, name: nameOf(u), session: s}
	if doc, ok := s.Documents().Get(u); ok {
		d.uri, d.name, d.client = doc.URI, nameOf(doc.URI), doc.Text
		d.open, d.version = true, doc.Version
		d.file = view.Snapshot(d.name, doc.Text.String())
	} else {
		file, err := view.File(d.name)
		if err != nil {
			return nil, failed(err)
		}
		d.file, d.client = file, lsp.NewText(file.Text().String())
	}
	d.place = newPlace(d.file.Text(), s.Encoding())
	return d, nil
}

// at returns the document and the offset that a request is about.
func at(s *lsp.Session, p *protocol.TextDocumentPositionParams) (*document, int, error) {
	d, err := open(s, p.TextDocument.URI)
	if err != nil {
		return nil, 0, err
	}
	return d, d.offset(p.Position), nil
}

func (d *document) offset(pos protocol.Position) int { return d.client.Offset(pos, d.enc) }

// span returns the span of a range, whichever way round that is.
func (d *document) span(r protocol.Range) source.Span {
	i, j := d.offset(r.Start), d.offset(r.End)
	return source.Span{Start: min(i, j), End: max(i, j)}
}

// location translates a location in any file.
func (d *document) location(l workspace.Location) protocol.Location {
	return protocol.Location{
		URI: stateOf(d.session).uriOf(l.Name), Range: newPlace(l.Text, d.enc).rng(l.Span),
	}
}

func (d *document) locations(list []workspace.Location) []protocol.Location {
	out := make([]protocol.Location, len(list))
	for i, l := range list {
		out[i] = d.location(l)
	}
	return out
}

// nameOf returns the name that a document has in the workspace: its path, or the URI of what is no
// file.
func nameOf(u uri.URI) string {
	if path, err := lsp.Path(u); err == nil {
		return path
	}
	return string(u)
}

// failed returns the error that answers a valid request which cannot be done, and that people read.
func failed(err error) error {
	return &jsonrpc2.Error{Code: lsp.CodeRequestFailed, Message: err.Error()}
}
