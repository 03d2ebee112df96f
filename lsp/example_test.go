package lsp_test

import (
	"context"
	"fmt"
	"net"
	"strings"

	"go.lsp.dev/protocol"

	"triplex/framing"
	"triplex/host"
	"triplex/lsp"
)

// A server that tells how long lines are. A program would serve it with package triplex/host/cli;
// here its client is at the other end of a pipe.
func ExampleServer() {
	srv := &lsp.Server{Info: protocol.ServerInfo{Name: "ruler"}}
	lsp.Hover.Handle(srv, func(
		ctx context.Context, s *lsp.Session, p *protocol.HoverParams,
	) (*protocol.Hover, error) {
		doc, ok := s.Documents().Get(p.TextDocument.URI)
		if !ok {
			return nil, nil
		}
		line := doc.Text.Line(int(p.Position.Line))
		return &protocol.Hover{Contents: &protocol.MarkupContent{
			Kind: protocol.MarkupKindPlainText, Value: fmt.Sprint(len(line), " bytes"),
		}}, nil
	})

	h := &host.Host{Mounts: []host.MethodSet{srv}}
	defer h.Close()
	near, client := net.Pipe()
	if _, err := h.Attach(near, host.PeerInfo{Network: "pipe"}); err != nil {
		fmt.Println(err)
		return
	}
	answers := framing.NewReader(client, framing.ContentLength, framing.Limits{})
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":` +
			`{"uri":"file:///a","languageId":"text","version":1,"text":"one\nthree\n"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":` +
			`{"uri":"file:///a"},"position":{"line":1,"character":0}}}`,
	} {
		client.Write(framing.ContentLength.Append(nil, []byte(message)))
		if strings.Contains(message, `"id"`) {
			answer, _ := answers.Next()
			server, _ := host.Member(answer, "result", "serverInfo")
			contents, _ := host.Member(answer, "result", "contents")
			fmt.Printf("%s%s\n", server, contents)
		}
	}
	// Output:
	// {"name":"ruler"}
	// {"kind":"plaintext","value":"5 bytes"}
}

// A server mirrors what the client has open. What a request took stays as it is.
func ExampleDocuments() {
	var docs lsp.Documents
	docs.Open(&protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: "file:///C:/greet.star", LanguageID: "starlark", Version: 1, Text: "print('hi')\n",
	}})
	before, _ := docs.Get("file:///c%3A/greet.star")

	word := before.Range(7, 9)
	after, _ := docs.Change(&protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: "file:///c:/greet.star"},
			Version:                2,
		},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangePartial{Range: word, Text: "hello"},
		},
	})
	fmt.Println(after.URI, after.Version, after.Text.Line(0))
	fmt.Println(before.URI, before.Version, before.Text.Line(0))
	// Output:
	// file:///C:/greet.star 2 print('hello')
	// file:///C:/greet.star 1 print('hi')
}

func ExampleText_Position() {
	text := lsp.NewText("first\r\na𐐀b")
	fmt.Println(text.Line(1), text.LineCount())
	fmt.Println(text.Position(text.Len()-1, protocol.PositionEncodingKindUTF16))
	fmt.Println(text.Position(text.Len()-1, protocol.PositionEncodingKindUTF8))
	// Output:
	// a𐐀b 2
	// {1 3}
	// {1 5}
}
