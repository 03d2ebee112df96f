package starlark

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/pflag"
	"go.uber.org/goleak"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Whatever a client says first, it gets the face that speaks its protocol.
func TestFirstMessageChoosesTheFace(t *testing.T) {
	for _, tt := range []struct{ name, first, want string }{
		{"an editor", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` +
			`"processId":null,"rootUri":null,"capabilities":{}}}`, "starlark-lsp"},
		{"a debug client", `{"seq":1,"type":"request","command":"initialize","arguments":{` +
			`"adapterID":"starlark"}}`, "starlark-dap"},
		{"an agent", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` +
			`"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}`, "starlark-mcp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sets := New(new(Roots))
			t.Cleanup(func() { closeAll(t, sets) })
			p := hosttest.Start(t, &host.Host{Mounts: sets}, framing.ContentLength)
			p.Send(tt.first)
			p.Receive()
			if got := p.Session.Stats().Mount; got != tt.want {
				t.Errorf("it got %s, want %s", got, tt.want)
			}
		})
	}
}

func closeAll(t *testing.T, sets []host.MethodSet) {
	t.Helper()
	for _, set := range sets {
		if c, ok := set.(io.Closer); ok {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestRoots(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		args []string
		want []string // nil for an error
	}{
		{"none", nil, []string{}},
		{"two", []string{"--root", dir, "--root=" + dir + "/."}, []string{dir, dir}},
		{"missing", []string{"--root", filepath.Join(dir, "none")}, nil},
		{"no folder", []string{"--root", file}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var roots Roots
			flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
			roots.Register(flags)
			err := flags.Parse(tt.args)
			if (err == nil) != (tt.want != nil) {
				t.Fatalf("error %v", err)
			}
			if err == nil && !slices.Equal(roots, tt.want) {
				t.Errorf("roots %q, want %q", roots, tt.want)
			}
		})
	}
}
