// Package starlark is the built-in plug-in of triplex: a language that editors, debuggers and
// agents see through a method set of its own each, on one workspace and with one registry of
// programs.
package starlark

import (
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
)

// Name is what all the method sets together are called.
const Name = "starlark"

// A core is what the faces share.
type core struct {
	workspace *workspace.Workspace
	programs  *runs.Registry
	roots     *Roots
}

// New returns the method sets, one for each protocol. The roots may be set until the first session
// is opened.
func New(roots *Roots) []host.MethodSet {
	c := &core{workspace.New(), new(runs.Registry), roots}
	return []host.MethodSet{c.language(), c.debugger(), c.agents()}
}
