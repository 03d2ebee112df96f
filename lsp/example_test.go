package lsp_test

import (
	"fmt"

	"triplex/lsp"

	"go.lsp.dev/protocol"
)

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
