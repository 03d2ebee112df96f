package main

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addChangingTools adds tools that change the lists of tools and prompts for a moment.
func addChangingTools(server *sdk.Server) {
	add := func(name string, change func()) {
		sdk.AddTool(server, &sdk.Tool{Name: name, Description: "Changes a list, and back."},
			func(context.Context, *toolRequest, noArguments) (*toolResult, any, error) {
				change()
				return result(text("changed")), nil, nil
			})
	}
	const passing = "test_passing"
	add("test_trigger_tool_change", func() {
		addConstant(server, passing, "Will be gone.", text("still here"))
		server.RemoveTools(passing)
	})
	add("test_trigger_prompt_change", func() {
		server.AddPrompt(&sdk.Prompt{Name: passing, Description: "Will be gone."}, simplePrompt)
		server.RemovePrompts(passing)
	})
}
