package dap

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"triplex/dap/daptest"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// client is the other end of a session.
type client struct {
	*daptest.Client
	t *testing.T
}

func newClient(t *testing.T, h *host.Host) *client {
	t.Helper()
	peer := hosttest.Start(t, h, framing.ContentLength)
	return &client{daptest.NewClient(t, peer, protocol()), t}
}

// protocol is the schema that messages are checked against, nil where it is not at hand.
var protocol = sync.OnceValue(func() *daptest.Schema {
	s, err := daptest.ReadSchema(schemaPath)
	if err != nil {
		panic(err)
	}
	return s
})

// connect starts a session on set that ends with the test.
func connect(t *testing.T, set host.MethodSet) *client {
	t.Helper()
	return newClient(t, &host.Host{
		Mounts: []host.MethodSet{set},
		Logger: slog.New(slog.NewTextHandler(testWriter{t}, nil)),
	})
}

// testWriter logs to the test.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// hear reads messages and compares them in short. It returns the last of them.
func (c *client) hear(want ...string) (last *daptest.Message) {
	c.t.Helper()
	for _, w := range want {
		last = c.Next()
		if got := last.Numbered(); got != w {
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
		got = append(got, c.Next().Numbered())
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
	seq := c.Request("initialize", arguments)
	c.hear(fmt.Sprintf("%d initialize ok", seq), "event initialized")
}
