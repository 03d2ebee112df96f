package main

import (
	"context"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	readRequest = sdk.ReadResourceRequest
	readResult  = sdk.ReadResourceResult
)

// addResources adds the resources that are read, and the one that is watched.
func addResources(server *sdk.Server) {
	add := func(uri, mimeType, content string, blob []byte) {
		server.AddResource(
			&sdk.Resource{URI: uri, Name: uri, Description: "Never changes.", MIMEType: mimeType},
			func(context.Context, *readRequest) (*readResult, error) {
				return contents(sdk.ResourceContents{
					URI: uri, MIMEType: mimeType, Text: content, Blob: blob,
				}), nil
			})
	}
	add("test://static-text", "text/plain", "This is the content of the static text resource.", nil)
	add("test://static-binary", "image/png", "", redDot())
	add("test://watched-resource", "text/plain", "watched", nil)
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: "test://template/{id}/data", Name: "template",
		Description: "Says which id it was read with.", MIMEType: "application/json",
	}, readTemplate)
}

func contents(c sdk.ResourceContents) *readResult {
	return &readResult{Contents: []*sdk.ResourceContents{&c}}
}

func readTemplate(_ context.Context, req *readRequest) (*readResult, error) {
	uri := req.Params.URI
	id := strings.TrimSuffix(strings.TrimPrefix(uri, "test://template/"), "/data")
	data, err := json.Marshal(map[string]any{
		"id": id, "templateTest": true, "data": "Data for ID: " + id,
	})
	if err != nil {
		return nil, err
	}
	return contents(sdk.ResourceContents{
		URI: uri, MIMEType: "application/json", Text: string(data),
	}), nil
}

// Resources never change, so that there is nothing to do for who watches one.
func subscribe(context.Context, *sdk.SubscribeRequest) error     { return nil }
func unsubscribe(context.Context, *sdk.UnsubscribeRequest) error { return nil }
