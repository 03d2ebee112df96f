package mcp_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
	"triplex/host/hosttest"
	"triplex/mcp"
)

type person struct {
	Name string `json:"name"`
}

func greet(
	_ context.Context, _ *sdk.CallToolRequest, p person,
) (*sdk.CallToolResult, any, error) {
	return &sdk.CallToolResult{
		Content: []sdk.Content{&sdk.TextContent{Text: "hello " + p.Name}},
	}, nil, nil
}

func newGreeter() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "greeter", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "greet", Description: "Greets a person."}, greet)
	return server
}

// A server of the SDK becomes a mount of a host, and is called by a client of the SDK.
func ExampleMount() {
	h := &host.Host{Mounts: []host.MethodSet{mcp.Mount(newGreeter(), nil)}}
	defer h.Close()
	near, far := hosttest.Streams()
	if _, err := h.Attach(far, host.PeerInfo{}); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
	session, err := client.Connect(ctx, &sdk.IOTransport{Reader: near, Writer: near}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	res, err := session.CallTool(ctx, &sdk.CallToolParams{
		Name: "greet", Arguments: person{"world"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Content[0].(*sdk.TextContent).Text)
	// Output: hello world
}

// The same server over HTTP: strangers are kept out.
func ExampleSet_HTTPHandler() {
	set := mcp.Mount(newGreeter(), &mcp.Options{Token: "secret"})
	server := httptest.NewServer(set.HTTPHandler(host.Limits{}))
	defer server.Close()
	resp, err := http.Get(server.URL)
	if err != nil {
		log.Fatal(err)
	}
	resp.Body.Close()
	fmt.Println(resp.Status)
	// Output: 401 Unauthorized
}
