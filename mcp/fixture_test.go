package mcp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// newHost returns a host that serves the fixture.
func newHost() *host.Host { return hostOf(newServer(nil), nil) }

func hostOf(server *sdk.Server, options *Options) *host.Host {
	return &host.Host{
		Mounts: []host.MethodSet{Mount(server, options)},
		Logger: slog.New(slog.DiscardHandler),
	}
}

type sum struct {
	A int `json:"a"`
	B int `json:"b"`
}

type total struct {
	Total int `json:"total"`
}

type wait struct {
	MS int `json:"ms,omitempty"`
}

type repeat struct {
	Times int `json:"times"`
}

// newServer returns a server with something of everything.
func newServer(options *sdk.ServerOptions) *sdk.Server {
	if options == nil {
		options = &sdk.ServerOptions{}
	}
	options.SubscribeHandler = func(_ context.Context, req *sdk.SubscribeRequest) error {
		if req.Params.URI == "file:///none" {
			return sdk.ResourceNotFoundError(req.Params.URI)
		}
		return nil
	}
	options.UnsubscribeHandler = func(context.Context, *sdk.UnsubscribeRequest) error { return nil }
	options.CompletionHandler = complete
	server := sdk.NewServer(&sdk.Implementation{Name: "fixture", Version: "1"}, options)
	addTools(server)
	addFaultyTools(server)
	addAskingTools(server)
	addResources(server)
	addPrompts(server)
	return server
}

func addTools(server *sdk.Server) {
	sdk.AddTool(server, &sdk.Tool{Name: "add"},
		func(_ context.Context, _ *sdk.CallToolRequest, in sum) (*sdk.CallToolResult, total, error) {
			return nil, total{in.A + in.B}, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "sleep"},
		func(ctx context.Context, _ *sdk.CallToolRequest, in wait) (*sdk.CallToolResult, any, error) {
			select {
			case <-time.After(time.Duration(in.MS) * time.Millisecond):
				return text("slept"), nil, nil
			case <-ctx.Done():
				return nil, nil, ctx.Err()
			}
		})
	sdk.AddTool(server, &sdk.Tool{Name: "progress"}, reportProgress)
	sdk.AddTool(server, &sdk.Tool{Name: "log"},
		func(ctx context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, any, error) {
			for _, level := range []string{"debug", "warning"} {
				//lint:ignore SA1019 legacy sessions have it
				m := &sdk.LoggingMessageParams{Level: sdk.LoggingLevel(level), Data: level}
				//lint:ignore SA1019 legacy sessions have it
				if err := req.Session.Log(ctx, m); err != nil {
					return nil, nil, err
				}
			}
			return text("logged"), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "echo"},
		func(_ context.Context, _ *sdk.CallToolRequest, in map[string]string) (
			*sdk.CallToolResult, any, error,
		) {
			return text(in["text"]), nil, nil
		})
}

// reportProgress reports progress with the token of the request, some of it in vain: twice the
// same, with another token, and after the answer.
func reportProgress(
	ctx context.Context, req *sdk.CallToolRequest, in repeat,
) (*sdk.CallToolResult, any, error) {
	report := func(token any, progress float64) error {
		return req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: progress,
		})
	}
	token := req.Params.GetProgressToken()
	for i := range in.Times {
		for _, attempt := range []any{token, token, "invented"} {
			if err := report(attempt, float64(i+1)); err != nil {
				return nil, nil, err
			}
		}
	}
	return text("done"), nil, nil
}

func text(s string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
}

// addFaultyTools adds what a host has to cope with.
func addFaultyTools(server *sdk.Server) {
	type handler = func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)
	for name, h := range map[string]handler{
		"panic": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { panic("!") },
		"vanish": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			runtime.Goexit()
			return nil, nil
		},
		"nothing": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return nil, nil
		},
		"plain": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return nil, errors.New("without a code")
		},
		"unencodable": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{StructuredContent: math.NaN()}, nil
		},
		"unencodable meta": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Meta: sdk.Meta{"f": func() {}}}, nil
		},
	} {
		schema := &jsonschema.Schema{Type: "object"}
		server.AddTool(&sdk.Tool{Name: name, InputSchema: schema}, h)
	}
	sdk.AddTool(server, &sdk.Tool{Name: "fail"},
		func(context.Context, *sdk.CallToolRequest, any) (*sdk.CallToolResult, any, error) {
			return nil, nil, errors.New("the user can mend this")
		})
}

// addAskingTools adds tools that turn to the client.
func addAskingTools(server *sdk.Server) {
	sdk.AddTool(server, &sdk.Tool{Name: "elicit"},
		func(ctx context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, any, error) {
			res, err := req.Session.Elicit(ctx, &sdk.ElicitParams{
				Message: "go on?", RequestedSchema: &jsonschema.Schema{
					Type: "object", Properties: map[string]*jsonschema.Schema{},
				},
			})
			if err != nil {
				return nil, nil, err
			}
			return text(res.Action), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "roots"},
		func(ctx context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, any, error) {
			//lint:ignore SA1019 legacy sessions have it
			res, err := req.Session.ListRoots(ctx, nil)
			if err != nil {
				return nil, nil, err
			}
			return text(fmt.Sprint(len(res.Roots))), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "ping"},
		func(ctx context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, any, error) {
			if err := req.Session.Ping(ctx, nil); err != nil {
				return nil, nil, err
			}
			return text("pong"), nil, nil
		})
	sdk.AddTool(server, &sdk.Tool{Name: "confirm"},
		func(_ context.Context, req *sdk.CallToolRequest, _ any) (*sdk.CallToolResult, any, error) {
			if req.Params.InputResponses != nil {
				return text("confirmed " + req.Params.RequestState), nil, nil
			}
			return &sdk.CallToolResult{
				InputRequests: sdk.InputRequestMap{"ok": &sdk.ElicitParams{
					Mode: "form", Message: "really?", RequestedSchema: &jsonschema.Schema{
						Type: "object", Properties: map[string]*jsonschema.Schema{},
					},
				}},
				RequestState: "state",
			}, nil, nil
		})
}

func addResources(server *sdk.Server) {
	read := func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		if req.Params.URI == "file:///tpl/gone" {
			return nil, sdk.ResourceNotFoundError(req.Params.URI)
		}
		return &sdk.ReadResourceResult{
			Contents: []*sdk.ResourceContents{{URI: req.Params.URI, Text: "content"}},
		}, nil
	}
	server.AddResource(&sdk.Resource{Name: "readme", URI: "file:///readme"}, read)
	server.AddResourceTemplate(&sdk.ResourceTemplate{Name: "t", URITemplate: "file:///tpl/{x}"}, read)
}

func addPrompts(server *sdk.Server) {
	server.AddPrompt(&sdk.Prompt{Name: "explain", Arguments: []*sdk.PromptArgument{
		{Name: "what", Required: true}, {Name: "how"},
	}}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{
			Role: "user", Content: &sdk.TextContent{Text: "explain " + req.Params.Arguments["what"]},
		}}}, nil
	})
	server.AddPrompt(&sdk.Prompt{Name: "empty"},
		func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{}, nil
		})
}

// complete has no values for an argument "none", and 250 for any other.
func complete(_ context.Context, req *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	res := new(sdk.CompleteResult)
	if req.Params.Argument.Name != "none" {
		for i := range 250 {
			res.Completion.Values = append(res.Completion.Values, fmt.Sprint(i))
		}
	}
	return res, nil
}
