package main

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

//lint:file-ignore SA1019 what the modern era deprecates, legacy sessions have

// pause is how long tools wait between two reports.
const pause = 50 * time.Millisecond

// addReportingTools adds the tools that say how far they are.
func addReportingTools(server *sdk.Server) {
	for _, name := range []string{"test_tool_with_logging", "test_logging_tool"} {
		sdk.AddTool(server, &sdk.Tool{Name: name, Description: "Logs what it does."}, logSteps)
	}
	sdk.AddTool(server, &sdk.Tool{
		Name: "test_tool_with_progress", Description: "Reports progress.",
	}, reportProgress)
	sdk.AddTool(server, &sdk.Tool{
		Name: "test_reconnection", Description: "Ends the stream of its answer, which follows later.",
	}, reconnect)
}

func logSteps(ctx context.Context, req *toolRequest, _ noArguments) (*toolResult, any, error) {
	for i, step := range []string{
		"Tool execution started", "Tool processing data", "Tool execution completed",
	} {
		if i > 0 {
			time.Sleep(pause)
		}
		m := &sdk.LoggingMessageParams{Level: "info", Logger: "conformance", Data: step}
		if err := req.Session.Log(ctx, m); err != nil {
			return nil, nil, err
		}
	}
	return result(text("logged three steps")), nil, nil
}

func reportProgress(
	ctx context.Context, req *toolRequest, _ noArguments,
) (*toolResult, any, error) {
	token := req.Params.GetProgressToken()
	for _, progress := range []float64{0, 50, 100} {
		m := &sdk.ProgressNotificationParams{ProgressToken: token, Progress: progress, Total: 100}
		if token != nil {
			if err := req.Session.NotifyProgress(ctx, m); err != nil {
				return nil, nil, err
			}
		}
		time.Sleep(pause) // clients drop what they read together with the answer
	}
	return result(text("done")), nil, nil
}

// reconnect has the client come back for the answer (2025-11-25, SEP-1699). Only HTTP has streams
// that can end before a session does.
func reconnect(_ context.Context, req *toolRequest, _ noArguments) (*toolResult, any, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: pause})
		time.Sleep(2 * pause)
	}
	return result(text("reconnected")), nil, nil
}
