package mcpface

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

// Names of prompts and of their arguments.
const (
	explainPrompt = "explain_failure"
	testPrompt    = "write_test"

	fileArgument     = "file"
	errorArgument    = "error"
	functionArgument = "function"
)

func (f *Face) addPrompts() {
	f.server.AddPrompt(&sdk.Prompt{
		Name: explainPrompt, Title: "Explain a failure",
		Description: "Explain why a Starlark file fails, and how to mend it.",
		Arguments: []*sdk.PromptArgument{
			{Name: fileArgument, Description: "the file that fails", Required: true},
			{Name: errorArgument, Description: "the error, if it is known"},
		},
	}, f.explain)
	f.server.AddPrompt(&sdk.Prompt{
		Name: testPrompt, Title: "Write a test",
		Description: "Write a test for a function of a Starlark file.",
		Arguments: []*sdk.PromptArgument{
			{Name: fileArgument, Description: "the file with the function", Required: true},
			{Name: functionArgument, Description: "the function to test", Required: true},
		},
	}, f.writeTest)
}

// invalid returns the error of a prompt whose arguments cannot be used.
func invalid(err error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: failureOf(err).Message}
}

// explain asks for an explanation, with the text and its problems.
func (f *Face) explain(
	ctx context.Context, req *sdk.GetPromptRequest,
) (*sdk.GetPromptResult, error) {
	file, err := f.open(req.Params.Arguments[fileArgument])
	if err != nil {
		return nil, invalid(err)
	}
	found, err := file.Problems(ctx)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Explain why %s fails, in one or two sentences, and show the smallest change"+
		" that mends it. Run it with starlark_run, or stop in it with debug_start, rather than"+
		" guess.\n", file.Name())
	if text := req.Params.Arguments[errorArgument]; text != "" {
		fmt.Fprintf(&b, "\nThe error is:\n%s\n", clip(text, maxMessage))
	}
	if len(found) > 0 {
		b.WriteString("\nThe checker finds:\n")
	}
	found, _ = bounded(found, maxNamed)
	for _, p := range found {
		line, column := position(file.Text(), p.Span.Start)
		fmt.Fprintf(&b, "%d:%d: %s\n", line, column, p.Msg)
	}
	b.WriteString(fenced(file.Name(), file.Text().String()))
	return prompt("Explain a failure", b.String()), nil
}

// writeTest asks for a test, with the function and its documentation.
func (f *Face) writeTest(
	_ context.Context, req *sdk.GetPromptRequest,
) (*sdk.GetPromptResult, error) {
	file, err := f.open(req.Params.Arguments[fileArgument])
	if err != nil {
		return nil, invalid(err)
	}
	name := req.Params.Arguments[functionArgument]
	s := findSymbol(file.Symbols(), name)
	if s == nil || s.Kind != workspace.FunctionSymbol {
		return nil, invalid(failf(codeNotFound, "%s defines no function %s", file.Name(),
			clip(name, maxName)))
	}
	text := fmt.Sprintf("Write a test for the Starlark function %s of %s: a file that loads it,"+
		" calls it with usual, empty and wrong arguments, and calls fail() with a message where a"+
		" result is not what it should be. Run the test with starlark_run until it passes, or"+
		" until it shows an error in the function.\n%s",
		s.Detail, file.Name(), fenced(file.Name(), file.Text().Slice(s.Span)))
	return prompt("Write a test", text), nil
}

// maxPrompt is how many bytes of a file go into a prompt.
const maxPrompt = 64 << 10

func fenced(name, text string) string {
	return fmt.Sprintf("\n%s:\n```starlark\n%s\n```\n", name, clip(text, maxPrompt))
}

func prompt(description, text string) *sdk.GetPromptResult {
	return &sdk.GetPromptResult{
		Description: description,
		Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}},
	}
}
