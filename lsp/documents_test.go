package lsp

import (
	"bytes"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

func opened(u uri.URI, version int32, text string) *protocol.DidOpenTextDocumentParams {
	return &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: u, LanguageID: "starlark", Version: version, Text: text,
	}}
}

func changed(
	u uri.URI, version int32, changes ...protocol.TextDocumentContentChangeEvent,
) *protocol.DidChangeTextDocumentParams {
	return &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u},
			Version:                version,
		},
		ContentChanges: changes,
	}
}

func closed(u uri.URI) *protocol.DidCloseTextDocumentParams {
	return &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: u},
	}
}

// loggedDocuments returns documents whose warnings can be read.
func loggedDocuments() (*Documents, *bytes.Buffer) {
	var log bytes.Buffer
	return &Documents{Logger: slog.New(slog.NewTextHandler(&log, nil))}, &log
}

func wantLog(t *testing.T, log *bytes.Buffer, want string) {
	t.Helper()
	if got := log.String(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("log %q, want one line with %q", got, want)
	}
	log.Reset()
}

func TestOpenChangeClose(t *testing.T) {
	docs, log := loggedDocuments()
	docs.Open(opened("file:///C:/a.star", 1, "ab\ncd"))
	first, ok := docs.Get("file:///c%3A/a.star")
	if !ok || first.URI != "file:///C:/a.star" || first.LanguageID != "starlark" {
		t.Fatalf("opened document is %+v, %t", first, ok)
	}
	second, ok := docs.Change(changed("file:///c:/a.star", 5,
		change(at(0, 0), at(0, 0), "1"), change(at(0, 1), at(0, 3), "2")))
	if !ok || second.Text.String() != "12\ncd" || second.Version != 5 ||
		second.URI != "file:///C:/a.star" {
		t.Errorf("changed document is %+v, %t", second, ok)
	}
	if first.Text.String() != "ab\ncd" || first.Version != 1 {
		t.Errorf("the document held from before the change became %+v", first)
	}
	last, ok := docs.Close(closed("file:///c%3a/a.star"))
	if !ok || last.URI != "file:///C:/a.star" || last.Version != 5 {
		t.Errorf("closed document is %+v, %t", last, ok)
	}
	if doc, ok := docs.Get("file:///C:/a.star"); ok {
		t.Errorf("after close the document is %+v", doc)
	}
	docs.Open(opened("file:///C:/a.star", 1, "again"))
	if doc, _ := docs.Get("file:///C:/a.star"); doc.Text.String() != "again" {
		t.Errorf("reopened document reads %q", doc.Text)
	}
	if log.Len() > 0 {
		t.Errorf("unexpected log: %s", log)
	}
}

func TestClientsThatBreakTheProtocol(t *testing.T) {
	const u = "file:///a.star"
	docs, log := loggedDocuments()

	if _, ok := docs.Change(changed(u, 1, whole("x"))); ok {
		t.Error("changed a document that is not open")
	}
	wantLog(t, log, "didChange of a document that is not open")
	if _, ok := docs.Close(closed(u)); ok {
		t.Error("closed a document that is not open")
	}
	wantLog(t, log, "didClose of a document that is not open")

	docs.Open(opened(u, 3, "one"))
	docs.Open(opened(u, 9, "two"))
	wantLog(t, log, "didOpen of a document that is open")
	if doc, _ := docs.Get(u); doc.Text.String() != "one" || doc.Version != 3 {
		t.Errorf("after a second didOpen the document is %+v", doc)
	}

	for _, version := range []int32{3, 2} {
		text := fmt.Sprint("stale ", version)
		doc, ok := docs.Change(changed(u, version, whole(text)))
		if !ok || doc.Text.String() != text || doc.Version != version {
			t.Errorf("after a stale didChange the document is %+v, %t", doc, ok)
		}
		wantLog(t, log, "not newer")
	}
}

func TestDocumentPositions(t *testing.T) {
	docs := Documents{Encoding: utf8Kind}
	docs.Open(opened("untitled:1", 1, "a𐐀b\nc"))
	doc, _ := docs.Change(changed("untitled:1", 2, change(at(0, 5), at(0, 5), "!")))
	if doc.Text.String() != "a𐐀!b\nc" {
		t.Fatalf("document reads %q", doc.Text)
	}
	if got := doc.Offset(at(1, 0)); got != 8 {
		t.Errorf("line 1 is at offset %d, want 8", got)
	}
	want := protocol.Range{Start: at(0, 5), End: at(1, 1)}
	if got := doc.Range(5, 9); got != want {
		t.Errorf("range %v, want %v", got, want)
	}
}

func TestAll(t *testing.T) {
	var docs Documents
	if got := docs.All(); len(got) != 0 {
		t.Errorf("documents of nobody: %v", got)
	}
	for _, u := range []uri.URI{"untitled:2", "file:///b", "untitled:1"} {
		docs.Open(opened(u, 1, ""))
	}
	var got []uri.URI
	for _, doc := range docs.All() {
		got = append(got, doc.URI)
	}
	if fmt.Sprint(got) != "[file:///b untitled:1 untitled:2]" {
		t.Errorf("documents %v", got)
	}
}

// A document without a path used to be the open copy of the file with the empty path.
func TestFileWithoutPath(t *testing.T) {
	var docs Documents
	docs.Open(opened("untitled:1", 1, ""))
	docs.Open(opened("git:/a.star?x", 1, ""))
	for _, path := range []string{"", "/a.star", "1"} {
		if doc, ok := docs.File(path); ok {
			t.Errorf("the file %q is open as %s", path, doc.URI)
		}
	}
}

// A thousand changes in a row leave exactly the text they spell, while requests that took an
// earlier snapshot read what it said (microsoft/typescript-go#2765, tliron/glsp#39).
func TestSnapshotsWhileTyping(t *testing.T) {
	const changes = 1000
	var docs Documents
	docs.Open(opened("untitled:1", 0, ""))
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				doc, ok := docs.Get("untitled:1")
				want := strings.Repeat("x", int(doc.Version))
				if got := doc.Text.String(); !ok || got != want {
					t.Errorf("version %d has %d bytes", doc.Version, len(got))
					return
				}
			}
		})
	}
	for i := range uint32(changes) {
		docs.Change(changed("untitled:1", int32(i)+1, change(at(0, i), at(0, i), "x")))
	}
	close(stop)
	readers.Wait()
	if doc, _ := docs.Get("untitled:1"); doc.Text.String() != strings.Repeat("x", changes) {
		t.Errorf("%d bytes after %d changes", doc.Text.Len(), changes)
	}
}

func TestSnapshotStays(t *testing.T) {
	edits := []struct {
		name string
		edit func(*Documents)
	}{
		{"open", func(d *Documents) { d.Open(opened("file:///b", 1, "new")) }},
		{"change", func(d *Documents) {
			d.Change(changed("file:///a", 2, change(at(0, 0), at(0, 0), "x")))
		}},
		{"close", func(d *Documents) { d.Close(closed("file:///a")) }},
		{"close what is not open", func(d *Documents) { d.Close(closed("file:///b")) }},
	}
	for _, tt := range edits {
		t.Run(tt.name, func(t *testing.T) {
			docs, _ := loggedDocuments()
			docs.Open(opened("file:///a", 1, "old"))
			snapshot := docs.snapshot()
			before := snapshot.All()
			tt.edit(docs)
			if got := snapshot.All(); !reflect.DeepEqual(texts(got), texts(before)) {
				t.Errorf("the snapshot is %v, was %v", texts(got), texts(before))
			}
			after := texts(docs.All())
			tt.edit(snapshot)
			if got := texts(docs.All()); !reflect.DeepEqual(got, after) {
				t.Errorf("a change of the snapshot made %v of %v", got, after)
			}
		})
	}
}

func texts(docs []Document) []string {
	var all []string
	for _, doc := range docs {
		all = append(all, doc.Text.String())
	}
	return all
}
