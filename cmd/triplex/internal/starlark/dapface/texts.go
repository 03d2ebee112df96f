package dapface

import (
	"triplex/cmd/triplex/internal/starlark/workspace"
)

// texts are the files of the workspace as programs find them: what editors have open and unsaved,
// else what is on disk. It implements debugger.Source.
type texts struct {
	workspace *workspace.Workspace
	view      *workspace.View
}

// newTexts returns the files of a workspace. Modules are also looked for in the folders.
func newTexts(w *workspace.Workspace, folders []string) (texts, error) {
	view, err := w.View(workspace.Options{LoadRoots: folders})
	return texts{w, view}, err
}

// Read implements debugger.Source.
func (t texts) Read(path string) (string, error) { return t.view.Read(path) }

// Resolve implements debugger.Source.
func (t texts) Resolve(from, module string) (string, error) { return t.view.Resolve(from, module) }
