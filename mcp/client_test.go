package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// client is a scripted client. It checks every message it gets against the schema of the version
// that is spoken, where that is at hand.
type client struct {
	*hosttest.Peer
	t       testing.TB
	version string            // of the legacy era, once it has been agreed on
	methods map[string]string // of the requests sent, by id
}

// message is a message from the server.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

// connect starts a session of h that ends with the test.
func connect(t testing.TB, h *host.Host, f framing.Framing) *client {
	return &client{Peer: hosttest.Start(t, h, f), t: t, methods: map[string]string{}}
}

// eachFraming runs a test over both framings.
func eachFraming(t *testing.T, test func(t *testing.T, c *client)) {
	for _, f := range []framing.Framing{framing.Newline, framing.ContentLength} {
		t.Run(f.String(), func(t *testing.T) { test(t, connect(t, newHost(), f)) })
	}
}

const latest = "2025-11-25" // of the legacy era

// capabilities are those of the client in the tests.
const capabilities = `{"elicitation":{"form":{}},"roots":{},"sampling":{}}`

func initializeParams(version string) string {
	return fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,`+
		`"clientInfo":{"name":"test","version":"1"}}`, version, capabilities)
}

// meta is what makes params those of a modern request.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`

// modernly returns params with what makes a request a modern one.
func modernly(params string) string {
	if params == "" || params == "{}" {
		return "{" + meta + "}"
	}
	return "{" + meta + "," + strings.TrimPrefix(params, "{")
}

// initialize performs the legacy handshake in the given version.
func (c *client) initialize(version string) {
	c.t.Helper()
	c.result(`"init"`, "initialize", initializeParams(version))
	c.notify("notifications/initialized", "")
}

// line returns a message; params may be empty.
func line(id, method, params string) string {
	m := `{"jsonrpc":"2.0"`
	if id != "" {
		m += `,"id":` + id
	}
	m += fmt.Sprintf(`,"method":%q`, method)
	if params != "" {
		m += `,"params":` + params
	}
	return m + "}"
}

// request sends a request.
func (c *client) request(id, method, params string) {
	c.t.Helper()
	c.note(id, method, params)
	c.Send(line(id, method, params))
}

// note remembers a request that is sent by other means.
func (c *client) note(id, method, params string) {
	if strings.Contains(params, sdk.MetaKeyProtocolVersion) {
		method = "modern " + method
	}
	c.methods[id] = method
}

func (c *client) notify(method, params string) {
	c.t.Helper()
	c.Send(line("", method, params))
}

// receive returns the next message.
func (c *client) receive() *message {
	c.t.Helper()
	raw := c.Receive()
	m := new(message)
	if err := json.Unmarshal(raw, m); err != nil {
		c.t.Fatalf("received %s: %v", raw, err)
	}
	if c.methods[string(m.ID)] == "initialize" && m.Error == nil {
		version, _ := host.Member(m.Result, "protocolVersion")
		c.version = strings.Trim(string(version), `"`)
	}
	c.check(m, raw)
	return m
}

// answer receives the answer to the request with an id.
func (c *client) answer(id string) *message {
	c.t.Helper()
	m := c.receive()
	if string(m.ID) != id || m.Method != "" {
		c.t.Fatalf("received %s instead of the answer to %s", m, id)
	}
	return m
}

// result sends a request, and returns its result.
func (c *client) result(id, method, params string) json.RawMessage {
	c.t.Helper()
	c.request(id, method, params)
	m := c.answer(id)
	if m.Error != nil {
		c.t.Fatalf("%s failed: %s", method, m)
	}
	return m.Result
}

// refused sends a request, and expects an error with a code. It returns the message.
func (c *client) refused(code int, id, method, params string) *message {
	c.t.Helper()
	c.request(id, method, params)
	m := c.answer(id)
	c.expectError(m, code)
	return m
}

func (c *client) expectError(m *message, code int) {
	c.t.Helper()
	if m.Error == nil || m.Error.Code != code {
		c.t.Fatalf("received %s, expected error %d", m, code)
	}
}

// call calls a tool, and returns the text of its result. A failure is prefixed with "error: ".
func (c *client) call(id, tool, arguments string) string {
	c.t.Helper()
	return toolText(c.t, c.result(id, "tools/call", toolParams(tool, arguments)))
}

func toolParams(tool, arguments string) string {
	return fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments)
}

func toolText(t testing.TB, result json.RawMessage) string {
	t.Helper()
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(result, &r); err != nil || len(r.Content) == 0 {
		t.Fatalf("no result of a tool: %s", result)
	}
	if r.IsError {
		return "error: " + r.Content[0].Text
	}
	return r.Content[0].Text
}

// silent expects that nothing is left to be received: a ping is answered before anything else.
func (c *client) silent() {
	c.t.Helper()
	c.result(`"silent?"`, "ping", "")
}

// String returns a message in short.
func (m *message) String() string {
	switch {
	case m.Error != nil:
		return fmt.Sprintf("%s error %d %s %s", m.ID, m.Error.Code, m.Error.Message, m.Error.Data)
	case m.Method != "":
		return fmt.Sprintf("%s %s %s", m.ID, m.Method, m.Params)
	}
	return fmt.Sprintf("%s %s", m.ID, m.Result)
}
