package lsp

import (
	"bytes"
	"encoding/json"
	"maps"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/host"
)

// Unmarshal decodes params and results as [protocol.Unmarshal] does, with two exceptions. It leaves
// the URI of an opened document as the client spelled it. The protocol package rewrites URIs: it
// would have us answer file:///C:/a with file:///c%3A/a, which not every client takes for its own.
// And it takes what is null in the notifications of an open document for absent, as clients mean it
// whose language has no absent members: a version, which was null in LSP 2 for want of one, or the
// range of a change, which the protocol package takes for the start of the document.
func Unmarshal(data []byte, v any) error {
	err := protocol.Unmarshal(data, v)
	if err != nil && mirrored(v) {
		data = withoutNulls(data)
		err = protocol.Unmarshal(data, v)
	}
	if err != nil {
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

// mirrored reports whether v is for the params of a notification that changes what is open.
func mirrored(v any) bool {
	switch v.(type) {
	case *protocol.DidOpenTextDocumentParams, **protocol.DidOpenTextDocumentParams,
		*protocol.DidChangeTextDocumentParams, **protocol.DidChangeTextDocumentParams:
		return true
	}
	return false
}

// withoutNulls returns params without the members of textDocument that are null, or as they are if
// there are none.
func withoutNulls(data []byte) []byte {
	var params, doc map[string]json.RawMessage
	if json.Unmarshal(data, &params) != nil || json.Unmarshal(params["textDocument"], &doc) != nil {
		return data
	}
	maps.DeleteFunc(doc, func(_ string, value json.RawMessage) bool {
		return string(value) == "null"
	})
	text, err := json.Marshal(doc)
	if err != nil {
		return data
	}
	params["textDocument"] = text
	if text, err = json.Marshal(params); err != nil {
		return data
	}
	return text
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
