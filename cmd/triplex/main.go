// Triplex serves JSON-RPC method sets to editors, debuggers, agents and tools. See the command
// help, and package triplex/host/cli, which is all of it.
package main

import (
	"triplex/dap"
	"triplex/host"
	"triplex/host/cli"
	"triplex/host/echo"
	"triplex/lsp"
	"triplex/mcp"
)

func main() {
	cli.Main(cli.Config{
		Sets:    []host.MethodSet{echo.Set{}},
		Default: "echo",

		Dialects:   []*host.Dialect{lsp.Dialect, dap.Dialect, mcp.Dialect},
		Handshakes: handshakes,
	})
}
