package mcpface

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	schemas       = "../../../../../../shared/schemas"
	modernVersion = "2026-07-28"
	legacyVersion = "2025-11-25"
)

// A wire keeps what goes over a connection, and holds what the server said against the schema of
// the protocol.
type wire struct {
	testing.TB
	mu       sync.Mutex // guards the fields below
	sent     bytes.Buffer
	received bytes.Buffer
}

func newWire(t testing.TB) *wire { return &wire{TB: t} }

type closer struct {
	io.Reader
	io.Writer
	io.Closer
}

func (w *wire) reader(r io.ReadCloser) io.ReadCloser {
	return closer{Reader: io.TeeReader(r, lockedWriter{w, &w.received}), Closer: r}
}

func (w *wire) writer(to io.WriteCloser) io.WriteCloser {
	return closer{Writer: io.MultiWriter(lockedWriter{w, &w.sent}, to), Closer: to}
}

type lockedWriter struct {
	wire *wire
	to   *bytes.Buffer
}

func (l lockedWriter) Write(p []byte) (int, error) {
	l.wire.mu.Lock()
	defer l.wire.mu.Unlock()
	return l.to.Write(p)
}

type envelope struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Meta map[string]any `json:"_meta"`
	}
	Result json.RawMessage
	Error  json.RawMessage
}

// definitions are what the schemas call the results of methods.
var definitions = map[string]string{
	"initialize": "InitializeResult", "server/discover": "DiscoverResult",
	"tools/list": "ListToolsResult", "tools/call": "CallToolResult",
	"resources/list": "ListResourcesResult", "resources/read": "ReadResourceResult",
	"resources/templates/list": "ListResourceTemplatesResult",
	"prompts/list":             "ListPromptsResult", "prompts/get": "GetPromptResult",
	"completion/complete": "CompleteResult",
}

// check validates every message of the server.
func (w *wire) check() {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	asked := map[string]envelope{}
	for _, m := range lines(w.TB, w.sent.Bytes()) {
		if m.Method != "" && m.ID != nil {
			asked[string(m.ID)] = m
		}
	}
	raw := bytes.Split(bytes.TrimSpace(w.received.Bytes()), []byte("\n"))
	for i, m := range lines(w.TB, w.received.Bytes()) {
		request := asked[string(m.ID)]
		version := legacyVersion
		if request.Params.Meta["io.modelcontextprotocol/protocolVersion"] != nil {
			version = modernVersion
		}
		var err error
		switch {
		case m.Method != "" && m.ID != nil:
			err = validate(legacyVersion, "ServerRequest", raw[i])
		case m.Method != "":
			if err = validate(legacyVersion, "ServerNotification", raw[i]); err != nil {
				err = validate(modernVersion, "ServerNotification", raw[i])
			}
		case m.Error != nil:
			err = validate(version, "JSONRPCErrorResponse", raw[i])
		case strings.Contains(string(m.Result), `"resultType":"input_required"`):
			err = validate(version, "InputRequiredResult", m.Result)
		case definitions[request.Method] != "":
			err = validate(version, definitions[request.Method], m.Result)
		}
		if err != nil {
			w.Errorf("the answer to %s is not %s: %.2000s\n%v", request.Method, version, raw[i], err)
		}
	}
}

func lines(t testing.TB, content []byte) []envelope {
	t.Helper()
	var list []envelope
	for _, line := range bytes.Split(bytes.TrimSpace(content), []byte("\n")) {
		var m envelope
		if err := json.Unmarshal(line, &m); err != nil {
			t.Errorf("%.200s: %v", line, err)
		}
		list = append(list, m)
	}
	return list
}

// compiled are the compiled definitions, by version and name.
var compiled sync.Map

// validate checks a value against a definition of a schema. Without the schemas all is valid.
func validate(version, definition string, raw []byte) error {
	path := filepath.Join(schemas, "mcp-"+version+".json")
	key := path + "#/$defs/" + definition
	schema, ok := compiled.Load(key)
	if !ok {
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		if schema, err = compile(path, key, data); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		compiled.Store(key, schema)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return schema.(*jsonschema.Schema).Validate(value)
}

func compile(path, key string, data []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(path, doc); err != nil {
		return nil, err
	}
	return c.Compile(key)
}
