package starlark

import (
	"triplex/cmd/triplex/internal/starlark/lspface"
	"triplex/host"
)

// language returns the face for editors.
func (c *core) language() host.MethodSet {
	return lspface.New(lspface.Config{Workspace: c.workspace, Programs: c.programs})
}
