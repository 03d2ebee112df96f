package daptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Schema is the protocol's own definition of its messages. It belongs to one goroutine. A nil
// Schema finds nothing wrong.
type Schema struct{ compiler *jsonschema.Compiler }

// resource is what the schema calls itself.
const resource = "dap.json"

// ReadSchema reads the schema from a file, such as debugAdapterProtocol.json of the protocol's own
// repository. Without the file it returns nil.
func ReadSchema(file string) (*Schema, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read the schema %s: %w", file, err)
	}
	s := &Schema{jsonschema.NewCompiler()}
	if err := s.compiler.AddResource(resource, doc); err != nil {
		return nil, fmt.Errorf("read the schema %s: %w", file, err)
	}
	return s, nil
}

// Check returns what is wrong with a message.
func (s *Schema) Check(message []byte) error {
	if s == nil {
		return nil
	}
	m := new(Message)
	if err := json.Unmarshal(message, m); err != nil {
		return err
	}
	definition, err := s.compiler.Compile(resource + "#/definitions/" + m.definition())
	if err != nil {
		return err
	}
	// A client that begins with seq 0 gets it back, which the schema does not know.
	text := strings.Replace(string(message), `"request_seq":0,`, `"request_seq":1,`, 1)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return definition.Validate(v)
}

// definition returns the name that the schema has for a message.
func (m *Message) definition() string {
	name := m.Event + "Event"
	switch {
	case m.Type == "request":
		name = m.Command + "Request"
	case m.Type == "response" && !m.OK():
		return "ErrorResponse"
	case m.Type == "response":
		name = m.Command + "Response"
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
