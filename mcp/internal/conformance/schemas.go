package main

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// A schema with the keywords of JSON Schema 2020-12 that must reach clients as they are (SEP-1613,
// SEP-2106).
const manyKeywords = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {
		"address": {
			"$anchor": "addressDef",
			"type": "object",
			"properties": {"street": {"type": "string"}, "city": {"type": "string"}}
		}
	},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// A schema with a parameter that HTTP clients repeat in a header (2026-07-28, SEP-2243).
const headerParameter = `{
	"type": "object",
	"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}
}`

// addSchemaTools adds tools whose schemas are the point.
func addSchemaTools(server *sdk.Server) {
	for name, schema := range map[string]string{
		"json_schema_2020_12_tool": manyKeywords, "test_custom_headers": headerParameter,
	} {
		server.AddTool(&sdk.Tool{
			Name: name, Description: "Takes anything.", InputSchema: json.RawMessage(schema),
		}, func(context.Context, *toolRequest) (*toolResult, error) {
			return result(text("taken")), nil
		})
	}
}
