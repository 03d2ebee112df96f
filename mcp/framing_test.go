package mcp

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// Report 1 (go-sdk#1209): a line that was no JSON ended the session without a word.
func TestRule1Report1GarbageCostsOneErrorAndNotTheSession(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.result("1", "ping", "")
		c.Send("garbage")
		c.expectError(c.answer(""), -32700)
		c.result("2", "ping", "")
	})
}

// Report 8 (python-sdk#2433): lines of the answer ended in CR LF.
func TestRule2Report8LineEnds(t *testing.T) {
	near, far := hosttest.Streams()
	s, err := newHost().Attach(far, host.PeerInfo{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { near.Close(); <-s.Done() }()
	go io.WriteString(near, "\r\n\n"+line("2", "ping", "")+"\r\n"+line("3", "ping", "")+"\n")
	r := bufio.NewReader(near)
	for _, id := range []string{"2", "3"} {
		got, err := r.ReadString('\n')
		if want := `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` + "\n"; got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

// Report 6 (mcp-go#588): a scanner had no room for more than 64 KiB.
func TestRule3Report6LongLines(t *testing.T) {
	for _, size := range []int{70 << 10, 1 << 20, 5 << 20} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			eachFraming(t, func(t *testing.T, c *client) {
				c.initialize(latest)
				long := strings.Repeat("x", size)
				if got := c.call("1", "echo", `{"text":"`+long+`"}`); got != long {
					t.Errorf("%d characters came back", len(got))
				}
			})
		})
	}
}

func TestRule3OverlongLineIsSkipped(t *testing.T) {
	h := newHost()
	h.Limits.Frame = 1000
	c := connect(t, h, framing.Newline)
	c.initialize(latest)
	c.Send(line("1", "tools/call", toolParams("echo", `{"text":"`+strings.Repeat("x", 2000)+`"}`)))
	m := c.answer("")
	c.expectError(m, -32700)
	c.silent()
}

func TestRule4HeaderOnANewlineEndpoint(t *testing.T) {
	h := newHost()
	h.Framing = framing.Newline
	c := connect(t, h, framing.Newline)
	go c.SendRaw("Content-Length: 40\r\n\r\n" + line("2", "ping", "") + "\n")
	m := c.answer("")
	c.expectError(m, -32700)
	if !strings.Contains(m.Error.Message, "Content-Length") {
		t.Errorf("the framing is not named: %s", m)
	}
	c.answer("2")
	c.silent()
}

func TestRule6IDsThatAreNone(t *testing.T) {
	for name, test := range map[string]struct{ id, echoed string }{
		"null":       {"null", ""},
		"boolean":    {"true", ""},
		"object":     {`{}`, ""},
		"fractional": {"1.5", "1.5"},
		"exponent":   {"1e2", "1e2"},
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newHost(), framing.Newline)
			c.initialize(latest)
			c.Send(line(test.id, "tools/list", ""))
			raw := c.Receive()
			want := `{"jsonrpc":"2.0","id":` + test.echoed + `,"error":{"code":-32600,`
			if test.echoed == "" {
				want = `{"jsonrpc":"2.0","error":{"code":-32600,`
			}
			if !strings.HasPrefix(string(raw), want) {
				t.Errorf("got %s", raw)
			}
			c.silent()
		})
	}
}

// Go-sdk keeps ids as int64 of float64, so 2^53+1 came back as 2^53. Reports 12 (python-sdk#961,
// #1720): some servers answered "7" to 7.
func TestRule6Report12IDsComeBackAsTheyWere(t *testing.T) {
	ids := []string{
		"42", `"42"`, `""`, "0", "-1", `"req-abc"`, "9007199254740993", "-9007199254740993",
		"123456789012345678901234567890", `"\u00e9"`, `"é"`,
	}
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		for _, id := range ids {
			c.Send(line(id, "tools/call", toolParams("echo", `{"text":"x"}`)))
			raw := c.Receive()
			if !strings.HasPrefix(string(raw), `{"jsonrpc":"2.0","id":`+id+`,"result":`) {
				t.Errorf("%s was answered %s", id, raw)
			}
		}
	})
}

// Report 13 (typescript-sdk#2433, python-sdk#3060, claude-ai-mcp#539): answers and cancellations
// went to the wrong one of two requests; go-sdk did not answer the second at all.
func TestRule7Report13DuplicateID(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("progress", `{"times":0}`))
		c.answer("1")
		c.request("1", "tools/call",
			`{"name":"sleep","arguments":{"ms":300},"_meta":{"progressToken":1}}`)
		c.refused(-32600, "1", "tools/call", toolParams("add", `{"a":1,"b":2}`))
		if got := toolText(t, c.answer("1").Result); got != "slept" {
			t.Errorf("the first got %q", got)
		}
		if got := c.call("1", "add", `{"a":1,"b":2}`); got != `{"total":3}` {
			t.Errorf("the id used again got %q", got)
		}
	})
}

func TestRule7DuplicateLeavesProgressAndCancellationToTheFirst(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	c.request("1", "tools/call",
		`{"name":"elicit","arguments":{},"_meta":{"progressToken":"p"}}`)
	ask := c.receive()
	c.refused(-32600, "1", "tools/call", toolParams("add", `{"a":1,"b":2}`))
	c.notify("notifications/cancelled", `{"requestId":1}`)
	if m := c.receive(); m.Method != "notifications/cancelled" ||
		!strings.Contains(string(m.Params), `"requestId":`+string(ask.ID)) {
		t.Errorf("received %s", m)
	}
	c.silent()
}

func TestRule8Batch(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize("2025-03-26")
		c.Send("[" + line("2", "ping", "") + "," + line("", "x/unknown", "") + "," +
			line("3", "tools/call",
				`{"name":"progress","arguments":{"times":1},"_meta":{"progressToken":0}}`) + "]")
		c.Expect(
			`{"jsonrpc":"2.0","method":"notifications/progress",`+
				`"params":{"progress":1,"progressToken":0}}`,
			`[{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":3,`+
				`"result":{"content":[{"type":"text","text":"done"}]}}]`)
		c.Send("[" + line("", "notifications/unknown", "") + "]")
		c.silent()
		c.Send("[]")
		c.expectError(c.answer(""), -32600)
		c.silent()
	})
}

func TestRule8BatchWhereThereAreNone(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-06-18", "2025-11-25", modernEra} {
		t.Run(version, func(t *testing.T) {
			c := connect(t, newHost(), framing.Newline)
			params := modernly("")
			if version != modernEra {
				c.initialize(version)
				params = ""
			}
			c.Send("[" + line("2", "tools/list", params) + "]")
			c.expectError(c.answer(""), -32600)
			c.silent()
		})
	}
}

// Report 10 (python-sdk#2546): a client with headers just timed out. Where nobody chose a framing,
// that of the client is used.
func TestReport10FramingIsDetected(t *testing.T) {
	c := connect(t, newHost(), framing.ContentLength)
	c.initialize(latest)
	c.silent()
}
