// Triplex serves JSON-RPC method sets to editors, debuggers, agents and tools. See the command
// help, and package triplex/host/cli, which is all of it.
package main

import (
	"triplex/cmd/triplex/internal/starlark"
	"triplex/cmd/triplex/internal/starlark/terminal"
	"triplex/dap"
	"triplex/host"
	"triplex/host/cli"
	"triplex/host/echo"
	"triplex/lsp"
	"triplex/mcp"
)

func main() {
	terminal.MaybeServe()
	var roots starlark.Roots
	cli.Main(cli.Config{
		Sets:    []host.MethodSet{echo.Set{}},
		Groups:  map[string][]host.MethodSet{starlark.Name: starlark.New(&roots)},
		Default: starlark.Name,

		Dialects: []*host.Dialect{lsp.Dialect, dap.Dialect, mcp.Dialect},
		Flags:    roots.Register,
	})
}
