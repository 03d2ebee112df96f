package lsp

import (
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Unmarshal decodes params and results as [protocol.Unmarshal] does, but leaves the URI of an
// opened document as the client spelled it. The protocol package rewrites URIs: it would have us
// answer file:///C:/a with file:///c%3A/a, which not every client takes for its own.
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
	}
	return nil
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
