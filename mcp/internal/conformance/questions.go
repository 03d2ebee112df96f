package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

//lint:file-ignore SA1019 what the modern era deprecates, legacy sessions have

// question is a tool that has to ask its client before it can answer. In the modern era the client
// calls it again with its answers (SEP-2322); in the legacy era the SDK asks the client meanwhile.
type question[In any] struct {
	name   string
	ask    func(In) sdk.InputRequestMap
	answer func(sdk.InputResponseMap) string
}

// add adds the tool.
func (q question[In]) add(server *sdk.Server) {
	sdk.AddTool(server, &sdk.Tool{Name: q.name, Description: "Asks its client for something."},
		func(_ context.Context, req *toolRequest, in In) (*toolResult, any, error) {
			requests := q.ask(in)
			if !answered(requests, req.Params.InputResponses) {
				return &toolResult{InputRequests: requests}, nil, nil
			}
			return result(text(q.answer(req.Params.InputResponses))), nil, nil
		})
}

// answered reports whether there is an answer of the right kind to each request.
func answered(requests sdk.InputRequestMap, responses sdk.InputResponseMap) bool {
	for key, request := range requests {
		var fits bool
		switch request.(type) {
		case *sdk.ElicitParams:
			_, fits = responses[key].(*sdk.ElicitResult)
		case *sdk.ListRootsParams:
			_, fits = responses[key].(*sdk.ListRootsResult)
		default:
			fits = sampled(responses[key]) != ""
		}
		if !fits {
			return false
		}
	}
	return true
}

// sampled returns the text that a model said, empty if r is not of that kind.
func sampled(r sdk.InputResponse) string {
	var content []sdk.Content
	switch r := r.(type) {
	case *sdk.CreateMessageResult:
		content = []sdk.Content{r.Content}
	case *sdk.CreateMessageWithToolsResult:
		content = r.Content
	}
	for _, c := range content {
		if c, ok := c.(*sdk.TextContent); ok {
			return c.Text
		}
	}
	return ""
}

// elicited describes what a user did.
func elicited(r sdk.InputResponse) string {
	answer := r.(*sdk.ElicitResult) // see answered
	content, _ := json.Marshal(answer.Content)
	return fmt.Sprintf("action=%s, content=%s", answer.Action, content)
}

// form asks the user to fill in a form, whose schema has these properties.
func form(message, properties string, required ...string) *sdk.ElicitParams {
	list, _ := json.Marshal(append([]string{}, required...))
	schema := fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s}`, properties, list)
	return &sdk.ElicitParams{
		Mode: "form", Message: message, RequestedSchema: json.RawMessage(schema),
	}
}

// prompt asks the model.
func prompt(words string, tokens int64) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{
		Messages:  []*sdk.SamplingMessage{{Role: "user", Content: text(words)}},
		MaxTokens: tokens,
	}
}

// asks returns what a question without arguments asks.
func asks(key string, request sdk.InputRequest) func(noArguments) sdk.InputRequestMap {
	return func(noArguments) sdk.InputRequestMap { return sdk.InputRequestMap{key: request} }
}

const (
	defaults = `"name":{"type":"string","default":"John Doe"},
		"age":{"type":"integer","default":30},
		"score":{"type":"number","default":95.5},
		"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
		"verified":{"type":"boolean","default":true}`
	titled = `[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},
		{"const":"value3","title":"Third"}]`
	plain   = `["option1","option2","option3"]`
	choices = `"untitledSingle":{"type":"string","enum":` + plain + `},
		"titledSingle":{"type":"string","oneOf":` + titled + `},
		"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
			"enumNames":["Option One","Option Two","Option Three"]},
		"untitledMulti":{"type":"array","items":{"type":"string","enum":` + plain + `}},
		"titledMulti":{"type":"array","items":{"anyOf":` + titled + `}}`
	name = `"name":{"type":"string"}`
)

// addQuestions adds the tools that ask once.
func addQuestions(server *sdk.Server) {
	type words struct {
		Prompt string `json:"prompt"`
	}
	type message struct {
		Message string `json:"message"`
	}
	completed := func(key string) func(sdk.InputResponseMap) string {
		return func(r sdk.InputResponseMap) string {
			return "Elicitation completed: " + elicited(r[key])
		}
	}
	question[words]{"test_sampling",
		func(in words) sdk.InputRequestMap { return sdk.InputRequestMap{"llm": prompt(in.Prompt, 100)} },
		func(r sdk.InputResponseMap) string { return "LLM response: " + sampled(r["llm"]) },
	}.add(server)
	question[message]{"test_elicitation",
		func(in message) sdk.InputRequestMap {
			return sdk.InputRequestMap{"user": form(in.Message,
				`"username":{"type":"string","description":"User's response"},
				"email":{"type":"string","description":"User's email address"}`, "username", "email")}
		},
		func(r sdk.InputResponseMap) string { return "User response: " + elicited(r["user"]) },
	}.add(server)
	for _, q := range []question[noArguments]{
		{"test_elicitation_sep1034_defaults", asks("form", form("Defaults", defaults)),
			completed("form")},
		{"test_elicitation_sep1330_enums", asks("form", form("Choices", choices)),
			completed("form")},
		{"test_streaming_elicitation", asks("form", form("Your name?", name)), completed("form")},
		{"test_input_required_result_elicitation",
			asks("user_name", form("What is your name?", name, "name")),
			func(r sdk.InputResponseMap) string {
				return fmt.Sprintf("Hello, %v!", r["user_name"].(*sdk.ElicitResult).Content["name"])
			}},
		{"test_input_required_result_sampling",
			asks("capital_question", prompt("What is the capital of France?", 100)),
			func(r sdk.InputResponseMap) string { return sampled(r["capital_question"]) }},
		{"test_input_required_result_list_roots", asks("client_roots", &sdk.ListRootsParams{}),
			func(r sdk.InputResponseMap) string { return roots(r["client_roots"]) }},
	} {
		q.add(server)
	}
	addCapabilityTools(server)
}

// roots lists the roots of a client.
func roots(r sdk.InputResponse) string {
	var list string
	for _, root := range r.(*sdk.ListRootsResult).Roots { // see answered
		list += root.URI + "\n"
	}
	return list
}

// addCapabilityTools adds the tools that look at what the client can do before they ask.
func addCapabilityTools(server *sdk.Server) {
	const who = "What do you like?"
	sdk.AddTool(server, &sdk.Tool{
		Name: "test_input_required_result_capabilities", Description: "Asks whom it can ask.",
	}, func(_ context.Context, req *toolRequest, _ noArguments) (*toolResult, any, error) {
		requests := sdk.InputRequestMap{}
		can := capabilities(req)
		if can.Sampling != nil {
			requests["model"] = prompt(who, 50)
		}
		if can.Elicitation != nil {
			requests["user"] = form(who, `"liking":{"type":"string"}`)
		}
		if answered(requests, req.Params.InputResponses) {
			return result(text("done")), nil, nil
		}
		return &toolResult{InputRequests: requests}, nil, nil
	})
	sdk.AddTool(server, &sdk.Tool{
		Name: "test_missing_capability", Description: "Needs a client with a model.",
	}, func(_ context.Context, req *toolRequest, _ noArguments) (*toolResult, any, error) {
		if capabilities(req).Sampling == nil {
			return nil, nil, &jsonrpc.Error{
				Code:    sdk.CodeMissingRequiredClientCapabilities,
				Message: "the tool needs a client that declares sampling",
				Data:    json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
			}
		}
		return result(text("there is a model")), nil, nil
	})
}

// capabilities returns what the client says it can do.
func capabilities(req *toolRequest) *sdk.ClientCapabilities {
	if params := req.Session.InitializeParams(); params != nil && params.Capabilities != nil {
		return params.Capabilities
	}
	return &sdk.ClientCapabilities{}
}
