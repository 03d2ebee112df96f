package mcpface

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var renamed = args{"file": "lib.star", "line": 3, "column": 5, "new_name": "welcome"}

func with(in args, name string, value any) args {
	out := maps.Clone(in)
	out[name] = value
	return out
}

func TestRenameOnDisk(t *testing.T) {
	eachEra(t, library, func(t *testing.T, a *agent) {
		if err := os.Chmod(a.path("lib.star"), 0o600); err != nil {
			t.Fatal(err)
		}
		out := invoke[renameOut](a, "starlark_rename", renamed)
		if len(out.Edits) != 4 || out.Applied != "" || out.Edits[0].NewText != "welcome" ||
			out.Edits[0].Range != (Range{3, 5, 3, 10}) || a.read("lib.star") != library["lib.star"] {
			t.Errorf("%+v", out)
		}
		out = invoke[renameOut](a, "starlark_rename", with(renamed, "write", true))
		if out.Applied != "disk" {
			t.Errorf("%+v", out)
		}
		for _, name := range []string{"lib.star", "main.star"} {
			want := strings.ReplaceAll(library[name], "greet", "welcome")
			if got := a.read(name); got != want {
				t.Errorf("%s is now\n%s", name, got)
			}
		}
		info, err := os.Stat(a.path("lib.star"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
		left, _ := filepath.Glob(a.path(".*"))
		if len(left) > 0 {
			t.Errorf("files are left behind: %v", left)
		}
	})
}

func TestRenameIsRefused(t *testing.T) {
	a := newBench(t, library).agent(false, nil)
	for name, c := range map[string]struct {
		in   args
		code string
	}{
		"keyword":   {with(renamed, "new_name", "for"), codeRefused},
		"collision": {with(renamed, "new_name", "LIMIT"), codeRefused},
		"no name":   {with(renamed, "new_name", ""), codeRefused},
		"missing":   {args{"symbol": "greet"}, codeArguments},
		// Hundreds of edits, each with a name of any length, used to be returned.
		"too long": {with(renamed, "new_name", strings.Repeat("x", maxName+1)), codeTooLarge},
	} {
		if f := a.failing("starlark_rename", c.in); f.Code != c.code {
			t.Errorf("%s: %+v", name, *f)
		}
	}
}

// A client that can ask its user does so before a tool writes to disk.
func TestRenameAsks(t *testing.T) {
	for era, old := range map[string]bool{"legacy": true, "modern": false} {
		for _, action := range []string{"accept", "decline", "cancel"} {
			t.Run(era+" "+action, func(t *testing.T) {
				var asked string
				a := newBench(t, library).agent(old, &sdk.ClientOptions{ElicitationHandler: func(
					_ context.Context, req *sdk.ElicitRequest,
				) (*sdk.ElicitResult, error) {
					asked = req.Params.Message
					return &sdk.ElicitResult{Action: action, Content: map[string]any{}}, nil
				}})
				if invoke[renameOut](a, "starlark_rename", renamed); asked != "" {
					t.Errorf("asked without need: %s", asked)
				}
				if action == "accept" {
					out := invoke[renameOut](a, "starlark_rename", with(renamed, "write", true))
					if out.Applied != "disk" {
						t.Errorf("%+v", out)
					}
				} else {
					a.failsWith(codeRefused, "starlark_rename", with(renamed, "write", true))
				}
				if written := a.read("lib.star") != library["lib.star"]; written != (action == "accept") {
					t.Errorf("written: %v", written)
				}
				if asked != "Rename to welcome: write 2 files (lib.star, main.star)?" {
					t.Errorf("asked %q", asked)
				}
			})
		}
	}
}

// edit is a workspace/applyEdit as the test looks at it.
type edit struct {
	ID     any
	Params struct {
		Label string
		Edit  struct {
			DocumentChanges []struct {
				TextDocument struct {
					URI     string
					Version *int
				}
				Edits []struct{ NewText string }
			}
		}
	}
}

func (p *peer) applyEdit(applied bool) (e edit) {
	p.Helper()
	m := p.until(func(m map[string]any) bool { return m["method"] == "workspace/applyEdit" })
	raw, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(raw, &e)
	}
	if err != nil {
		p.Fatal(err)
	}
	p.Sendf(`{"jsonrpc":"2.0","id":%v,"result":{"applied":%v}}`, quoteID(e.ID), applied)
	return e
}

func quoteID(id any) string {
	raw, _ := json.Marshal(id)
	return string(raw)
}

func TestRenameInTheEditor(t *testing.T) {
	for _, applied := range []bool{true, false} {
		t.Run(fmt.Sprint(applied), func(t *testing.T) {
			b := newBench(t, library)
			folder := filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(b.dir, folder); err != nil {
				t.Fatal(err)
			}
			uri := uriOf(filepath.Join(folder, "lib.star")) // as the editor spells it
			editor := b.editor(canEdit)
			editor.open(uri, strings.Replace(library["lib.star"], "LIMIT", "UNSAVED", 1))
			a := b.agent(false, nil)
			answered := make(chan edit)
			go func() { answered <- editor.applyEdit(applied) }()
			if applied {
				out := invoke[renameOut](a, "starlark_rename", with(renamed, "write", true))
				if out.Applied != "editor" || len(out.Edits) != 4 {
					t.Errorf("%+v", out)
				}
			} else {
				a.failsWith(codeRefused, "starlark_rename", renamed)
			}
			e := <-answered
			changes := e.Params.Edit.DocumentChanges
			if e.Params.Label != "Rename to welcome" || len(changes) != 2 ||
				changes[0].TextDocument.URI != uri || *changes[0].TextDocument.Version != 7 ||
				changes[0].Edits[0].NewText != "welcome" || changes[1].TextDocument.Version != nil {
				t.Errorf("%+v", e)
			}
			if b.read("lib.star") != library["lib.star"] || b.read("main.star") != library["main.star"] {
				t.Error("files on disk have changed")
			}
		})
	}
	t.Run("that cannot", func(t *testing.T) {
		b := newBench(t, library)
		b.editor(`{}`).open(uriOf(b.path("lib.star")), library["lib.star"])
		b.agent(true, nil).failsWith(codeRefused, "starlark_rename", with(renamed, "write", true))
		if b.read("lib.star") != library["lib.star"] {
			t.Error("the file on disk has changed")
		}
	})
}
