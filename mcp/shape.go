package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// shape is middleware that sees to it that a result can be sent, and is what its schema says. The
// server would not answer at all if it could not encode a result, and panic on one that is nil.
func shape(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		if err != nil || res == nil {
			return nil, err
		}
		if isNil(res) {
			return nil, fmt.Errorf("the handler of %s returned no result", method)
		}
		res, err = shaped(res)
		if err != nil {
			return nil, fmt.Errorf("the result of %s cannot be encoded: %w", method, err)
		}
		return res, nil
	}
}

// isNil reports whether an interface value holds a nil pointer.
func isNil(v any) bool {
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}

// shaped returns a result as it is sent. A result that has to be changed is copied: its handler may
// return the same one again.
func shaped(res sdk.Result) (sdk.Result, error) {
	switch res := res.(type) {
	case *sdk.CallToolResult:
		return shapedTool(res)
	case *sdk.GetPromptResult:
		if res.Messages == nil && res.InputRequests == nil {
			sent := *res
			sent.Messages = []*sdk.PromptMessage{}
			return &sent, nil
		}
	case *sdk.CompleteResult:
		return shapedCompletion(res), nil
	}
	return res, nil
}

// shapedTool encodes what a tool may have set to anything.
func shapedTool(res *sdk.CallToolResult) (sdk.Result, error) {
	if len(res.Meta) > 0 {
		if _, err := json.Marshal(res.Meta); err != nil {
			return nil, err
		}
	}
	if res.StructuredContent == nil {
		return res, nil
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	sent := *res
	sent.StructuredContent = json.RawMessage(raw)
	return &sent, nil
}

// maxCompletions is how many values a completion may have (2025-11-25, Completion).
const maxCompletions = 100

func shapedCompletion(res *sdk.CompleteResult) sdk.Result {
	sent := *res
	details := &sent.Completion
	if details.Values == nil {
		details.Values = []string{}
	}
	if n := len(details.Values); n > maxCompletions {
		details.Values, details.HasMore = details.Values[:maxCompletions], true
		details.Total = max(details.Total, n)
	}
	return &sent
}
