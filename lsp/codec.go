package lsp

import (
	"bytes"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/host"
)

// Unmarshal decodes params and results as [protocol.Unmarshal] does, with two exceptions. It leaves
// the URI of an opened document as the client spelled it. The protocol package rewrites URIs: it
// would have us answer file:///C:/a with file:///c%3A/a, which not every client takes for its own.
// And it takes a range that is null in a change of a document for none, as clients mean it whose
// language has no absent members; the protocol package takes it for the start of the document.
func Unmarshal(data []byte, v any) error {
	if err := protocol.Unmarshal(data, v); err != nil {
		return err
	}
	switch p := v.(type) {
	case *protocol.DidOpenTextDocumentParams:
		respell(p, data)
	case **protocol.DidOpenTextDocumentParams:
		if *p != nil {
			respell(*p, data)
		}
	case *protocol.DidChangeTextDocumentParams:
		dropNullRanges(p, data)
	case **protocol.DidChangeTextDocumentParams:
		if *p != nil {
			dropNullRanges(*p, data)
		}
	}
	return nil
}

// dropNullRanges makes changes whose range is null in data, which p was decoded from, those of the
// whole document.
func dropNullRanges(p *protocol.DidChangeTextDocumentParams, data []byte) {
	if !bytes.Contains(data, []byte("null")) {
		return // which is all but always so, and cheaper to find out
	}
	raw, _ := host.Member(data, "contentChanges")
	var wire []json.RawMessage
	if json.Unmarshal(raw, &wire) != nil || len(wire) != len(p.ContentChanges) {
		return
	}
	for i, c := range p.ContentChanges {
		part, ok := c.(*protocol.TextDocumentContentChangePartial)
		if r, _ := host.Member(wire[i], "range"); ok && string(r) == "null" {
			p.ContentChanges[i] = &protocol.TextDocumentContentChangeWholeDocument{Text: part.Text}
		}
	}
}

// respell sets the URI of p to its spelling in data, which p was decoded from.
func respell(p *protocol.DidOpenTextDocumentParams, data []byte) {
	var wire struct {
		TextDocument struct {
			URI string `json:"uri"`
		} `json:"textDocument"`
	}
	if json.Unmarshal(data, &wire) != nil {
		return
	}
	// encoding/json matches member names in any case and so may have found another member.
	spelled := wire.TextDocument.URI
	if c, err := uri.Parse(spelled); err == nil && c == p.TextDocument.URI {
		p.TextDocument.URI = uri.URI(spelled)
	}
}
