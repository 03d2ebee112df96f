package lspface

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"triplex/lsp"
)

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		name, raw string
		want      settings
		ok        bool
		err       string
	}{
		{"none", `{}`, settings{}, false, ""},
		{"no object", `null`, settings{}, false, ""},
		{"of others", `{"python":{"roots":["/x"]}}`, settings{}, false, ""},
		{"null", `{"starlark":{"predeclared":null}}`, settings{}, false, ""},
		{"all", `{"starlark":{"predeclared":["a","b(x)"],"options":{"set":true,"while":true,` +
			`"topLevelControl":true,"globalReassign":true,"recursion":true},"roots":["/r"]}}`,
			settings{[]string{"a", "b(x)"}, dialect{true, true, true, true, true}, []string{"/r"}},
			true, ""},
		{"in part", `{"starlark.roots":["r"]}`, settings{roots: []string{"r"}}, true, ""},
		{"a wrong one", `{"predeclared":"a","roots":["r"]}`, settings{roots: []string{"r"}}, true,
			"the setting starlark.predeclared"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got settings
			ok, err := got.read(json.RawMessage(tt.raw))
			if ok != tt.ok || !slices.Equal(got.predeclared, tt.want.predeclared) ||
				got.options != tt.want.options || !slices.Equal(got.roots, tt.want.roots) {
				t.Errorf("settings = %+v, %v, want %+v, %v", got, ok, tt.want, tt.ok)
			}
			if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error = %v, want %q in it", err, tt.err)
			}
		})
	}
}

const loops = "for x in foo:\n    print(x)\n"

func TestSettingsChangeTheProblems(t *testing.T) {
	c := connect(t, versioned, "")
	c.open("untitled:a", loops)
	p := c.problems("untitled:a", anything)
	if !strings.Contains(p.codes(), "undefined") || len(p.Diagnostics) != 2 {
		t.Fatalf("at first the problems are %v", p)
	}
	c.notify("workspace/didChangeConfiguration", `{"settings":{}}`) // as eglot says at the start
	c.notify("workspace/didChangeConfiguration",
		`{"settings":{"starlark":{"predeclared":["foo"],"options":{"topLevelControl":true}}}}`)
	if p := c.problems("untitled:a", anything); p.codes() != "" {
		t.Errorf("with the settings the problems are %v", p)
	}
	c.notify("workspace/didChangeConfiguration", `{"settings":{"starlark":{"predeclared":["b(r"]}}}`)
	warning := string(c.heard("window/showMessage").Params)
	if !strings.Contains(warning, "b(r") || !strings.Contains(warning, `"type":2`) {
		t.Errorf("message = %s", warning)
	}
}

func TestSettingsAreAskedFor(t *testing.T) {
	c := connect(t, `{"workspace":{"configuration":true}}`, "")
	c.answers = map[string]string{
		"workspace/configuration": `[{"predeclared":["foo"],"options":{"topLevelControl":true}}]`,
	}
	asked := string(c.heard("workspace/configuration").Params)
	if asked != `{"items":[{"section":"starlark"}]}` {
		t.Errorf("asked for %s", asked)
	}
	c.open("untitled:a", loops)
	c.problems("untitled:a", func(p published) bool { return p.codes() == "" })
	c.answers["workspace/configuration"] = `[{"predeclared":[]}]`
	c.notify("workspace/didChangeConfiguration", `{"settings":null}`)
	c.problems("untitled:a", func(p published) bool { return p.codes() == "undefined" })
}

func TestRootsOfLoads(t *testing.T) {
	dir := tree(t, map[string]string{
		"work/sub/main.star": "", "work/lib/a.star": "a = 1\n", "else/b.star": "b = 1\n",
	})
	c := connect(t, "{}", folder(t, filepath.Join(dir, "work"))+fmt.Sprintf(
		`,"initializationOptions":{"roots":["lib",%q]}`, filepath.Join(dir, "else")))
	u := fileURI(t, dir, "work/sub/main.star")
	c.open(u, "load(\"a.star\", \"a\")\nload(\"b.star\", \"b\")\nprint(a, b)\n")
	if p := c.problems(u, anything); p.codes() != "" {
		t.Errorf("problems = %v", p)
	}
}

// A root that is relative used to be one of the first folder alone.
func TestRootsInSeveralFolders(t *testing.T) {
	dir := tree(t, map[string]string{"a/lib/a.star": "a = 1\n", "b/lib/b.star": "b = 1\n"})
	a, b := fileURI(t, dir, "a"), fileURI(t, dir, "b")
	c := connect(t, "{}", fmt.Sprintf(`,"initializationOptions":{"roots":["lib"]},`+
		`"workspaceFolders":[{"uri":%q,"name":"a"},{"uri":%q,"name":"b"}]`, a, b))
	u := fileURI(t, dir, "b/main.star")
	c.open(u, "load(\"a.star\", \"a\")\nload(\"b.star\", \"b\")\nprint(a, b)\n")
	if p := c.problems(u, anything); p.codes() != "" {
		t.Errorf("problems = %v", p)
	}
}

func TestFoldersOfTheWorkspace(t *testing.T) {
	dir := tree(t, map[string]string{"a/a.star": "in_a = 1\n", "b/b.star": "in_b = 1\n"})
	a, b := fileURI(t, dir, "a"), fileURI(t, dir, "b")
	symbols := func(c *client) string {
		var names []string
		for _, s := range decode[[]struct{ Name string }](t,
			c.call("workspace/symbol", `{"query":"in_"}`)) {
			names = append(names, s.Name)
		}
		return strings.Join(names, " ")
	}
	for name, tt := range map[string]struct{ params, want string }{
		"folders":    {fmt.Sprintf(`,"workspaceFolders":[{"uri":%q,"name":"a"}]`, a), "in_a"},
		"a root URI": {fmt.Sprintf(`,"rootUri":%q`, b), "in_b"},
		"a path":     {fmt.Sprintf(`,"rootUri":null,"rootPath":%q`, filepath.Join(dir, "b")), "in_b"},
		"none":       {`,"rootUri":null,"workspaceFolders":null`, ""},
		"no file":    {`,"rootUri":"git:/x"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := symbols(connect(t, "{}", tt.params)); got != tt.want {
				t.Errorf("symbols = %s, want %s", got, tt.want)
			}
		})
	}
	c := connect(t, "{}", fmt.Sprintf(`,"workspaceFolders":[{"uri":%q,"name":"a"}]`, a))
	c.notify("workspace/didChangeWorkspaceFolders", fmt.Sprintf(
		`{"event":{"added":[{"uri":%q,"name":"b"}],"removed":[{"uri":%q,"name":"a"}]}}`, b, a))
	if got := symbols(c); got != "in_b" {
		t.Errorf("after a change symbols = %s", got)
	}
	// A folder used to stay whose URI ends with a slash only once.
	c.notify("workspace/didChangeWorkspaceFolders", fmt.Sprintf(
		`{"event":{"added":[{"uri":%q,"name":"a"}],"removed":[{"uri":"%s/","name":"b"}]}}`, a, b))
	if got := symbols(c); got != "in_a" {
		t.Errorf("after another change symbols = %s", got)
	}
}

// Rule D1: nothing is registered that the client does not take.
func TestDynamicRegistration(t *testing.T) {
	c := connect(t, `{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true},`+
		`"didChangeConfiguration":{"dynamicRegistration":true}}}`, "")
	var registered []string
	for range 2 {
		p := decode[struct {
			Registrations []struct {
				Method          string
				RegisterOptions json.RawMessage
			}
		}](t, c.heard("client/registerCapability").Params)
		for _, r := range p.Registrations {
			registered = append(registered, r.Method+" "+string(r.RegisterOptions))
		}
	}
	slices.Sort(registered)
	settings := lsp.DidChangeConfiguration.Method + ` {"section":"starlark"}`
	if !strings.HasPrefix(registered[0], settings) ||
		!strings.Contains(registered[1], "*.{star,") {
		t.Errorf("registered are %v", registered)
	}
	none := connect(t, "{}", "")
	if n := none.count("client/registerCapability"); n != 0 {
		t.Errorf("%d registered with a client that takes none", n)
	}
}
