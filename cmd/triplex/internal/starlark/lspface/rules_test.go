package lspface

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Rules of the shared rules/lsp.md that show only with a plug-in. Those of package lsp are tested
// there.

// Rule S6: URIs are compared whatever their spelling, and come back in that of the client.
func TestRuleS6SpellingOfURIs(t *testing.T) {
	dir := tree(t, map[string]string{"lib [1].star": library})
	plain := fileURI(t, dir, "lib [1].star")
	odd := uri.URI(strings.Replace(string(plain), "/lib", "/%6cib", 1))
	c := connect(t, "{}", folder(t, dir))
	c.open(odd, library)
	c.problems(odd, anything)
	for _, ask := range []uri.URI{plain, odd} {
		got := decode[[]struct{ URI string }](t,
			c.call("textDocument/definition", position(ask, 9, 12)))
		if len(got) != 1 || got[0].URI != string(odd) {
			t.Errorf("asked for %s: %v, want %s", ask, got, odd)
		}
	}
	main := fileURI(t, dir, "main.star")
	c.open(main, `load("lib [1].star", "copy")`)
	got := decode[[]struct{ URI string }](t,
		c.call("textDocument/definition", position(main, 0, 25)))
	if len(got) != 1 || got[0].URI != string(odd) {
		t.Errorf("through load: %v, want %s", got, odd)
	}
}

// Places in a document used to come back under another URI than the client had opened it by.
func TestSpellingsThatAPathDoesNotTell(t *testing.T) {
	dir := tree(t, nil)
	plain := string(fileURI(t, dir))
	for _, u := range []string{
		plain + "/a.star?rev=1", plain + "/a.star#L1", plain + "/%ff.star", plain + "/%fF.star",
		"FILE:" + strings.TrimPrefix(plain, "file:") + "/a.star", plain + "/./a.star",
		strings.Replace(plain, "file://", "file:", 1) + "/a.star", plain + "//a.star",
		"untitled:é?a", "git:/a.star?%7B%22ref%22%3A%22~%22%7D",
	} {
		t.Run(u, func(t *testing.T) {
			c := connect(t, "{}", folder(t, dir))
			c.open(uri.URI(u), "f = 1\nf\n")
			c.problems(uri.URI(u), anything)
			got := decode[[]struct{ URI string }](t, c.call("textDocument/references",
				strings.TrimSuffix(position(uri.URI(u), 1, 0), "}")+
					`,"context":{"includeDeclaration":true}}`))
			if len(got) != 2 || got[0].URI != u || got[1].URI != u {
				t.Errorf("references = %v", got)
			}
			found := decode[[]struct{ Location struct{ URI string } }](t,
				c.call("workspace/symbol", `{"query":"f"}`))
			if len(found) != 1 || found[0].Location.URI != u {
				t.Errorf("symbols = %v", found)
			}
			edit := decode[struct{ Changes map[string]any }](t, c.call("textDocument/rename",
				strings.TrimSuffix(position(uri.URI(u), 1, 0), "}")+`,"newName":"g"}`))
			if edit.Changes[u] == nil || len(edit.Changes) != 1 {
				t.Errorf("edits = %v", edit)
			}
		})
	}
}

// When a client closed one of two URIs of a file, the text it had under the other was no longer
// seen by the files that load it.
func TestFileOpenUnderTwoNames(t *testing.T) {
	dir := tree(t, map[string]string{"lib.star": "", "main.star": "load(\"lib.star\", \"a\")\na\n"})
	if err := os.Symlink(filepath.Join(dir, "lib.star"), filepath.Join(dir, "link.star")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	lib, main := fileURI(t, dir, "lib.star"), fileURI(t, dir, "main.star")
	for _, other := range []uri.URI{fileURI(t, dir, "link.star"), lib + "?rev=1"} {
		c := connect(t, "{}", folder(t, dir))
		c.open(lib, "a = 1\n")
		c.open(other, "b = 2\n")
		c.close(other)
		got := decode[[]struct{ URI string }](t,
			c.call("textDocument/definition", position(main, 1, 0)))
		if len(got) != 1 || got[0].URI != string(lib) {
			t.Errorf("%s was closed: definition = %v", other, got)
		}
	}
}

// A workspace folder that is a symbolic link is one with its target, and files keep the name that
// the client gave them.
func TestFilesBehindSymbolicLinks(t *testing.T) {
	dir := tree(t, map[string]string{"real/lib.star": library, "real/main.star": program})
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	c := connect(t, "{}", folder(t, link))
	main := fileURI(t, link, "main.star")
	c.open(main, program)
	got := decode[[]protocol.Location](t,
		c.call("textDocument/definition", find(main, "copy(name", 1)))
	if len(got) != 1 || got[0].URI != fileURI(t, link, "lib.star") {
		t.Errorf("definition = %v, want it in %s", got, link)
	}
}

// Rule B8, and that a request which cannot be understood costs nothing but itself.
func TestMessagesThatMakeNoSense(t *testing.T) {
	c := connect(t, "{}", "")
	c.notify("$/unknown", "{}")
	c.notify("textDocument/unknown", "{}")
	c.notify("textDocument/didChange", position("untitled:closed", 0, 0))
	c.notify("textDocument/didOpen", `[1]`)
	c.fails("$/unknown", "{}", -32601)
	c.fails("textDocument/implementation", position("untitled:a", 0, 0), -32601)
	c.fails("textDocument/hover", `{"position":7}`, -32602)
	c.fails("textDocument/hover", `null`, -32602)
	c.notify("textDocument/didOpen", `{}`)
	c.fails("textDocument/hover", `{}`, -32602) // it was answered with null
	c.fails("textDocument/hover", position("untitled:closed", 0, 0), -32803)
	c.open("untitled:a", "x = 1\n")
	c.problems("untitled:a", anything)
}

// Every request about a document is answered, whatever the place and the text.
func TestOddPlacesAreAnswered(t *testing.T) {
	texts := []string{
		"", "\ufeffx = 1", "\xff\xfe", "def", "load(", `"`, "f(\r\n\r", "x.\n", "((((", "😀",
	}
	methods := []string{"hover", "definition", "declaration", "documentHighlight", "completion",
		"signatureHelp", "prepareCallHierarchy"}
	whole := []string{"documentSymbol", "foldingRange", "semanticTokens/full", "documentLink",
		"codeLens"}
	c := connect(t, "{}", "")
	for i, text := range texts {
		u := uri.URI(fmt.Sprintf("untitled:%d", i))
		c.open(u, text)
		for _, at := range [][2]int{{0, 0}, {0, 1}, {0, 1 << 30}, {1 << 30, 1 << 30}} {
			for _, method := range methods {
				c.call("textDocument/"+method, position(u, at[0], at[1]))
			}
		}
		for _, method := range whole {
			c.call("textDocument/"+method, textDocumentOf(u))
		}
		c.close(u)
	}
}
