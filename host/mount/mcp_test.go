//go:build unix

//lint:file-ignore SA1019 the legacy era has what the SDK calls deprecated

package mount_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
)

// serveSDK runs a server of the official SDK on stdin and stdout.
func serveSDK() int {
	server := sdk.NewServer(&sdk.Implementation{Name: "sdk", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "ask"}, askTool)
	sdk.AddTool(server, &sdk.Tool{Name: "wait"}, waitTool)
	if err := server.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		return 1
	}
	return 0
}

// sdkServer is the spec of a mount of that server.
func sdkServer() string { return "mcp=exec:" + os.Args[0] + " " + roleSDK }

type nothing struct{}

// askTool tells of its progress three times, and has the client answer for it.
func askTool(
	ctx context.Context, req *sdk.CallToolRequest, _ nothing,
) (*sdk.CallToolResult, any, error) {
	for i := range 3 {
		err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: req.Params.GetProgressToken(), Progress: float64(i + 1),
		})
		if err != nil {
			return nil, nil, err
		}
	}
	answer, err := req.Session.CreateMessage(ctx, &sdk.CreateMessageParams{MaxTokens: 10})
	if err != nil {
		return nil, nil, err
	}
	return &sdk.CallToolResult{Content: []sdk.Content{answer.Content}}, nil, nil
}

// waitTool waits until it is cancelled. It says in log messages that it has begun, and that it was
// cancelled.
func waitTool(
	ctx context.Context, req *sdk.CallToolRequest, _ nothing,
) (*sdk.CallToolResult, any, error) {
	say := func(what string) error {
		return req.Session.Log(context.WithoutCancel(ctx), &sdk.LoggingMessageParams{
			Level: "error", Data: what,
		})
	}
	began := say("waiting")
	<-ctx.Done()
	return nil, nil, errors.Join(ctx.Err(), began, say("cancelled"))
}

// connectSDK connects a client of the official SDK to a server, through a relay.
func connectSDK(
	ctx context.Context, t *testing.T, spec, version string, options *sdk.ClientOptions,
) *sdk.ClientSession {
	t.Helper()
	set := parse(spec)
	t.Cleanup(func() { set.Close() })
	near, far := net.Pipe()
	h := &host.Host{Mounts: []host.MethodSet{set}}
	s, err := h.Attach(far, host.PeerInfo{Network: "pipe"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		<-s.Done()
	})
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, options)
	session, err := client.Connect(ctx, &sdk.IOTransport{Reader: near, Writer: near},
		&sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// witness is a client that answers a server and notes what it hears.
type witness struct {
	mu       sync.Mutex // guards the field below
	progress []float64

	logged chan any // data of log messages
}

func (w *witness) options() *sdk.ClientOptions {
	return &sdk.ClientOptions{
		CreateMessageHandler: func(
			context.Context, *sdk.CreateMessageRequest,
		) (*sdk.CreateMessageResult, error) {
			return &sdk.CreateMessageResult{
				Content: &sdk.TextContent{Text: "sampled"}, Model: "m", Role: "assistant",
			}, nil
		},
		ProgressNotificationHandler: func(
			_ context.Context, n *sdk.ProgressNotificationClientRequest,
		) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.progress = append(w.progress, n.Params.Progress)
		},
		LoggingMessageHandler: func(_ context.Context, m *sdk.LoggingMessageRequest) {
			w.logged <- m.Params.Data
		},
	}
}

// hears waits for a log message.
func (w *witness) hears(ctx context.Context, t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-w.logged:
		if got != want {
			t.Errorf("the server says %v, want %s", got, want)
		}
	case <-ctx.Done():
		t.Errorf("the server does not say %s", want)
	}
}

func TestAnMCPServer(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := &witness{logged: make(chan any, 1)}
	session := connectSDK(ctx, t, sdkServer(), "2025-11-25", w.options())
	if err := session.SetLoggingLevel(ctx, &sdk.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	ask := &sdk.CallToolParams{Name: "ask"}
	ask.SetProgressToken("token")
	answer, err := session.CallTool(ctx, ask)
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := answer.Content[0].(*sdk.TextContent); !ok || text.Text != "sampled" {
		t.Errorf("got %v", answer.Content[0])
	}
	w.mu.Lock()
	if want := []float64{1, 2, 3}; !slices.Equal(w.progress, want) {
		t.Errorf("progress %v, want %v", w.progress, want)
	}
	w.mu.Unlock()

	calling, giveUp := context.WithCancel(ctx)
	given := make(chan error, 1)
	go func() {
		_, err := session.CallTool(calling, &sdk.CallToolParams{Name: "wait"})
		given <- err
	}()
	w.hears(ctx, t, "waiting")
	giveUp()
	if <-given == nil {
		t.Error("a cancelled call succeeded")
	}
	w.hears(ctx, t, "cancelled")
}

func TestAnMCPServerOfTheModernEra(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	session := connectSDK(ctx, t, sdkServer(), "2026-07-28", nil)
	tools, err := session.ListTools(ctx, nil)
	if err != nil || len(tools.Tools) != 2 {
		t.Errorf("got %v, %v", tools, err)
	}
}

// TestASubscriptionIsEndedByItsServer: the client used to wait for what its server had ended. The
// request gets no answer, and the server is not told to cancel it.
func TestASubscriptionIsEndedByItsServer(t *testing.T) {
	const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	const news = `{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}`
	client, server := dialled(t, "mcp", framing.Newline)
	client.Send(request(`"l"`, "subscriptions/listen", `{"_meta":{`+meta+`}}`),
		request(`"t"`, "tools/call", `{"_meta":{`+meta+`}}`))
	wantIn(t, string(server.Receive()), `"id":1,"method":"subscriptions/listen"`)
	wantIn(t, string(server.Receive()), `"id":2,"method":"tools/call"`)
	server.Send(
		notification("notifications/tools/list_changed", fmt.Sprintf(news, "1")),
		notification("notifications/cancelled", `{"requestId":2}`), // not for a server to cancel
		notification("notifications/cancelled", `{"requestId":1,"reason":"bye"}`),
		notification("notifications/tools/list_changed", fmt.Sprintf(news, "1")),
		result("2", `{"x":1}`))
	client.Expect(
		notification("notifications/tools/list_changed", fmt.Sprintf(news, `"l"`)),
		notification("notifications/cancelled", `{"requestId":"l","reason":"bye"}`),
		notification("notifications/tools/list_changed", fmt.Sprintf(news, "1")),
		result(`"t"`, `{"x":1}`))
	client.Send(request(`"u"`, "tools/call", `{"_meta":{`+meta+`}}`))
	wantIn(t, string(server.Receive()), `"id":3,"method":"tools/call"`)
}
