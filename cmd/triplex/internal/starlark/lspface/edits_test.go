package lspface

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// applyEdits returns a text with edits of a client in UTF-8 made.
func applyEdits(t *testing.T, text string, edits []protocol.TextEdit) string {
	t.Helper()
	in := source.New(text)
	offset := func(p protocol.Position) int {
		return in.Offset(source.Position{Line: int(p.Line), Col: int(p.Character)})
	}
	var list []source.Edit
	for _, e := range edits {
		span := source.Span{Start: offset(e.Range.Start), End: offset(e.Range.End)}
		list = append(list, source.Edit{Span: span, New: e.NewText})
	}
	out, err := source.Apply(text, list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPrepareRename(t *testing.T) {
	c, main, _ := editor(t, "{}")
	got := decode[protocol.PrepareRenamePlaceholder](t,
		c.call("textDocument/prepareRename", find(main, "NAMES =", 2)))
	if got.Placeholder != "NAMES" || show(got.Range) != "3:0-3:5" {
		t.Errorf("prepared = %+v", got)
	}
	for _, at := range []string{"return", "# a comment", "join"} {
		if msg := c.fails("textDocument/prepareRename", find(main, at, 1), -32803); msg == "" {
			t.Errorf("%s cannot be renamed, without a word", at)
		}
	}
}

func TestRenameSaysForWhichVersions(t *testing.T) {
	c, main, lib := editor(t, `{"workspace":{"workspaceEdit":{"documentChanges":true}}}`)
	c.change(main, 7, program)
	raw := c.call("textDocument/rename",
		strings.TrimSuffix(find(main, "copy(name", 1), "}")+`,"newName":"duplicate"}`)
	got := decode[struct {
		DocumentChanges []struct {
			TextDocument struct {
				URI     uri.URI
				Version *int
			}
			Edits []protocol.TextEdit
		}
	}](t, raw).DocumentChanges
	if len(got) != 2 || got[0].TextDocument.URI != lib || got[0].TextDocument.Version != nil ||
		got[1].TextDocument.URI != main || *got[1].TextDocument.Version != 7 {
		t.Fatalf("edits = %s", raw)
	}
	want := strings.ReplaceAll(program, "copy", "duplicate")
	if text := applyEdits(t, program, got[1].Edits); text != want {
		t.Errorf("afterwards the file is\n%s", text)
	}
}

// The edit would have been for a text that this editor does not have.
func TestRenameRefusesWhatAnotherEditorHasNotSaved(t *testing.T) {
	dir := tree(t, map[string]string{"lib.star": library})
	h := newHost(t)
	one := connectTo(t, h, "{}", folder(t, dir))
	two := connectTo(t, h, "{}", folder(t, dir))
	main, lib := fileURI(t, dir, "main.star"), fileURI(t, dir, "lib.star")
	one.open(main, program)
	two.open(lib, "# not saved\n"+library)
	two.problems(lib, anything)
	params := strings.TrimSuffix(find(main, "copy(name", 1), "}") + `,"newName":"duplicate"}`
	msg := one.fails("textDocument/rename", params, -32803)
	if !strings.Contains(msg, "lib.star has changes that another editor has not saved") {
		t.Errorf("message = %q", msg)
	}
}

func TestFormatting(t *testing.T) {
	const options = `"options":{"tabSize":4,"insertSpaces":true}`
	c := connect(t, "{}", "")
	text := "x = [ 1,2 ]\ny = 'é'\nz = { 'a':1 }\n"
	c.open("untitled:a", text)
	for _, tt := range []struct {
		name, method, ranges, want string
	}{
		{"of all", "formatting", "", "x = [1, 2]\ny = \"é\"\nz = {\"a\": 1}\n"},
		{"of a range", "rangeFormatting", `"range":` + lines(1, 1) + `,`,
			"x = [ 1,2 ]\ny = \"é\"\nz = { 'a':1 }\n"},
		{"of a range that is the wrong way round", "rangeFormatting",
			`"range":{"start":{"line":1,"character":3},"end":{"line":1,"character":0}},`,
			"x = [ 1,2 ]\ny = \"é\"\nz = { 'a':1 }\n"},
		{"of ranges that overlap", "rangesFormatting",
			`"ranges":[` + lines(0, 0) + `,` + lines(0, 1) + `],`,
			"x = [1, 2]\ny = \"é\"\nz = { 'a':1 }\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := c.call("textDocument/"+tt.method,
				`{"textDocument":{"uri":"untitled:a"},`+tt.ranges+options+`}`)
			if got := applyEdits(t, text, decode[[]protocol.TextEdit](t, raw)); got != tt.want {
				t.Errorf("formatted:\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	c.change("untitled:a", 2, "x = (\n")
	msg := c.fails("textDocument/formatting",
		`{"textDocument":{"uri":"untitled:a"},`+options+`}`, -32803)
	if msg == "" {
		t.Error("the error has no message")
	}
}

// lines returns the range from the start of one line to the middle of another.
func lines(first, last int) string {
	return fmt.Sprintf(`{"start":{"line":%d,"character":0},"end":{"line":%d,"character":2}}`,
		first, last)
}

const literals = `{"textDocument":{"codeAction":{"codeActionLiteralSupport":{` +
	`"codeActionKind":{"valueSet":["quickfix","source"]}}}}}`

func TestCodeActions(t *testing.T) {
	for _, tt := range []struct {
		name, capabilities, only string
		want                     []string
	}{
		{"all", literals, ``, []string{"Remove the load of helper", "Organize loads"}},
		{"only fixes", literals, `"quickfix"`, []string{"Remove the load of helper"}},
		{"only of the source", literals, `"source"`, []string{"Organize loads"}},
		{"only to organize", literals, `"source.organizeImports"`, []string{"Organize loads"}},
		{"of a kind there is none", literals, `"refactor"`, nil},
		{"for a client that knows commands", `{}`, ``, []string{"Organize loads"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, main, _ := editor(t, tt.capabilities)
			raw := c.call("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},`+
				`"range":%s,"context":{"diagnostics":[],"only":[%s]}}`, main, lines(1, 2), tt.only))
			var got []string
			for _, a := range decode[[]struct{ Title string }](t, raw) {
				got = append(got, a.Title)
			}
			if strings.Join(got, ", ") != strings.Join(tt.want, ", ") {
				t.Errorf("actions = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCodeActionsChangeTheFile(t *testing.T) {
	c, main, _ := editor(t, literals)
	c.change(main, 2, "copy(1, 2)\n")
	raw := c.call("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},`+
		`"range":%s,"context":{"diagnostics":[],"only":["quickfix"]}}`, main, lines(0, 0)))
	got := decode[[]struct {
		Title string
		Edit  struct {
			Changes map[uri.URI][]protocol.TextEdit
		}
		Diagnostics []diagnostic
	}](t, raw)
	if len(got) != 1 || got[0].Title != `Load copy from "lib.star"` ||
		len(got[0].Diagnostics) != 1 || got[0].Diagnostics[0].Code != "undefined" {
		t.Fatalf("actions = %s", raw)
	}
	text := applyEdits(t, "copy(1, 2)\n", got[0].Edit.Changes[main])
	if text != "load(\"lib.star\", \"copy\")\ncopy(1, 2)\n" {
		t.Errorf("afterwards the file is %q", text)
	}
}
