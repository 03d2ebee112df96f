package dap

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is a message from the adapter.
type message struct {
	Seq        int             `json:"seq"`
	Type       string          `json:"type"`
	Command    string          `json:"command"`
	Event      string          `json:"event"`
	RequestSeq *int            `json:"request_seq"`
	Success    *bool           `json:"success"`
	Message    string          `json:"message"`
	Arguments  json.RawMessage `json:"arguments"`
	Body       json.RawMessage `json:"body"`
}

// String returns a message in short: what the tests compare.
func (m *message) String() string {
	switch m.Type {
	case "request":
		return "request " + m.Command
	case "event":
		return "event " + m.Event
	}
	outcome := "ok"
	if !*m.Success {
		outcome = "failed: " + m.Message
	}
	return fmt.Sprintf("%d %s %s", *m.RequestSeq, m.Command, outcome)
}

// client is the other end of a session. It checks every message it gets: its seq, and against the
// schema, where that is at hand.
type client struct {
	*hosttest.Peer
	t    *testing.T
	seq  int // sent
	last int // received
}

// connect starts a session on set that ends with the test.
func connect(t *testing.T, set host.MethodSet) *client {
	t.Helper()
	h := &host.Host{
		Mounts: []host.MethodSet{set},
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	}
	return &client{Peer: hosttest.Start(t, h, framing.ContentLength), t: t}
}

// testWriter logs to the test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// request sends a request and returns its seq. arguments is JSON, or empty.
func (c *client) request(command, arguments string) int {
	c.t.Helper()
	c.Send(c.text(command, arguments))
	return c.seq
}

func (c *client) text(command, arguments string) string {
	c.seq++
	if arguments != "" {
		arguments = `,"arguments":` + arguments
	}
	return fmt.Sprintf(`{"seq":%d,"type":"request","command":%q%s}`, c.seq, command, arguments)
}

// next returns the next message.
func (c *client) next() *message {
	c.t.Helper()
	frame := c.Receive()
	m := new(message)
	if err := json.Unmarshal(frame, m); err != nil {
		c.t.Fatalf("%s: %v", frame, err)
	}
	c.last++
	if m.Seq != c.last {
		c.t.Errorf("seq %d after %d", m.Seq, c.last-1)
	}
	validate(c.t, frame, m)
	return m
}

// hear reads messages and compares them in short. It returns the last of them.
func (c *client) hear(want ...string) (last *message) {
	c.t.Helper()
	for _, w := range want {
		last = c.next()
		if got := last.String(); got != w {
			c.t.Fatalf("got %q, want %q\nbody: %s", got, w, last.Body)
		}
	}
	return last
}

// hearAll reads messages and compares them in short, in any order.
func (c *client) hearAll(want ...string) {
	c.t.Helper()
	var got []string
	for range want {
		got = append(got, c.next().String())
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		c.t.Fatalf("\n got %q\nwant %q", got, want)
	}
}

// end checks that the session ends with no more to say.
func (c *client) end() {
	c.t.Helper()
	c.ExpectEnd()
	c.Close()
	<-c.Session.Done()
}

// start initializes the session.
func (c *client) start(arguments string) {
	c.t.Helper()
	seq := c.request("initialize", arguments)
	c.hear(fmt.Sprintf("%d initialize ok", seq), "event initialized")
}

// compiler compiles the definitions of the schema that messages are checked against.
var compiler = sync.OnceValue(func() *jsonschema.Compiler {
	f, err := os.Open(schemaPath)
	if err != nil {
		return nil
	}
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("dap.json", doc); err != nil {
		panic(err)
	}
	return c
})

// validate checks a message against its definition. Without the schema it does nothing.
func validate(t *testing.T, frame []byte, m *message) {
	t.Helper()
	c := compiler()
	if c == nil {
		return
	}
	name := m.Event + "Event"
	switch {
	case m.Type == "request":
		name = m.Command + "Request"
	case m.Type == "response" && !*m.Success:
		name = "ErrorResponse"
	case m.Type == "response":
		name = m.Command + "Response"
	}
	definition := strings.ToUpper(name[:1]) + name[1:]
	s, err := c.Compile("dap.json#/definitions/" + definition)
	if err != nil {
		t.Errorf("%s: %v", frame, err)
		return
	}
	// A client that begins with seq 0 gets it back, against the schema.
	text := strings.Replace(string(frame), `"request_seq":0,`, `"request_seq":1,`, 1)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		t.Errorf("%s: %v", frame, err)
	}
}
