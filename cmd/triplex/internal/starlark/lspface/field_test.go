package lspface

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// fieldDir holds files and expectations taken from public reports about Starlark servers.
const fieldDir = "../../../../../../shared/field/starlark"

type fieldCase struct {
	ID, Title string
	Files     []string
	Checks    []fieldCheck
}

type fieldCheck struct {
	Do     string
	File   string
	At     *protocol.Position
	Range  *protocol.Range
	Expect json.RawMessage
	Names  []string `json:"expect_names_include"`
}

// fieldProblem is an expected problem: of a range, or of a start only.
type fieldProblem struct {
	Range    *protocol.Range
	Start    *protocol.Position
	Hint     string `json:"message_hint"`
	Optional bool
}

type fieldLocation struct {
	File  string
	Range protocol.Range
}

func fieldCases(t *testing.T) []fieldCase {
	content, err := os.ReadFile(filepath.Join(fieldDir, "expected.json"))
	if err != nil {
		t.Skip("the shared field cases are not there")
	}
	return decode[struct{ Cases []fieldCase }](t, content).Cases
}

// fieldClient starts an editor on a copy of the field's files and opens one of them.
func fieldClient(t *testing.T, capabilities, file string) (c *client, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(fieldDir, "*"))
	if err != nil || len(names) == 0 {
		t.Skip("the shared field cases are not there")
	}
	files := make(map[string]string)
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(content)
	}
	dir = tree(t, files)
	c = connect(t, capabilities, folder(t, dir))
	c.open(fileURI(t, dir, file), files[file])
	return c, dir
}

// TestField makes a subtest of every check that can be read by a machine and that concerns editors.
// Those in prose follow below; the rest is about debuggers and agents.
func TestField(t *testing.T) {
	for _, fc := range fieldCases(t) {
		for i, check := range fc.Checks {
			if check.File == "" {
				check.File = fc.Files[0]
			}
			if f := fieldTest(check); f != nil {
				t.Run(fmt.Sprintf("%s %s %d %s", fc.ID, fc.Title, i, check.Do), f)
			}
		}
	}
}

// fieldTest returns the test of a check, nil if it is not for machines.
func fieldTest(check fieldCheck) func(*testing.T) {
	var problems []fieldProblem
	var locations []fieldLocation
	switch {
	case check.Do == "definition" && json.Unmarshal(check.Expect, &locations) == nil:
		return func(t *testing.T) { testFieldDefinition(t, check, locations) }
	case check.Names != nil:
		return func(t *testing.T) { testFieldNames(t, check) }
	case json.Unmarshal(check.Expect, &problems) != nil:
		return nil
	case strings.HasPrefix(check.Do, "didOpen"):
		return func(t *testing.T) { testFieldLanguages(t, check, problems) }
	case strings.HasPrefix(check.Do, "diagnostics"), strings.HasPrefix(check.Do, "same with utf-32"):
		return func(t *testing.T) { testFieldProblems(t, check, problems) }
	}
	return nil
}

func testFieldDefinition(t *testing.T, check fieldCheck, want []fieldLocation) {
	c, dir := fieldClient(t, "{}", check.File)
	got := decode[[]protocol.Location](t, c.call("textDocument/definition",
		position(fileURI(t, dir, check.File), int(check.At.Line), int(check.At.Character))))
	if len(got) != 1 || got[0].URI != fileURI(t, dir, want[0].File) || got[0].Range != want[0].Range {
		t.Errorf("definition = %v, want %v", got, want)
	}
}

func testFieldNames(t *testing.T, check fieldCheck) {
	c, dir := fieldClient(t, hierarchical, check.File)
	got := decode[[]protocol.DocumentSymbol](t,
		c.call("textDocument/documentSymbol", textDocumentOf(fileURI(t, dir, check.File))))
	for _, want := range check.Names {
		if !slices.ContainsFunc(got, func(s protocol.DocumentSymbol) bool { return s.Name == want }) {
			t.Errorf("symbols are %v, want %s among them", got, want)
		}
	}
}

func testFieldProblems(t *testing.T, check fieldCheck, want []fieldProblem) {
	capabilities := "{}"
	for _, enc := range []string{"utf-8", "utf-32"} {
		if strings.Contains(check.Do, enc) {
			capabilities = fmt.Sprintf(`{"general":{"positionEncodings":[%q,"utf-16"]}}`, enc)
		}
	}
	c, dir := fieldClient(t, capabilities, check.File)
	compareProblems(t, c.problems(fileURI(t, dir, check.File), anything), want)
}

func testFieldLanguages(t *testing.T, check fieldCheck, want []fieldProblem) {
	c, dir := fieldClient(t, "{}", check.File)
	content, err := os.ReadFile(filepath.Join(dir, check.File))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(check.Do, "languageId ")
	for i, language := range strings.Split(strings.TrimSuffix(list, " with this text"), " | ") {
		u := fileURI(t, dir, fmt.Sprintf("copy%d", i))
		c.notify("textDocument/didOpen", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"languageId":%q,"version":1,"text":%s}}`,
			u, strings.Trim(language, `"`), quote(string(content))))
		compareProblems(t, c.problems(u, anything), want)
	}
}

// compareProblems compares errors and warnings; hints are never required.
func compareProblems(t *testing.T, p published, want []fieldProblem) {
	t.Helper()
	got := slices.DeleteFunc(p.Diagnostics, func(d diagnostic) bool { return d.Severity > 2 })
	for _, w := range want {
		i := slices.IndexFunc(got, func(d diagnostic) bool {
			if w.Range == nil {
				return d.Range.Start == *w.Start
			}
			return d.Range == *w.Range
		})
		if i < 0 && !w.Optional {
			t.Errorf("no problem at %+v %+v; there are %v", w.Range, w.Start, got)
		}
		if i < 0 {
			continue
		}
		hint := strings.TrimPrefix(w.Hint, "undefined: ")
		if got[i].Severity != 1 || !strings.Contains(got[i].Message, hint) {
			t.Errorf("problem = %v, want an error with %q", got[i], w.Hint)
		}
		got = slices.Delete(got, i, i+1)
	}
	if len(got) > 0 {
		t.Errorf("unexpected problems: %v", got)
	}
}

const (
	hierarchical = `{"textDocument":{"documentSymbol":{"hierarchicalDocumentSymbolSupport":true}}}`
	markdownable = `{"textDocument":{"hover":{"contentFormat":["markdown","plaintext"]}}}`
)

// hovered returns the text of a hover.
func hovered(c *client, params string) string {
	c.t.Helper()
	return decode[struct{ Contents struct{ Value string } }](
		c.t, c.call("textDocument/hover", params)).Contents.Value
}

func TestFieldS11LoadItems(t *testing.T) {
	c, dir := fieldClient(t, "{}", "s11_main.star")
	main, lib := fileURI(t, dir, "s11_main.star"), fileURI(t, dir, "s11_lib.star")
	late := fileURI(t, dir, "s21_late_load.star")
	t.Run("hover on the name of a load", func(t *testing.T) {
		got := hovered(c, position(main, 0, 23))
		if !strings.Contains(got, "helper(n)") || !strings.Contains(got, "Doubles n.") {
			t.Errorf("hover = %q", got)
		}
	})
	t.Run("definition of the module", func(t *testing.T) {
		got := decode[[]protocol.Location](t, c.call("textDocument/definition", position(main, 0, 7)))
		if len(got) != 1 || got[0].URI != lib || got[0].Range.Start.Line != 0 {
			t.Errorf("definition = %v", got)
		}
	})
	t.Run("rename helper2 in the library", func(t *testing.T) {
		got := renamed(c, position(lib, 4, 5), "helper3")
		want := fmt.Sprintf("%s 4:4-4:11 helper3\n%s 0:40-0:47 helper3", lib, main)
		if got != want {
			t.Errorf("edits:\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("rename helper at its use", func(t *testing.T) {
		got := renamed(c, position(main, 2, 1), "assist")
		want := fmt.Sprintf("%s 0:4-0:10 assist\n%s 0:22-0:28 assist\n%s 2:0-2:6 assist\n"+
			"%s 1:22-1:28 assist\n%s 2:0-2:6 assist", lib, main, main, late, late)
		if got != want {
			t.Errorf("edits:\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("references on helper in the library", func(t *testing.T) {
		params := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":0,"character":5},`+
			`"context":{"includeDeclaration":true}}`, lib)
		var got []string
		for _, l := range decode[[]protocol.Location](t, c.call("textDocument/references", params)) {
			got = append(got, filepath.Base(string(l.URI))+" "+show(l.Range))
		}
		want := "s11_lib.star 0:4-0:10, s11_main.star 0:22-0:28, s11_main.star 2:0-2:6, " +
			"s21_late_load.star 1:22-1:28, s21_late_load.star 2:0-2:6"
		if strings.Join(got, ", ") != want {
			t.Errorf("references = %v, want %s", got, want)
		}
	})
}

// renamed returns the edits of a rename, one a line.
func renamed(c *client, at, name string) string {
	c.t.Helper()
	raw := c.call("textDocument/rename",
		strings.TrimSuffix(at, "}")+fmt.Sprintf(`,"newName":%q}`, name))
	edit := decode[struct {
		Changes map[string][]protocol.TextEdit
	}](c.t, raw)
	var lines []string
	for u, edits := range edit.Changes {
		for _, e := range edits {
			lines = append(lines, fmt.Sprintf("%s %s %s", u, show(e.Range), e.NewText))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestFieldS13HoverShowsTheWholeDoc(t *testing.T) {
	for name, capabilities := range map[string]string{"plaintext": "{}", "markdown": markdownable} {
		t.Run(name, func(t *testing.T) {
			c, dir := fieldClient(t, capabilities, "s13_hover_doc.star")
			u := fileURI(t, dir, "s13_hover_doc.star")
			got := hovered(c, position(u, 15, 0))
			for _, want := range []string{`def copy(src, dst, *, mode = "0644", **kwargs)`,
				"Copies a file.\n\nLonger text, second paragraph.", "Args", "where from.",
				"octal string.", "Returns", "The destination path."} {
				if !strings.Contains(got, want) {
					t.Errorf("hover = %q, want %q in it", got, want)
				}
			}
			if fence := strings.HasPrefix(got, "```"); fence != (name == "markdown") {
				t.Errorf("hover = %q, which is not %s", got, name)
			}
			got = hovered(c, position(u, 0, 22))
			if !strings.Contains(got, "parameter") || !strings.Contains(got, "octal string.") {
				t.Errorf("hover of the parameter = %q", got)
			}
		})
	}
}

func TestFieldS15DocumentSymbols(t *testing.T) {
	t.Run("as a tree", func(t *testing.T) {
		c, dir := fieldClient(t, hierarchical, "s15_symbols.star")
		got := decode[[]protocol.DocumentSymbol](t, c.call("textDocument/documentSymbol",
			textDocumentOf(fileURI(t, dir, "s15_symbols.star"))))
		var names []string
		for _, s := range got {
			names = append(names, s.Name)
		}
		if strings.Join(names, " ") != "X A B C outer if_true" {
			t.Fatalf("symbols = %v", names)
		}
		outer := got[4]
		if outer.Kind != protocol.SymbolKindFunction || show(outer.Range) != "5:0-9:16" ||
			show(outer.SelectionRange) != "5:4-5:9" || len(outer.Children) != 1 ||
			outer.Children[0].Name != "inner" {
			t.Errorf("outer = %+v", outer)
		}
	})
	t.Run("as a list", func(t *testing.T) {
		c, dir := fieldClient(t, "{}", "s15_symbols.star")
		got := decode[[]protocol.SymbolInformation](t, c.call("textDocument/documentSymbol",
			textDocumentOf(fileURI(t, dir, "s15_symbols.star"))))
		inner := slices.IndexFunc(got, func(s protocol.SymbolInformation) bool {
			return s.Name == "inner"
		})
		if inner < 0 || got[inner].ContainerName == nil || *got[inner].ContainerName != "outer" {
			t.Errorf("symbols = %+v", got)
		}
	})
}

func TestFieldS19Columns(t *testing.T) {
	c, dir := fieldClient(t, "{}", "s19_utf16.star")
	u := fileURI(t, dir, "s19_utf16.star")
	t.Run("incremental change behind an emoji", func(t *testing.T) {
		c.problems(u, anything)
		c.notify("textDocument/didChange", fmt.Sprintf(
			`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"range":{`+
				`"start":{"line":0,"character":7},"end":{"line":0,"character":8}},"text":"ee"}]}`, u))
		p := c.problems(u, func(p published) bool { return show(p.Diagnostics[0].Range) != "0:15-0:29" })
		if got := show(p.Diagnostics[0].Range); got != "0:16-0:30" {
			t.Errorf("the problem is at %s, want it one further", got)
		}
	})
	t.Run("hover on a name that is not ASCII", func(t *testing.T) {
		if got := hovered(c, position(u, 2, 4)); !strings.Contains(got, "def π(x)\nfunction") {
			t.Errorf("hover = %q", got)
		}
	})
	t.Run("positions past the end and inside of a character", func(t *testing.T) {
		for _, at := range [][2]int{{0, 6}, {0, 9999}, {9999, 0}} {
			for _, method := range []string{"hover", "definition", "completion", "documentHighlight"} {
				c.call("textDocument/"+method, position(u, at[0], at[1]))
			}
		}
	})
}

func TestFieldS35Shadowing(t *testing.T) {
	c, dir := fieldClient(t, "{}", "s35_shadow.star")
	u := fileURI(t, dir, "s35_shadow.star")
	want := fmt.Sprintf("%s 0:0-0:1 z\n%s 6:2-6:3 z", u, u)
	if got := renamed(c, position(u, 0, 0), "z"); got != want {
		t.Errorf("edits:\n%s\nwant\n%s", got, want)
	}
	for _, name := range []string{"for", "1x", "f", ""} {
		params := strings.TrimSuffix(position(u, 0, 0), "}") + fmt.Sprintf(`,"newName":%q}`, name)
		if msg := c.fails("textDocument/rename", params, -32803); msg == "" {
			t.Errorf("rename to %q fails without a word", name)
		}
	}
}

func TestFieldS37UnusedNames(t *testing.T) {
	c, dir := fieldClient(t,
		`{"textDocument":{"publishDiagnostics":{"tagSupport":{"valueSet":[1]}}}}`,
		"s37_unused_args.star")
	for _, d := range c.problems(fileURI(t, dir, "s37_unused_args.star"), anything).Diagnostics {
		if d.Severity != 4 || !slices.Equal(d.Tags, []int{1}) ||
			!strings.Contains("the parameter c is not used, d is not used", d.Message) {
			t.Errorf("problem = %+v", d)
		}
	}
}
