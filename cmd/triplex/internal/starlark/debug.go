package starlark

import (
	"triplex/cmd/triplex/internal/starlark/dapface"
	"triplex/host"
)

// debugger returns the face for debug clients.
func (c *core) debugger() host.MethodSet { return dapface.New(c.workspace, c.programs) }
