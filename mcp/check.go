package mcp

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// check is middleware that refuses params which the server would let through.
func check(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if err := checkParams(ctx, next, req); err != nil {
			return nil, err
		}
		return next(ctx, method, req)
	}
}

func checkParams(ctx context.Context, next sdk.MethodHandler, req sdk.Request) error {
	switch p := req.GetParams().(type) {
	case *sdk.InitializeParams:
		if s, ok := req.GetSession().(*sdk.ServerSession); ok && s.InitializeParams() != nil {
			return &jsonrpc.Error{
				Code: jsonrpc.CodeInvalidRequest, Message: "initialize may be sent only once",
			}
		}
	case *sdk.CallToolParamsRaw:
		return required("name", p.Name)
	case *sdk.GetPromptParams:
		return checkPrompt(ctx, next, req, p)
	case *sdk.ReadResourceParams:
		return required("uri", p.URI)
	case *sdk.SubscribeParams:
		return required("uri", p.URI)
	case *sdk.UnsubscribeParams:
		return required("uri", p.URI)
	//lint:ignore SA1019 legacy sessions have it
	case *sdk.SetLoggingLevelParams:
		return checkLevel(string(p.Level))
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

func required(member, value string) error {
	if value == "" {
		return invalid("params: %s is missing", member)
	}
	return nil
}

// checkLevel refuses levels that there are not (2025-11-25, Logging, log levels).
func checkLevel(level string) error {
	switch level {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return nil
	}
	return invalid("level %q: want debug, info, notice, warning, error, critical, alert or "+
		"emergency", level)
}

// checkPrompt refuses a prompt without one of its required arguments (2025-11-25, Prompts, error
// handling). What a prompt requires is found where the client finds it, in the list of prompts.
func checkPrompt(
	ctx context.Context, next sdk.MethodHandler, req sdk.Request, p *sdk.GetPromptParams,
) error {
	if err := required("name", p.Name); err != nil {
		return err
	}
	prompt, err := findPrompt(ctx, next, req, p.Name)
	if prompt == nil {
		return err
	}
	for _, argument := range prompt.Arguments {
		if _, given := p.Arguments[argument.Name]; argument.Required && !given {
			return invalid("prompt %q: argument %q is missing", p.Name, argument.Name)
		}
	}
	return nil
}

// findPrompt returns a prompt of the server, nil if there is none of that name.
func findPrompt(
	ctx context.Context, next sdk.MethodHandler, req sdk.Request, name string,
) (*sdk.Prompt, error) {
	session, _ := req.GetSession().(*sdk.ServerSession)
	params := &sdk.ListPromptsParams{}
	for {
		list := &sdk.ListPromptsRequest{Session: session, Params: params, Extra: req.GetExtra()}
		res, err := next(ctx, "prompts/list", list)
		page, ok := res.(*sdk.ListPromptsResult)
		if err != nil || !ok {
			return nil, err
		}
		for _, prompt := range page.Prompts {
			if prompt.Name == name {
				return prompt, nil
			}
		}
		if page.NextCursor == "" {
			return nil, nil
		}
		params = &sdk.ListPromptsParams{Cursor: page.NextCursor}
	}
}
