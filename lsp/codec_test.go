package lsp

import (
	"fmt"
	"testing"

	"go.lsp.dev/protocol"
)

// The protocol package's own Unmarshal turns each of these into another spelling.
func TestUnmarshalKeepsSpelling(t *testing.T) {
	for _, u := range []string{
		"file:///C:/a.star", "file://C:/a.star", "file:///a b.star", "file:///a/[x].star",
		"file:///a%2fb", "file:///caf%E9", "file:///a+b", "untitled:Untitled 1", "git:/a?{}",
	} {
		data := fmt.Appendf(nil, `{"textDocument":
			{"uri":%q,"languageId":"starlark","version":1,"text":"x"}}`, u)
		var p protocol.DidOpenTextDocumentParams
		if err := Unmarshal(data, &p); err != nil || string(p.TextDocument.URI) != u {
			t.Errorf("%s became %s, %v", u, p.TextDocument.URI, err)
		}
		var pp *protocol.DidOpenTextDocumentParams
		if err := Unmarshal(data, &pp); err != nil || string(pp.TextDocument.URI) != u {
			t.Errorf("%s became %s, %v", u, pp.TextDocument.URI, err)
		}
	}
}

// Member names count in their exact case: uri is read, URI is an unknown member.
func TestUnmarshalExactNames(t *testing.T) {
	const data = `{"textDocument":{"uri":"file:///a","languageId":"","version":1,"text":"",
		"URI":"file:///b"},"TextDocument":{"uri":"file:///c"}}`
	var p protocol.DidOpenTextDocumentParams
	if err := Unmarshal([]byte(data), &p); err != nil || p.TextDocument.URI != "file:///a" {
		t.Errorf("uri is %s, %v", p.TextDocument.URI, err)
	}
}

func TestUnmarshalNull(t *testing.T) {
	p := new(protocol.DidOpenTextDocumentParams)
	if err := Unmarshal([]byte("null"), &p); err != nil || p != nil {
		t.Errorf("null became %v, %v", p, err)
	}
}

func TestUnmarshalError(t *testing.T) {
	for _, data := range []string{"", "{", `{"textDocument":7}`, `{"textDocument":{"uri":[]}}`} {
		var p protocol.DidOpenTextDocumentParams
		if err := Unmarshal([]byte(data), &p); err == nil {
			t.Errorf("%q became %+v", data, p)
		}
	}
}

// Changes are a union, told apart by their range; encoding/json cannot do it. A wrong rangeLength
// means nothing.
func TestUnmarshalChanges(t *testing.T) {
	const data = `{"textDocument":{"uri":"untitled:1","version":2},"contentChanges":[
		{"text":"a𐐀b"},
		{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},
			"rangeLength":77,"text":"!"},
		{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":""}]}`
	var p *protocol.DidChangeTextDocumentParams
	if err := Unmarshal([]byte(data), &p); err != nil {
		t.Fatal(err)
	}
	var docs Documents
	docs.Open(opened("untitled:1", 1, "old"))
	if doc, _ := docs.Change(p); doc.Text.String() != "𐐀!b" || doc.Version != 2 {
		t.Errorf("version %d reads %q", doc.Version, doc.Text)
	}
}

// A range that is null used to be one at the start of the document, where the new text was put in
// front of the old.
func TestUnmarshalNullRange(t *testing.T) {
	const data = `{"textDocument":{"uri":"untitled:1","version":2},"contentChanges":[
		{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"null"},
		{"range":null,"text":"new"},
		{"Range":null,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},
			"text":"N"}]}`
	var p *protocol.DidChangeTextDocumentParams
	if err := Unmarshal([]byte(data), &p); err != nil {
		t.Fatal(err)
	}
	var docs Documents
	docs.Open(opened("untitled:1", 1, "old"))
	if doc, _ := docs.Change(p); doc.Text.String() != "New" {
		t.Errorf("the document reads %q", doc.Text)
	}
}

// A version that is null used to cost the whole change, and every one after it: the document stayed
// as it was opened.
func TestUnmarshalNullVersion(t *testing.T) {
	const item = `{"textDocument":{"uri":"file:///C:/a","languageId":null,"version":null,"text":"<"}}`
	var p *protocol.DidOpenTextDocumentParams
	if err := Unmarshal([]byte(item), &p); err != nil || p.TextDocument.URI != "file:///C:/a" {
		t.Fatalf("%+v, %v", p, err)
	}
	const change = `{"textDocument":{"uri":"file:///C:/a","version":null},"contentChanges":[
		{"range":null,"text":"<\u00e9"},
		{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":2}},"text":"!"}]}`
	var c protocol.DidChangeTextDocumentParams
	if err := Unmarshal([]byte(change), &c); err != nil {
		t.Fatal(err)
	}
	var docs Documents
	docs.Open(p)
	if doc, _ := docs.Change(&c); doc.Text.String() != "<é!" || doc.Version != 0 {
		t.Errorf("version %d reads %q", doc.Version, doc.Text)
	}
}
