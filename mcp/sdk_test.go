package mcp

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// eras are the newest versions of both eras.
var eras = []string{latest, modernEra}

// exercise has a client of the SDK use the fixture.
func exercise(t *testing.T, transport sdk.Transport, era string) {
	t.Helper()
	progress := make(chan float64, 10)
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
		ProgressNotificationHandler: func(
			_ context.Context, req *sdk.ProgressNotificationClientRequest,
		) {
			progress <- req.Params.Progress
		},
	})
	session, err := client.Connect(t.Context(), transport,
		&sdk.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for tool, want := range map[string]string{"add": `{"total":3}`, "confirm": "confirmed state"} {
		res, err := session.CallTool(t.Context(), &sdk.CallToolParams{
			Name: tool, Arguments: map[string]any{"add": sum{1, 2}}[tool],
		})
		if err != nil || res.Content[0].(*sdk.TextContent).Text != want {
			t.Errorf("%s: %v, %v", tool, res, err)
		}
	}
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "panic"}); err == nil {
		t.Error("a panic was no error")
	}
	call := &sdk.CallToolParams{Name: "progress", Arguments: map[string]any{"times": 2}}
	call.SetProgressToken("token")
	if _, err := session.CallTool(t.Context(), call); err != nil {
		t.Error(err)
	}
	for want := range 2 {
		if got := <-progress; got != float64(want+1) {
			t.Errorf("progress %v", got)
		}
	}
	prompt := &sdk.GetPromptParams{Name: "explain", Arguments: map[string]string{"what": "it"}}
	if _, err := session.GetPrompt(t.Context(), prompt); err != nil {
		t.Error(err)
	}
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{
		URI: "file:///readme",
	}); err != nil {
		t.Error(err)
	}
}

// framed is a transport of the SDK in any framing of ours.
type framed struct {
	conn    net.Conn
	in      *framing.Reader
	framing framing.Framing
	mu      sync.Mutex // for writing
}

func dialFramed(t *testing.T, address string, f framing.Framing) *framed {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return &framed{conn: conn, framing: f, in: framing.NewReader(conn, f, framing.Limits{})}
}

func (f *framed) Connect(context.Context) (sdk.Connection, error) { return f, nil }
func (f *framed) SessionID() string                               { return "" }
func (f *framed) Close() error                                    { return f.conn.Close() }

func (f *framed) Read(context.Context) (jsonrpc.Message, error) {
	frame, err := f.in.Next()
	if err != nil {
		return nil, err
	}
	return jsonrpc.DecodeMessage(frame)
}

func (f *framed) Write(_ context.Context, m jsonrpc.Message) error {
	body, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err = f.conn.Write(f.framing.Append(nil, body))
	return err
}

func TestClientOfTheSDKOverTCP(t *testing.T) {
	for _, f := range []framing.Framing{framing.Newline, framing.ContentLength} {
		for _, era := range eras {
			t.Run(f.String()+" "+era, func(t *testing.T) {
				h, address := listening(t)
				exercise(t, dialFramed(t, address, f), era)
				if err := h.Shutdown(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// listening returns a host that serves the fixture over TCP until the test ends, and its address.
func listening(t *testing.T) (*host.Host, string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHost()
	served := make(chan struct{})
	go func() {
		h.Serve(ln)
		close(served)
	}()
	t.Cleanup(func() { h.Close(); <-served })
	return h, ln.Addr().String()
}

func TestClientOfTheSDKOverStdio(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			exercise(t, &sdk.CommandTransport{Command: child(t, mountedServer)}, era)
		})
	}
}

func TestClientOfTheSDKInMemory(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			near, far := hosttest.Streams()
			s, err := newHost().Attach(far, host.PeerInfo{})
			if err != nil {
				t.Fatal(err)
			}
			exercise(t, &sdk.IOTransport{Reader: near, Writer: near}, era)
			<-s.Done()
		})
	}
}
