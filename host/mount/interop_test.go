//go:build unix

package mount_test

import (
	"context"
	"encoding/json"
	"net"
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
	return hosttest.Start(t, &host.Host{Mounts: []host.MethodSet{set}}, framing.ContentLength)
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

func TestInteropMCPEverything(t *testing.T) {
	server := installed(t, "node_modules/.bin/mcp-server-everything")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	use := func(transport sdk.Transport) string {
		t.Helper()
		w := &witness{logged: make(chan any, 100)}
		client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, w.options())
		session, err := client.Connect(ctx, transport, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		tools, err := session.ListTools(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		echo, err := session.CallTool(ctx, &sdk.CallToolParams{
			Name: "echo", Arguments: map[string]any{"message": "wörld"},
		})
		if err != nil {
			t.Fatal(err)
		}
		resources, err := session.ListResources(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal([]any{tools, echo, resources})
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	want := use(&sdk.CommandTransport{Command: exec.Command(server, "stdio")})
	set := parse("mcp=exec:" + server + " stdio")
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
	got := use(&sdk.IOTransport{Reader: near, Writer: near})
	if got != want || !strings.Contains(got, "wörld") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
