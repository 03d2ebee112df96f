package lspface

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"go.lsp.dev/uri"
)

// questions are the methods of requests about a place in a document, or about all of it.
var questions = []string{
	"textDocument/hover", "textDocument/completion", "textDocument/definition",
	"textDocument/references", "textDocument/rename", "textDocument/signatureHelp",
	"textDocument/documentHighlight", "textDocument/codeAction", "textDocument/formatting",
	"textDocument/foldingRange", "textDocument/semanticTokens/full", "textDocument/inlayHint",
	"workspace/symbol",
}

// An asker is an editor with requests under way.
type asker struct {
	*client
	rand  *rand.Rand
	asked map[string]bool // ids of requests without an answer
}

// ask asks something about a document, and may cancel that at once.
func (a *asker) ask(u uri.URI) {
	id := a.request(questions[a.rand.Intn(len(questions))], fmt.Sprintf(`{"textDocument":{"uri":%q},`+
		`"position":{"line":%d,"character":%d},"range":%s,"query":"c","newName":"other",`+
		`"context":{"includeDeclaration":true,"diagnostics":[]},`+
		`"options":{"tabSize":4,"insertSpaces":true}}`, u, a.rand.Intn(12), a.rand.Intn(20), lines(0, 9)))
	a.asked[id] = true
	if a.rand.Intn(3) == 0 {
		a.notify("$/cancelRequest", `{"id":`+id+`}`)
	}
}

// await takes answers until no more than some requests are left without one.
func (a *asker) await(left int) {
	for len(a.asked) > left {
		m := a.hear()
		if m.Method != "" {
			continue
		}
		if !a.asked[string(m.ID)] {
			a.t.Errorf("a second answer to request %s", m.ID)
		}
		delete(a.asked, string(m.ID))
		if m.Error != nil && m.Error.Code != -32800 && m.Error.Code != -32803 {
			a.t.Errorf("request %s: %+v", m.ID, *m.Error)
		}
	}
}

// TestEditorsOfTheSameFiles has several editors change, break, close and reopen the same files, ask
// about them and cancel what they asked, all at once. Each request is answered once, and in the end
// each editor hears what is wrong with its own text.
func TestEditorsOfTheSameFiles(t *testing.T) {
	dir := tree(t, map[string]string{"lib.star": library, "main.star": program})
	main, lib := fileURI(t, dir, "main.star"), fileURI(t, dir, "lib.star")
	h := newHost(t)
	for n := range 4 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewSource(int64(n)))
			a := &asker{connectTo(t, h, versioned, folder(t, dir)), r, make(map[string]bool)}
			a.open(main, program)
			a.open(lib, library)
			version := 1
			for range 200 {
				version++
				switch a.rand.Intn(8) {
				case 0:
					a.change(main, version, program+strings.Repeat("#", version))
				case 1:
					a.change(lib, version, library[:a.rand.Intn(len(library))])
				case 2:
					a.close(lib)
					a.open(lib, library)
				default:
					a.ask(main)
				}
				a.await(10)
			}
			a.await(0)
			a.change(main, version+1, fmt.Sprintf("x = of_editor_%d\n", n))
			p := a.problems(main, func(p published) bool { return p.Version == version+1 })
			if len(p.Diagnostics) != 1 ||
				p.Diagnostics[0].Message != fmt.Sprintf("undefined: of_editor_%d", n) {
				t.Errorf("problems = %+v", p)
			}
		})
	}
}
