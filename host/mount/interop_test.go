//go:build unix

package mount_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// The tests called Interop mount servers that others wrote, and compare what a client gets from
// them with and without the host between. .ci/interop installs them.

// installed returns the path of an installed server, or skips the test.
func installed(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("TRIPLEX_SERVERS")
	if folder == "" {
		t.Skipf("skipped: needs %s, run .ci/interop", name)
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// throughHost serves a mount to a new client.
func throughHost(t *testing.T, spec string) *hosttest.Peer {
	t.Helper()
	set := parse(spec)
	t.Cleanup(func() { set.Close() })
	h := &host.Host{
		Mounts: []host.MethodSet{set},
		Limits: host.Limits{WriteTimeout: time.Hour}, // a client of a test reads when it asks
	}
	return hosttest.Start(t, h, framing.ContentLength)
}

// without starts a server for a client of its own.
func without(t *testing.T, args ...string) *hosttest.Peer {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	return hosttest.NewPeer(t, pipes{out, in}, framing.ContentLength)
}

// compare has a client of the official SDK use an MCP server, directly and through a relay.
func compare(t *testing.T, args []string, use func(context.Context, *sdk.ClientSession) any) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
	direct := &sdk.CommandTransport{Command: exec.Command(args[0], args[1:]...)}
	session, err := client.Connect(ctx, direct, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := encode(t, use(ctx, session))
	session.Close()
	relayed := connectSDK(ctx, t, "mcp=exec:"+strings.Join(args, " "), "", nil)
	if got := encode(t, use(ctx, relayed)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	return want
}

func encode(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// callTool returns the result of a tool, or its error.
func callTool(ctx context.Context, s *sdk.ClientSession, name string, arguments any) any {
	res, err := s.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return err.Error()
	}
	return res
}

// listTools returns the tools of a server, or its error.
func listTools(ctx context.Context, s *sdk.ClientSession) any {
	tools, err := s.ListTools(ctx, nil)
	if err != nil {
		return err.Error()
	}
	return tools
}

func TestInteropMCPEverything(t *testing.T) {
	server := installed(t, "node_modules/.bin/mcp-server-everything")
	got := compare(t, []string{server, "stdio"}, func(ctx context.Context, s *sdk.ClientSession) any {
		resources, err := s.ListResources(ctx, nil)
		return []any{
			listTools(ctx, s), resources, err,
			callTool(ctx, s, "echo", map[string]any{"message": "wörld"}),
		}
	})
	wantIn(t, got, "Echo: wörld")
}

func TestInteropMCPFilesystem(t *testing.T) {
	server := installed(t, "node_modules/.bin/mcp-server-filesystem")
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("wörld"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{server, filepath.Dir(path)}
	got := compare(t, args, func(ctx context.Context, s *sdk.ClientSession) any {
		return []any{
			listTools(ctx, s), callTool(ctx, s, "read_text_file", map[string]any{"path": path}),
		}
	})
	wantIn(t, got, `"text":"wörld"`)
}

func TestInteropMCPGopls(t *testing.T) {
	compare(t, []string{installed(t, "bin/gopls"), "mcp"},
		func(ctx context.Context, s *sdk.ClientSession) any { return listTools(ctx, s) })
}
