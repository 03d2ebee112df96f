package daptest

import (
	"encoding/json"
	"fmt"
	"testing"

	"triplex/host/hosttest"
)

// A Client is a debug client that says and hears exactly what a test wants. Its methods fail the
// test on anything else. One goroutine may send while another receives.
type Client struct {
	*hosttest.Peer
	// Seq is the number of the last request.
	Seq int

	t      testing.TB
	schema *Schema
	heard  int // the seq of the last message
}

// NewClient returns a client that speaks as the peer, which speaks Content-Length. A nil schema
// checks nothing.
func NewClient(t testing.TB, peer *hosttest.Peer, schema *Schema) *Client {
	return &Client{Peer: peer, t: t, schema: schema}
}

// Request sends a request and returns its seq. The arguments are JSON; without any they are left
// out.
func (c *Client) Request(command, arguments string) int {
	c.t.Helper()
	c.Send(c.Text(command, arguments))
	return c.Seq
}

// Text returns the next request as text, for a test that sends several of them at once.
func (c *Client) Text(command, arguments string) string {
	c.Seq++
	if arguments != "" {
		arguments = `,"arguments":` + arguments
	}
	return fmt.Sprintf(`{"seq":%d,"type":"request","command":%q%s}`, c.Seq, command, arguments)
}

// Next returns the next message.
func (c *Client) Next() *Message {
	c.t.Helper()
	frame := c.Receive()
	m := new(Message)
	if err := json.Unmarshal(frame, m); err != nil {
		c.t.Fatalf("%s: %v", frame, err)
	}
	if c.heard++; m.Seq != c.heard {
		c.t.Errorf("seq %d after %d", m.Seq, c.heard-1)
	}
	if err := c.schema.Check(frame); err != nil {
		c.t.Errorf("%s: %v", frame, err)
	}
	return m
}
