package mcpface

import (
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A question is the error of a tool that needs an answer of the user: it is called again with that.
type question struct{ text, about string }

// Error implements error.
func (q *question) Error() string { return q.text }

// questionID names the question in a result and its answer.
const questionID = "confirm"

// result is what the client gets to put to its user (MCP 2026-07-28, multi round-trip requests). A
// client of the legacy era is asked by the SDK.
func (q *question) result() *sdk.CallToolResult {
	return &sdk.CallToolResult{
		InputRequests: sdk.InputRequestMap{questionID: &sdk.ElicitParams{
			Mode: "form", Message: q.text,
			RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
		}},
		RequestState: q.about,
	}
}

// confirm returns nil if the user has agreed to what about identifies, or cannot be asked; or the
// question to put, or a failure if the user did not agree.
func (c call) confirm(text, about string) error {
	if !c.canElicit() {
		return nil
	}
	p := c.req.Params
	answer, _ := p.InputResponses[questionID].(*sdk.ElicitResult)
	switch {
	case answer == nil || p.RequestState != about:
		return &question{text, about}
	case answer.Action != "accept":
		return failf(codeRefused, "the user did not agree: %s", answer.Action)
	}
	return nil
}
