// Conformance is the server that the suites of MCP's own project test: it has the tools, resources
// and prompts that their scenarios call by name. Like any plug-in it is written with the official
// SDK, mounted, and given the command line of a host.
package main

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
	"triplex/host/cli"
	"triplex/mcp"
)

func main() {
	cli.Main(cli.Config{
		Name:     "conformance",
		Sets:     []host.MethodSet{mcp.Mount(newServer(), &mcp.Options{Name: "conformance"})},
		Default:  "conformance",
		Dialects: []*host.Dialect{mcp.Dialect},
	})
}

// newServer returns the server with all that the scenarios want.
func newServer() *sdk.Server {
	server := sdk.NewServer(
		&sdk.Implementation{Name: "triplex-conformance", Version: "1.0.0"},
		&sdk.ServerOptions{
			CompletionHandler:  complete,
			SubscribeHandler:   subscribe,
			UnsubscribeHandler: unsubscribe,
		})
	addContentTools(server)
	addReportingTools(server)
	addSchemaTools(server)
	addChangingTools(server)
	addQuestions(server)
	addRounds(server)
	addResources(server)
	addPrompts(server)
	return server
}
