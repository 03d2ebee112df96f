package lspface

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// library and program are the files of the tests below.
const (
	library = `"""A library."""

def copy(src, dst, mode = "0644"):
    """Copies a file.

    Args:
      src: where from.
      dst: where to.
    """
    return helper(src) + dst

def helper(x):
    return x
`
	program = `load("lib.star", "copy")
load("lib.star", "helper")

NAMES = ["a", "b"]

def main(arg):
    # a comment
    # of two lines
    for name in NAMES:
        copy(name, "x", mode = arg)
    return "".join(NAMES)

main( 1 )
main(1, 2)
`
)

// editor starts an editor that has program open, in a folder with library.
func editor(t *testing.T, capabilities string) (c *client, main, lib uri.URI) {
	t.Helper()
	dir := tree(t, map[string]string{"lib.star": library, "main.star": "on disk"})
	c = connect(t, capabilities, folder(t, dir))
	main, lib = fileURI(t, dir, "main.star"), fileURI(t, dir, "lib.star")
	c.open(main, program)
	return c, main, lib
}

// find returns params that name the place where a part of program begins, after the first n bytes
// of it.
func find(u uri.URI, part string, n int) string {
	at := source.New(program).Position(strings.Index(program, part) + n)
	return position(u, at.Line, at.Col)
}

func TestCompletion(t *testing.T) {
	c, main, _ := editor(t, `{"textDocument":{"completion":{"completionItem":{`+
		`"documentationFormat":["markdown"],"resolveSupport":{"properties":["documentation"]}}}}}`)
	t.Run("of a name, resolved", func(t *testing.T) {
		item := completed(c, find(main, "copy(name", 2), "copy")
		if item.Documentation != nil || item.TextEdit.NewText != "copy" ||
			show(item.TextEdit.Range) != "9:8-9:12" {
			t.Errorf("item = %+v", item)
		}
		item = completed(c, find(main, "\"\".join", 3), "join")
		raw, err := json.Marshal(item)
		if err != nil {
			t.Fatal(err)
		}
		got := decode[completionItem](t, c.call("completionItem/resolve", string(raw)))
		if got.Documentation == nil || got.Documentation.Kind != "markdown" ||
			got.Documentation.Value == "" || got.Label != "join" {
			t.Errorf("resolved = %+v", got)
		}
		completed(c, find(main, "copy(name", 2), "copy") // which makes the item before an old one
		if got := string(c.call("completionItem/resolve", string(raw))); strings.Contains(got, "docu") {
			t.Errorf("an item of an old list is resolved to %s", got)
		}
	})
	for _, tt := range []struct {
		name, text, trigger, want, not string
	}{
		{"of a load path", `load("`, `"`, "lib.star", "print"},
		{"of a loaded name", `load("lib.star", "`, `"`, "helper", "print"},
		{"of an attribute", `"".`, ".", "upper", "print"},
		{"not behind a string", `x = "a"`, `"`, "", "print"},
		{"not behind the head of a loop", `for x in []:`, ":", "", "print"},
		{"not in a comment", `# a.`, ".", "", "print"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.change(main, 2, tt.text)
			params := strings.TrimSuffix(position(main, 0, len(tt.text)), "}") + fmt.Sprintf(
				`,"context":{"triggerKind":2,"triggerCharacter":%q}}`, tt.trigger)
			labels := labelsOf(c, params)
			if tt.want != "" && !slices.Contains(labels, tt.want) || slices.Contains(labels, tt.not) {
				t.Errorf("offered are %v, want %q and not %q", labels, tt.want, tt.not)
			}
		})
	}
}

// A client that cannot resolve items used to see no documentation.
func TestCompletionWithoutResolve(t *testing.T) {
	c, main, _ := editor(t, "{}")
	item := completed(c, find(main, "\"\".join", 3), "join")
	if item.Documentation == nil || item.Documentation.Kind != "plaintext" {
		t.Errorf("item = %+v", item)
	}
}

type completionItem struct {
	Label         string                  `json:"label"`
	TextEdit      *protocol.TextEdit      `json:"textEdit,omitempty"`
	Data          json.RawMessage         `json:"data,omitempty"`
	Documentation *protocol.MarkupContent `json:"documentation,omitempty"`
}

func completions(c *client, params string) []completionItem {
	c.t.Helper()
	return decode[struct{ Items []completionItem }](
		c.t, c.call("textDocument/completion", params)).Items
}

func labelsOf(c *client, params string) []string {
	c.t.Helper()
	var labels []string
	for _, item := range completions(c, params) {
		labels = append(labels, item.Label)
	}
	return labels
}

func completed(c *client, params, label string) completionItem {
	c.t.Helper()
	items := completions(c, params)
	i := slices.IndexFunc(items, func(it completionItem) bool { return it.Label == label })
	if i < 0 {
		c.t.Fatalf("%s is not among %d items", label, len(items))
	}
	return items[i]
}

func TestSignatureHelp(t *testing.T) {
	help := func(info string) string {
		return `{"textDocument":{"signatureHelp":{"signatureInformation":{` + info + `}}}}`
	}
	for _, tt := range []struct {
		name, capabilities, at string
		want                   []string
	}{
		{"of the second argument", "{}", `"x"`, []string{`"activeParameter":1`, `"label":"dst"`,
			`copy(src, dst, mode = \"0644\")`, "where to."}},
		{"of an argument by name", "{}", "arg)\n    return", []string{`"activeParameter":2`}},
		{"with offsets", help(`"parameterInformation":{"labelOffsetSupport":true}`), `"x"`,
			[]string{`"label":[10,13]`}},
		{"in Markdown", help(`"documentationFormat":["markdown"]`), `"x"`,
			[]string{"**Args**", "- `src`: where from."}},
		{"outside of a call", "{}", "for name", []string{"null"}},
		{"of an argument too many", "{}", ", 2)", []string{`"activeParameter":1`}},
		{"of one too many, for a client that knows null", help(`"noActiveParameterSupport":true`),
			", 2)", []string{`"activeParameter":null`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, main, _ := editor(t, tt.capabilities)
			got := string(c.call("textDocument/signatureHelp", find(main, tt.at, 1)))
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("help = %s, want %s in it", got, want)
				}
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	c, main, lib := editor(t, "{}")
	for _, tt := range []struct {
		name, method, at string
		want             string
	}{
		{"definition through load", "definition", "copy(name", fmt.Sprintf("%s 2:4-2:8", lib)},
		{"declaration is the load", "declaration", "copy(name", fmt.Sprintf("%s 0:18-0:22", main)},
		{"definition of a parameter", "definition", "arg)\n    return", fmt.Sprintf("%s 5:9-5:12", main)},
		{"definition of nothing", "definition", "# a", ""},
		{"definition of a built-in", "definition", "join", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, l := range decode[[]protocol.Location](t,
				c.call("textDocument/"+tt.method, find(main, tt.at, 1))) {
				got = append(got, fmt.Sprintf("%s %s", l.URI, show(l.Range)))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("%s = %v, want %s", tt.method, got, tt.want)
			}
		})
	}
}

func TestPlacesAsLinks(t *testing.T) {
	c, main, lib := editor(t,
		`{"textDocument":{"definition":{"linkSupport":true},"declaration":{"linkSupport":true}}}`)
	for method, target := range map[string]uri.URI{"definition": lib, "declaration": lib} {
		got := decode[[]protocol.LocationLink](t,
			c.call("textDocument/"+method, find(main, `"lib.star"`, 3)))
		if len(got) != 1 || got[0].TargetURI != target ||
			show(*got[0].OriginSelectionRange) != "0:6-0:14" {
			t.Errorf("%s = %+v", method, got)
		}
	}
}

func TestReferencesAndHighlights(t *testing.T) {
	c, main, _ := editor(t, "{}")
	params := strings.TrimSuffix(find(main, "NAMES =", 1), "}") +
		`,"context":{"includeDeclaration":%v},"partialResultToken":"p"}`
	for include, want := range map[bool]int{true: 3, false: 2} {
		rest := decode[[]protocol.Location](t,
			c.call("textDocument/references", fmt.Sprintf(params, include)))
		part := decode[struct{ Value []protocol.Location }](t, c.heard("$/progress").Params).Value
		if len(rest) != 0 || len(part) != want {
			t.Errorf("references = %v and in part %v, want %d", rest, part, want)
		}
	}
	got := decode[[]protocol.DocumentHighlight](t,
		c.call("textDocument/documentHighlight", find(main, "NAMES =", 1)))
	if len(got) != 3 || got[0].Kind != protocol.DocumentHighlightKindWrite ||
		got[1].Kind != protocol.DocumentHighlightKindRead || show(got[1].Range) != "8:16-8:21" {
		t.Errorf("highlights = %+v", got)
	}
}

func TestWorkspaceSymbols(t *testing.T) {
	c, _, lib := editor(t, "{}")
	got := decode[[]protocol.SymbolInformation](t, c.call("workspace/symbol", `{"query":"hlp"}`))
	if len(got) != 1 || got[0].Name != "helper" || got[0].Location.URI != lib ||
		got[0].Kind != protocol.SymbolKindFunction || *got[0].ContainerName != "lib.star" {
		t.Errorf("symbols = %+v", got)
	}
}

func TestCallHierarchy(t *testing.T) {
	c, main, lib := editor(t, "{}")
	prepare := func(params string) protocol.CallHierarchyItem {
		items := decode[[]protocol.CallHierarchyItem](t,
			c.call("textDocument/prepareCallHierarchy", params))
		if len(items) != 1 {
			t.Fatalf("prepared are %+v", items)
		}
		return items[0]
	}
	item := func(it protocol.CallHierarchyItem) string {
		raw, err := protocol.Marshal(it)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"item":%s}`, raw)
	}
	copies := prepare(find(main, "copy(name", 1))
	if copies.URI != lib || show(copies.SelectionRange) != "2:4-2:8" {
		t.Errorf("item = %+v", copies)
	}
	in := decode[[]protocol.CallHierarchyIncomingCall](t,
		c.call("callHierarchy/incomingCalls", item(copies)))
	if len(in) != 1 || in[0].From.Name != "main" || in[0].From.URI != main ||
		show(in[0].FromRanges[0]) != "9:8-9:12" {
		t.Errorf("incoming = %+v", in)
	}
	// The file of this item is not open.
	out := decode[[]protocol.CallHierarchyOutgoingCall](t,
		c.call("callHierarchy/outgoingCalls", item(copies)))
	if len(out) != 1 || out[0].To.Name != "helper" || show(out[0].FromRanges[0]) != "9:11-9:17" {
		t.Errorf("outgoing = %+v", out)
	}
	top := decode[[]protocol.CallHierarchyIncomingCall](t,
		c.call("callHierarchy/incomingCalls", item(prepare(find(main, "main(arg", 1)))))
	if len(top) != 1 || top[0].From.Name != "main.star" ||
		top[0].From.Kind != protocol.SymbolKindModule {
		t.Fatalf("incoming = %+v", top)
	}
	for _, method := range []string{"incomingCalls", "outgoingCalls"} {
		if got := string(c.call("callHierarchy/"+method, item(top[0].From))); got != "[]" {
			t.Errorf("%s of the top level = %s", method, got)
		}
	}
	none := string(c.call("textDocument/prepareCallHierarchy", find(main, "NAMES", 1)))
	if none != "[]" {
		t.Errorf("prepared for what is no function: %s", none)
	}
}
