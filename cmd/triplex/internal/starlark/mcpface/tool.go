package mcpface

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// An Outcome is part of the output of every tool.
type Outcome struct {
	Error *Failure `json:"error,omitempty" jsonschema:"why the tool failed; absent otherwise"`
}

func (o *Outcome) fail(f *Failure) { o.Error = f }

// outcome is the pointer to an output that has an Outcome.
type outcome[Out any] interface {
	*Out
	fail(*Failure)
}

// A call is a request to a tool.
type call struct {
	*Face
	req *sdk.CallToolRequest
}

// addTool adds a tool. The error that run returns becomes that of its output, which may be partial,
// but for a *question: that is put to the user.
func addTool[In, Out any, P outcome[Out]](
	f *Face, tool *sdk.Tool, run func(call, context.Context, In) (Out, error),
) {
	if tool.InputSchema == nil {
		tool.InputSchema = schemaOf[In]()
	}
	tool.OutputSchema = schemaOf[Out]()
	sdk.AddTool(f.server, tool, func(
		ctx context.Context, req *sdk.CallToolRequest, in In,
	) (*sdk.CallToolResult, Out, error) {
		out, err := run(call{f, req}, ctx, in)
		var ask *question
		switch {
		case errors.As(err, &ask):
			return ask.result(), out, nil
		case err != nil:
			P(&out).fail(failureOf(err))
		}
		return &sdk.CallToolResult{Content: textCopy(out), IsError: err != nil}, out, nil
	})
}

// textCopy returns an output as text for models: that of the SDK has the characters <, > and &
// escaped, which they have to decode and pay for.
func textCopy(out any) []sdk.Content {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		return nil // the SDK tells of it
	}
	return []sdk.Content{&sdk.TextContent{Text: strings.TrimSuffix(text.String(), "\n")}}
}

// reads are the annotations of a tool that changes nothing. The world of all tools is closed: the
// workspace.
func reads(title string) *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{
		Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(false),
	}
}

// acts are the annotations of a tool that changes the state of programs.
func acts(title string) *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{
		Title: title, DestructiveHint: new(false), OpenWorldHint: new(false),
	}
}

// schemaOf returns the schema of a tool's input or output.
func schemaOf[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // the type is ours
	}
	notNull(schema)
	return schema
}

// notNull takes null off the types that pointers and slices have in a schema: what has no value is
// left out. Some clients refuse a tool whose schema has a list of types.
func notNull(schema *jsonschema.Schema) {
	if len(schema.Types) == 2 && schema.Types[0] == "null" {
		schema.Type, schema.Types = schema.Types[1], nil
	}
	for _, property := range schema.Properties {
		notNull(property)
	}
	if schema.Items != nil {
		notNull(schema.Items)
	}
}

// schemaWith returns the schema of a tool's input, with the values that a member may have.
func schemaWith[In any](member string, values ...any) *jsonschema.Schema {
	schema := schemaOf[In]()
	schema.Properties[member].Enum = values
	return schema
}

// leaveOutNulls is middleware that takes an argument that is null for one that is not given: some
// models have to name all arguments of a tool.
func leaveOutNulls(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		p, ok := req.GetParams().(*sdk.CallToolParamsRaw)
		if ok && bytes.Contains(p.Arguments, []byte("null")) {
			p.Arguments = withoutNulls(p.Arguments)
		}
		return next(ctx, method, req)
	}
}

func withoutNulls(object json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return object
	}
	maps.DeleteFunc(members, func(_ string, value json.RawMessage) bool {
		return string(value) == "null"
	})
	raw, _ := json.Marshal(members) // they are JSON already
	return raw
}

// nameErrors is middleware that gives structured content to the errors that the SDK finds:
// arguments that do not fit the schema.
func nameErrors(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, method, req)
		r, ok := res.(*sdk.CallToolResult)
		if !ok || r == nil || !r.IsError || r.StructuredContent != nil || len(r.Content) == 0 {
			return res, err
		}
		if text, ok := r.Content[0].(*sdk.TextContent); ok {
			r.StructuredContent = Outcome{&Failure{Code: codeArguments, Message: text.Text}}
		}
		return res, err
	}
}

// agent returns what the client of a request calls itself.
func (c call) agent() string {
	meta, _ := c.req.Params.GetMeta()[sdk.MetaKeyClientInfo].(map[string]any)
	if name, _ := meta["name"].(string); name != "" {
		return "agent " + clip(name, maxName)
	}
	p := c.req.Session.InitializeParams()
	if p != nil && p.ClientInfo != nil && p.ClientInfo.Name != "" {
		return "agent " + clip(p.ClientInfo.Name, maxName)
	}
	return "agent"
}

// maxName is how many bytes of a name are shown.
const maxName = 200

// canElicit reports whether the client of a request can ask its user. A modern one says so in each
// request.
func (c call) canElicit() bool {
	if meta, ok := c.req.Params.GetMeta()[sdk.MetaKeyClientCapabilities]; ok {
		var capabilities sdk.ClientCapabilities
		raw, err := json.Marshal(meta)
		return err == nil && json.Unmarshal(raw, &capabilities) == nil &&
			capabilities.Elicitation != nil
	}
	p := c.req.Session.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.Elicitation != nil
}

// progress tells the client how far a tool has come, if it wants to know.
func (c call) progress(ctx context.Context, done, total float64, message string) {
	token := c.req.Params.GetProgressToken()
	if token == nil {
		return
	}
	// The error is that the client has left, which ends the request.
	_ = c.req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
		ProgressToken: token, Progress: done, Total: total, Message: message,
	})
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
