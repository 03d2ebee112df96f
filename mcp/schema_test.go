package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const schemas = "../../shared/schemas/"

// definitions are what a schema calls the results of a method.
var definitions = map[string]string{
	"initialize": "InitializeResult", "ping": "EmptyResult", "server/discover": "DiscoverResult",
	"tools/list": "ListToolsResult", "tools/call": "CallToolResult",
	"resources/list": "ListResourcesResult", "resources/read": "ReadResourceResult",
	"resources/templates/list": "ListResourceTemplatesResult",
	"resources/subscribe":      "EmptyResult", "resources/unsubscribe": "EmptyResult",
	"prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult",
	"completion/complete": "CompleteResult", "logging/setLevel": "EmptyResult",
	"subscriptions/listen": "SubscriptionsListenResult",
}

// check checks a message against the schema.
func (c *client) check(m *message, raw []byte) {
	c.t.Helper()
	sent, known := c.methods[string(m.ID)]
	method, modern := strings.CutPrefix(sent, "modern ")
	version := c.version
	switch {
	case modern:
		version = modernEra
	case version == "":
		version = latest
	case m.Error != nil && len(m.ID) == 0:
		version = latest // the first whose errors need no id
	}
	err := validate(version, envelopeOf(m, version), raw)
	if err == nil && known && m.Result != nil && method != "ping" {
		err = c.checkResult(version, method, m.Result)
	}
	if err != nil && m.Method != "" {
		err = validate(modernEra, "ServerNotification", raw) // the session may speak both
	}
	if err != nil {
		c.t.Errorf("not %s: %s\n%v", version, raw, err)
	}
}

func (c *client) checkResult(version, method string, result json.RawMessage) error {
	if bytes.Contains(result, []byte(`"resultType":"input_required"`)) {
		return validate(version, "InputRequiredResult", result)
	}
	return validate(version, definitions[method], result)
}

// envelopeOf returns the definition that a message has to follow.
func envelopeOf(m *message, version string) string {
	switch {
	case m.Method != "" && len(m.ID) > 0:
		return "ServerRequest"
	case m.Method != "":
		return "ServerNotification"
	case m.Error != nil && version >= latest:
		return "JSONRPCErrorResponse"
	case m.Error != nil:
		return "JSONRPCError"
	}
	return "JSONRPCResponse"
}

// compiled are the compiled definitions, by version and name.
var compiled sync.Map

// validate checks a value against a definition of the schema of a version. Without the schemas
// everything is valid.
func validate(version, definition string, raw []byte) error {
	name := version + "#" + definition
	schema, ok := compiled.Load(name)
	if !ok {
		path := schemas + "mcp-" + version + ".json"
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		if schema, err = compile(path, data, definition); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		compiled.Store(name, schema)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return schema.(*jsonschema.Schema).Validate(value)
}

func compile(path string, data []byte, definition string) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	place := "/$defs/"
	if bytes.Contains(data, []byte(`"definitions"`)) {
		place = "/definitions/"
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(path, doc); err != nil {
		return nil, err
	}
	return c.Compile(path + "#" + place + definition)
}
