package mcpface

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"triplex/cmd/triplex/internal/starlark/dapface"
	"triplex/cmd/triplex/internal/starlark/lspface"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A bench is a host with all faces, on a folder of files.
type bench struct {
	testing.TB
	dir       string
	workspace *workspace.Workspace
	programs  *runs.Registry
	face      *Face
	host      *host.Host
}

// newBench returns a bench whose folder has some files.
func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{TB: t, dir: dir, workspace: workspace.New(), programs: new(runs.Registry)}
	for name, content := range files {
		b.write(name, content)
	}
	b.face = New(Config{
		Workspace: b.workspace, Runs: b.programs, Roots: func() []string { return []string{dir} },
	})
	b.host = &host.Host{
		Mounts: []host.MethodSet{
			lspface.New(lspface.Config{Workspace: b.workspace, Programs: b.programs}),
			dapface.New(b.workspace, b.programs), b.face,
		},
		Logger: slog.New(slog.DiscardHandler),
	}
	t.Cleanup(func() {
		b.host.Close()
		b.programs.Close()
		b.face.Close()
	})
	return b
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) write(name, content string) {
	b.Helper()
	path := b.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) read(name string) string {
	b.Helper()
	content, err := os.ReadFile(b.path(name))
	if err != nil {
		b.Fatal(err)
	}
	return string(content)
}

// An agent is a client of the tools.
type agent struct {
	*bench
	*sdk.ClientSession
	wire *wire
}

// agent connects a client of the SDK, which speaks the modern era if it can.
func (b *bench) agent(old bool, options *sdk.ClientOptions) *agent {
	b.Helper()
	near, far := hosttest.Streams()
	session, err := b.host.Attach(far, host.PeerInfo{Network: "pipe"})
	if err != nil {
		b.Fatal(err)
	}
	a := &agent{bench: b, wire: newWire(b)}
	transport := &sdk.IOTransport{Reader: a.wire.reader(near), Writer: a.wire.writer(near)}
	version := modernVersion
	if old {
		version = legacyVersion
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, options)
	a.ClientSession, err = client.Connect(b.Context(), transport,
		&sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		a.Close()
		<-session.Done()
		a.wire.check()
	})
	return a
}

// eachEra runs a test with a client of either era.
func eachEra(t *testing.T, files map[string]string, test func(t *testing.T, a *agent)) {
	for name, old := range map[string]bool{"legacy": true, "modern": false} {
		t.Run(name, func(t *testing.T) {
			test(t, newBench(t, files).agent(old, nil))
		})
	}
}

type args map[string]any

// result calls a tool.
func (a *agent) result(tool string, in args) *sdk.CallToolResult {
	a.Helper()
	res, err := a.CallTool(a.Context(), &sdk.CallToolParams{Name: tool, Arguments: in})
	if err != nil {
		a.Fatalf("%s: %v", tool, err)
	}
	text, ok := res.Content[0].(*sdk.TextContent)
	if !ok || text.Text == "" {
		a.Errorf("%s: no text copy in %v", tool, res.Content)
	}
	return res
}

// call calls a tool that is to do its work, and decodes its output.
func invoke[Out any](a *agent, tool string, in args) Out {
	a.Helper()
	res := a.result(tool, in)
	if res.IsError {
		a.Fatalf("%s failed: %v", tool, text(res))
	}
	return decode[Out](a, res)
}

// failing calls a tool that is to fail, and returns the failure.
func (a *agent) failing(tool string, in args) *Failure {
	a.Helper()
	res := a.result(tool, in)
	out := decode[Outcome](a, res)
	if !res.IsError || out.Error == nil || out.Error.Message == "" {
		a.Fatalf("%s did not fail, or did not say why: %s", tool, text(res))
	}
	return out.Error
}

// failsWith calls a tool that is to fail with a code.
func (a *agent) failsWith(code, tool string, in args) {
	a.Helper()
	if f := a.failing(tool, in); f.Code != code {
		a.Errorf("%s failed with %+v, want %s", tool, *f, code)
	}
}

func decode[Out any](a *agent, res *sdk.CallToolResult) (out Out) {
	a.Helper()
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		a.Fatal(err)
	}
	return out
}

func text(res *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// show renders a place as base name and range.
func (p Place) show() string {
	return fmt.Sprintf("%s:%d:%d-%d:%d",
		filepath.Base(p.File), p.Line, p.Column, p.EndLine, p.EndColumn)
}
