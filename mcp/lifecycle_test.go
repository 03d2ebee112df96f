package mcp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
)

func TestRule9VersionNegotiation(t *testing.T) {
	for offered, want := range map[string]string{
		"1999-01-01": latest, "2026-07-28": latest, "2099-01-01": latest,
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18",
		latest: latest,
	} {
		t.Run(offered, func(t *testing.T) {
			c := connect(t, newHost(), framing.Newline)
			c.initialize(offered)
			if c.version != want {
				t.Errorf("got %s, want %s", c.version, want)
			}
		})
	}
}

// Go-sdk answered with an error of code 0.
func TestRule10BeforeInitialize(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.result("1", "ping", "")
		c.refused(-32600, "2", "tools/list", "")
		c.notify("notifications/initialized", "")
		c.notify("notifications/roots/list_changed", "")
		c.initialize(latest)
		c.result("3", "ping", "")
		c.result("2", "tools/list", "")
	})
}

// Go-sdk answered with an error of code 0.
func TestRule11SecondInitialize(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		c.refused(-32600, "2", "initialize", initializeParams(latest))
		c.result("3", "tools/list", "")
	})
}

func TestInitializeWithWrongParamsMayBeTriedAgain(t *testing.T) {
	for name, params := range map[string]string{
		"wrong type": `{"protocolVersion":7}`, "array": `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newHost(), framing.Newline)
			c.refused(-32602, "1", "initialize", params)
			c.refused(-32600, "2", "tools/list", "")
			c.initialize(latest)
			c.result("3", "tools/list", "")
		})
	}
}

// Python-sdk#1478: clients do not wait to send initialized, nor for the answer to initialize.
func TestRule12RequestsRightAfterInitialize(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.note("1", "initialize", "")
		c.note("2", "tools/list", "")
		c.Send(line("1", "initialize", initializeParams(latest)), line("2", "tools/list", ""))
		c.answer("1")
		c.answer("2")
	})
}

func TestRule12NothingIsSaidBeforeInitializeIsAnswered(t *testing.T) {
	l := newLifecycle()
	first := &host.Message{
		Kind: host.KindRequest, ID: json.RawMessage("1"), Method: "initialize",
		Params: json.RawMessage(initializeParams(latest)),
	}
	if v := l.Incoming(first); v.Action != host.Pass {
		t.Fatalf("initialize: %+v", v)
	}
	for method, want := range map[string]host.Action{
		"notifications/tools/list_changed": host.Hold, "roots/list": host.Hold,
		"ping": host.Pass, "notifications/message": host.Pass,
	} {
		m := &host.Message{Kind: host.KindNotification, Method: method}
		if v := l.Outgoing(m); v.Action != want {
			t.Errorf("%s: %+v", method, v)
		}
	}
	answer := &host.Message{
		Kind: host.KindResponse, ID: first.ID,
		Result: json.RawMessage(`{"protocolVersion":"2025-11-25"}`),
	}
	if v := l.Outgoing(answer); v.Action != host.Pass || !v.Release {
		t.Errorf("the answer: %+v", v)
	}
}

// HatriGt/hana-mcp-server#22, oisee/odata_mcp_go#33: an answer to a notification kills clients.
func TestRule13NotificationsAreNotAnswered(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		c.notify("notifications/initialized", "") // a second time
		c.notify("notifications/unknown", "{}")
		c.notify("tools/list", "{}")
		c.notify("unknown", "[]")
		c.silent()
		c.refused(-32600, "8", "notifications/initialized", "")
		c.refused(-32600, "9", "notifications/cancelled", `{"requestId":1}`)
		c.refused(-32601, "10", "unknown/method", "{}")
	})
}

func TestRule14ModernRequestsSayWhatTheyAre(t *testing.T) {
	const version = `"io.modelcontextprotocol/protocolVersion":`
	eachFraming(t, func(t *testing.T, c *client) {
		c.refused(-32602, "1", "tools/list", `{"_meta":{`+version+`"2026-07-28"}}`)
		c.refused(-32602, "2", "tools/list", `{"_meta":{`+version+`5}}`)
		for _, requested := range []string{"1900-01-01", "2025-11-25", "2099-01-01"} {
			m := c.refused(-32022, `"v"`, "server/discover", `{"_meta":{`+version+`"`+requested+
				`","io.modelcontextprotocol/clientCapabilities":{}}}`)
			var data sdk.UnsupportedProtocolVersionData
			if err := json.Unmarshal(m.Error.Data, &data); err != nil ||
				data.Requested != requested || !slices.Contains(data.Supported, modernEra) {
				t.Errorf("data %s, %v", m.Error.Data, err)
			}
		}
	})
}

func TestRule15RemovedMethods(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		for method, params := range map[string]string{
			"ping": "", "initialize": initializeParams(latest),
			"logging/setLevel":    `{"level":"info"}`,
			"resources/subscribe": `{"uri":"file:///readme"}`,
		} {
			c.refused(-32601, `"`+method+`"`, method, modernly(params))
		}
		c.initialize(latest) // the modern attempt did not count
	})
}

func TestRule16Discover(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		res := c.result("1", "server/discover", modernly(""))
		for _, name := range []string{
			"supportedVersions", "capabilities", "ttlMs", "cacheScope", "resultType",
		} {
			if _, ok := host.Member(res, name); !ok {
				t.Errorf("%s is missing in %s", name, res)
			}
		}
		c.refused(-32602, "2", "server/discover", "")
	})
}

// Github/copilot-cli#4525: go-sdk took the modern probe for the handshake, and refused initialize
// with an error of code 0.
func TestRule17Report20DiscoverThenInitialize(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.result("1", "server/discover", modernly(""))
		c.initialize(latest)
		c.result("2", "tools/list", "")
		c.result("3", "tools/list", modernly(""))
		if got := c.call("4", "add", `{"a":1,"b":2}`); got != `{"total":3}` {
			t.Error(got)
		}
		res := c.result("5", "tools/call", modernly(toolParams("add", `{"a":2,"b":2}`)))
		if got := toolText(t, res); got != `{"total":4}` {
			t.Error(got)
		}
	})
}

// Go-sdk#1177: the probe of a modern client must not look like a modern server's answer.
func TestRule18Report20ProbeOfALegacyServer(t *testing.T) {
	server := newServer(&sdk.ServerOptions{SupportedProtocolVersions: []string{latest}})
	c := connect(t, hostOf(server, nil), framing.Newline)
	c.refused(-32601, "1", "server/discover", modernly(""))
	c.initialize(latest)
	c.result("2", "tools/list", "")
}

func TestServerOfTheModernEraOnly(t *testing.T) {
	server := newServer(&sdk.ServerOptions{SupportedProtocolVersions: []string{modernEra}})
	c := connect(t, hostOf(server, nil), framing.Newline)
	c.result("1", "server/discover", modernly(""))
	c.result("2", "tools/list", modernly(""))
}

func TestFirstMessageFindsTheMount(t *testing.T) {
	for name, test := range map[string]struct{ method, params string }{
		"initialize": {"initialize", initializeParams(latest)},
		"discover":   {"server/discover", modernly("")},
		"modern":     {"tools/list", modernly("")},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost()
			h.Mounts = append([]host.MethodSet{echo.Set{}}, h.Mounts...)
			c := connect(t, h, framing.Newline)
			c.result("1", test.method, test.params)
			if d := c.Session.Dialect(); d != Dialect {
				t.Errorf("the session speaks %s", d.Name)
			}
		})
	}
}

// Before a session shows what it speaks, it is answered as in this protocol.
func TestUndecidedSession(t *testing.T) {
	h := newHost()
	h.Mounts = append(h.Mounts, Mount(newServer(nil), &Options{Name: "other"}))
	c := connect(t, h, framing.Newline)
	c.result("1", "ping", "")
	c.refused(-32600, "2", "tools/list", "")
	if d := c.Session.Dialect(); d != nil {
		t.Errorf("the session speaks %s", d.Name)
	}
	c.initialize(latest)
	c.result("3", "tools/list", "")
}

func TestClaims(t *testing.T) {
	for text, want := range map[string]host.Claim{
		line("1", "initialize", `{"capabilities":{}}`):         host.NoClaim,
		line("1", "initialize", initializeParams(latest)):      host.SureClaim,
		line("", "tools/list", modernly("")):                   host.NoClaim,
		line("1", "tools/list", `{"_meta":{"x":1}}`):           host.NoClaim,
		line("1", "server/discover", ""):                       host.SureClaim,
		line("1", "x", modernly("")):                           host.SureClaim,
		`{"seq":1,"type":"request","command":"initialize"}`:    host.NoClaim,
		strings.Replace(line("1", "x", "{}"), "2.0", "1.0", 1): host.NoClaim,
	} {
		var m host.Message
		host.JSONRPC{}.Decode([]byte(text), &m)
		if got := claims(&m); got != want {
			t.Errorf("%s: %d", text, got)
		}
	}
}
