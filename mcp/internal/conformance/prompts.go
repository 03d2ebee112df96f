package main

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	promptRequest = sdk.GetPromptRequest
	promptResult  = sdk.GetPromptResult
)

// addPrompts adds the prompts.
func addPrompts(server *sdk.Server) {
	add := func(name string, h sdk.PromptHandler, arguments ...string) {
		p := &sdk.Prompt{Name: name, Description: "Is to be tested."}
		for _, argument := range arguments {
			p.Arguments = append(p.Arguments, &sdk.PromptArgument{
				Name: argument, Description: "Any text.", Required: true,
			})
		}
		server.AddPrompt(p, h)
	}
	add("test_simple_prompt", simplePrompt)
	add("test_prompt_with_arguments", argumentPrompt, "arg1", "arg2")
	add("test_prompt_with_embedded_resource", resourcePrompt, "resourceUri")
	add("test_prompt_with_image", imagePrompt)
	add("test_input_required_result_prompt", askingPrompt)
}

// says returns messages of the user.
func says(contents ...sdk.Content) *promptResult {
	r := new(promptResult)
	for _, c := range contents {
		r.Messages = append(r.Messages, &sdk.PromptMessage{Role: "user", Content: c})
	}
	return r
}

func simplePrompt(context.Context, *promptRequest) (*promptResult, error) {
	return says(text("This is a simple prompt for testing.")), nil
}

func argumentPrompt(_ context.Context, req *promptRequest) (*promptResult, error) {
	given := req.Params.Arguments
	return says(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'",
		given["arg1"], given["arg2"]))), nil
}

func resourcePrompt(_ context.Context, req *promptRequest) (*promptResult, error) {
	uri := req.Params.Arguments["resourceUri"]
	return says(embedded(uri, "text/plain", "Embedded resource content for testing."),
		text("Please process the embedded resource above.")), nil
}

func imagePrompt(context.Context, *promptRequest) (*promptResult, error) {
	return says(picture(), text("Please analyze the image above.")), nil
}

// askingPrompt asks the user for what the prompt is to be about.
func askingPrompt(_ context.Context, req *promptRequest) (*promptResult, error) {
	asked := sdk.InputRequestMap{"user_context": form(
		"What context should the prompt use?", `"context":{"type":"string"}`, "context")}
	if !answered(asked, req.Params.InputResponses) {
		return &promptResult{InputRequests: asked}, nil
	}
	return says(text(elicited(req.Params.InputResponses["user_context"]))), nil
}

// complete suggests words that begin as the argument does.
func complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	res := new(sdk.CompleteResult)
	for _, word := range []string{"paris", "park", "party"} {
		if strings.HasPrefix(word, req.Params.Argument.Value) {
			res.Completion.Values = append(res.Completion.Values, word)
		}
	}
	return res, nil
}
