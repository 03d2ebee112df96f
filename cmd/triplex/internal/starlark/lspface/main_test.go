package lspface

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/goleak"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
	"triplex/lsp"
)

func TestMain(m *testing.M) {
	hosttest.ServeChild(func() *host.Host {
		return serving(Config{Programs: new(runs.Registry)})
	})
	goleak.VerifyTestMain(m)
}

// newHost returns a host that serves the language server.
func newHost(t testing.TB) *host.Host { return newHostWith(t, Config{}) }

func newHostWith(t testing.TB, cfg Config) *host.Host {
	cfg.Programs = new(runs.Registry)
	t.Cleanup(cfg.Programs.Close)
	return serving(cfg)
}

// serving returns a host with a workspace of its own.
func serving(cfg Config) *host.Host {
	cfg.Workspace = workspace.New()
	return &host.Host{Mounts: []host.MethodSet{New(cfg)}}
}

// A client is an editor at the other end of a session. It takes the messages one by one: what it
// did not wait for is kept.
type client struct {
	*hosttest.Peer
	t       testing.TB
	lastID  int
	pending []message
	// answers are what the client answers to requests of the server, by method; null to others.
	answers map[string]string
}

// message is what a client hears.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// connect starts a session of its own host.
func connect(t testing.TB, capabilities, more string) *client {
	t.Helper()
	return connectTo(t, newHost(t), capabilities, more)
}

// connectTo starts a session and initializes it; more is what follows the capabilities in the
// params, such as `,"rootUri":"file:///a"`.
func connectTo(t testing.TB, h *host.Host, capabilities, more string) *client {
	t.Helper()
	c := &client{Peer: hosttest.Start(t, h, framing.ContentLength), t: t}
	c.call("initialize", fmt.Sprintf(`{"processId":null,"capabilities":%s%s}`, capabilities, more))
	c.notify("initialized", "{}")
	return c
}

func (c *client) notify(method, params string) {
	c.t.Helper()
	c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// request sends a request and returns its id.
func (c *client) request(method, params string) string {
	c.t.Helper()
	c.lastID++
	id := fmt.Sprint(c.lastID)
	c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id
}

// answer waits for the answer to a request.
func (c *client) answer(id string) message {
	c.t.Helper()
	return c.wait(func(m message) bool { return m.Method == "" && string(m.ID) == id })
}

// call returns the result of a request, which must not fail.
func (c *client) call(method, params string) json.RawMessage {
	c.t.Helper()
	m := c.answer(c.request(method, params))
	if m.Error != nil {
		c.t.Fatalf("%s: %+v", method, *m.Error)
	}
	return m.Result
}

// fails checks that a request is answered with an error, and returns its message.
func (c *client) fails(method, params string, code int) string {
	c.t.Helper()
	m := c.answer(c.request(method, params))
	if m.Error == nil || m.Error.Code != code {
		c.t.Fatalf("%s: %s %+v, want the error %d", method, m.Result, m.Error, code)
	}
	return m.Error.Message
}

// wait returns the first message that fits, heard already or not.
func (c *client) wait(fits func(message) bool) message {
	c.t.Helper()
	for i, m := range c.pending {
		if fits(m) {
			c.pending = slices.Delete(c.pending, i, i+1)
			return m
		}
	}
	for {
		m := c.hear()
		if fits(m) {
			return m
		}
		c.pending = append(c.pending, m)
	}
}

// hear returns the next message, and answers it if it is a request.
func (c *client) hear() message {
	c.t.Helper()
	var m message
	if raw := c.Receive(); json.Unmarshal(raw, &m) != nil {
		c.t.Fatalf("not a message: %s", raw)
	}
	if m.Method != "" && m.ID != nil {
		result := c.answers[m.Method]
		if result == "" {
			result = "null"
		}
		c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
	}
	return m
}

// heard returns a message of a method.
func (c *client) heard(method string) message {
	c.t.Helper()
	return c.wait(func(m message) bool { return m.Method == method })
}

// open opens a document.
func (c *client) open(u uri.URI, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", fmt.Sprintf(
		`{"textDocument":{"uri":%q,"languageId":"starlark","version":1,"text":%s}}`, u, quote(text)))
}

// change replaces the whole text of a document.
func (c *client) change(u uri.URI, version int, text string) {
	c.t.Helper()
	c.notify("textDocument/didChange", fmt.Sprintf(
		`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":%s}]}`,
		u, version, quote(text)))
}

func (c *client) close(u uri.URI) {
	c.t.Helper()
	c.notify("textDocument/didClose", textDocumentOf(u))
}

// problems waits for the problems of a document to be published that satisfy a condition.
func (c *client) problems(u uri.URI, fits func(p published) bool) published {
	c.t.Helper()
	var p published
	c.wait(func(m message) bool {
		if m.Method != "textDocument/publishDiagnostics" {
			return false
		}
		p = decode[published](c.t, m.Params)
		return p.URI == string(u) && fits(p)
	})
	return p
}

// published is what a client is told of a document.
type published struct {
	URI         string // as it is spelled, which decoding a uri.URI would change
	Version     int
	Diagnostics []diagnostic
}

type diagnostic struct {
	Range    protocol.Range
	Severity int
	Code     string
	Source   string
	Message  string
	Tags     []int

	RelatedInformation []struct {
		Location protocol.Location
		Message  string
	}
}

func (p published) codes() string {
	var codes []string
	for _, d := range p.Diagnostics {
		codes = append(codes, d.Code)
	}
	return strings.Join(codes, " ")
}

func anything(published) bool { return true }

func quote(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func decode[T any](t testing.TB, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

func textDocumentOf(u uri.URI) string { return fmt.Sprintf(`{"textDocument":{"uri":%q}}`, u) }

// position returns params that name a place.
func position(u uri.URI, line, character int) string {
	return fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":%d,"character":%d}}`,
		u, line, character)
}

// tree writes files to a new folder and returns its path without symbolic links.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func fileURI(t testing.TB, elem ...string) uri.URI {
	t.Helper()
	u, err := lsp.FileURI(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// folder returns the params of initialize that open a workspace folder.
func folder(t testing.TB, dir string) string {
	return fmt.Sprintf(`,"workspaceFolders":[{"uri":%q,"name":"test"}]`, fileURI(t, dir))
}

// show returns a range as LINE:CHARACTER-LINE:CHARACTER.
func show(r protocol.Range) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
}

func move(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
