package mcp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
)

// Go-sdk accepted any level.
func TestRule21Logging(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		c.refused(-32602, "1", "logging/setLevel", `{"level":"loud"}`)
		c.refused(-32602, "2", "logging/setLevel", "")
		c.result("3", "logging/setLevel", `{"level":"warning"}`)
		c.request("4", "tools/call", toolParams("log", "{}"))
		m := c.receive()
		if level, _ := host.Member(m.Params, "level"); string(level) != `"warning"` {
			t.Errorf("received %s", m)
		}
		c.answer("4")
	})
}

func TestRule21LoggingOfAModernRequest(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.result("1", "tools/call", modernly(toolParams("log", "{}")))
	level := strings.Replace(modernly(toolParams("log", "{}")),
		`"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"error",`, 1)
	c.result("2", "tools/call", level)
	level = strings.Replace(level, `"error"`, `"info"`, 1)
	c.request("3", "tools/call", level)
	if m := c.receive(); m.Method != "notifications/message" {
		t.Errorf("received %s", m)
	}
	c.answer("3")
}

// Go-sdk answered -32600 for a call without params.
func TestRule22MalformedCalls(t *testing.T) {
	for name, params := range map[string]string{
		"no params": "", "array": "[]", "no name": "{}", "empty name": `{"name":""}`,
		"name is a number": `{"name":1}`, "unknown": `{"name":"unknown"}`,
		"too deep": toolParams("echo", strings.Repeat("[", 2000)+strings.Repeat("]", 2000)),
	} {
		t.Run(name, func(t *testing.T) {
			eachFraming(t, func(t *testing.T, c *client) {
				c.initialize(latest)
				c.refused(-32602, "1", "tools/call", params)
				if params != "" && params != "[]" {
					c.refused(-32602, "2", "tools/call", modernly(params))
				}
			})
		})
	}
}

func TestRule23ArgumentsAgainstTheSchema(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	if got := c.call("1", "add", `{"a":"one"}`); !strings.HasPrefix(got, "error: ") {
		t.Error(got)
	}
}

// Reports 21 (go-sdk#958, #1180): a panic in a tool ended the process. A result that cannot be
// encoded was not answered at all, and one that is nil was a panic out of everybody's reach.
func TestRule24Report21FaultyTools(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		if got := c.call("0", "fail", "{}"); got != "error: the user can mend this" {
			t.Error(got)
		}
		for _, tool := range []string{
			"panic", "vanish", "nothing", "plain", "unencodable", "unencodable meta",
		} {
			c.refused(-32603, "1", "tools/call", toolParams(tool, "{}"))
			c.refused(-32603, "2", "tools/call", modernly(toolParams(tool, "{}")))
		}
		c.silent()
	})
}

func TestRule25StructuredContent(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	res := c.result("1", "tools/call", toolParams("add", `{"a":1,"b":2}`))
	structured, _ := host.Member(res, "structuredContent")
	if string(structured) != `{"total":3}` || toolText(t, res) != `{"total":3}` {
		t.Errorf("got %s", res)
	}
}

func TestRule26Cursors(t *testing.T) {
	for _, method := range []string{
		"tools/list", "prompts/list", "resources/list", "resources/templates/list",
	} {
		t.Run(method, func(t *testing.T) {
			c := connect(t, newHost(), framing.Newline)
			c.initialize(latest)
			c.refused(-32602, "1", method, `{"cursor":"???"}`)
			first := c.result("2", method, `{"cursor":""}`)
			if again := c.result("3", method, ""); string(again) != string(first) {
				t.Errorf("the order changed: %s, %s", first, again)
			}
		})
	}
}

// Go-sdk answers -32602 in both eras.
func TestRule27ResourceThatIsNotThere(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		for _, uri := range []string{"file:///none", "file:///tpl/gone", "bad\\u0001uri"} {
			params := `{"uri":"` + uri + `"}`
			for code, params := range map[int]string{-32002: params, -32602: modernly(params)} {
				m := c.refused(code, "1", "resources/read", params)
				if data := string(m.Error.Data); data != `{"uri":"`+uri+`"}` {
					t.Errorf("data %s", data)
				}
			}
		}
		c.refused(-32602, "2", "resources/read", "{}")
		c.result("3", "resources/read", `{"uri":"file:///readme"}`)
		c.result("4", "resources/read", modernly(`{"uri":"file:///tpl/x"}`))
	})
}

func TestRule27Subscriptions(t *testing.T) {
	server := newServer(nil)
	update := func(uri string) {
		t.Helper()
		p := &sdk.ResourceUpdatedNotificationParams{URI: uri}
		if err := server.ResourceUpdated(t.Context(), p); err != nil {
			t.Error(err)
		}
	}
	c := connect(t, hostOf(server, nil), framing.Newline)
	c.initialize(latest)
	c.refused(-32602, "1", "resources/subscribe", "{}")
	c.refused(-32602, "2", "resources/unsubscribe", "{}")
	// A resource that is not there used to be -32602 here, where a read said -32002.
	c.refused(-32002, "2", "resources/subscribe", `{"uri":"file:///none"}`)
	c.result("3", "resources/subscribe", `{"uri":"file:///readme"}`)
	update("file:///other")
	go update("file:///readme")
	if m := c.receive(); m.Method != "notifications/resources/updated" {
		t.Errorf("received %s", m)
	}
	c.result("4", "resources/unsubscribe", `{"uri":"file:///readme"}`)
	update("file:///readme")
	c.silent()
	c.result("5", "resources/subscribe", `{"uri":"file:///readme"}`)
	c.CloseWrite()
	c.ExpectEnd()
	<-c.Session.Done()
	update("file:///readme")
}

func TestRule28Completion(t *testing.T) {
	const ref = `"ref":{"type":"ref/prompt","name":"explain"}`
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		c.refused(-32602, "1", "completion/complete", `{"argument":{"name":"x","value":""}}`)
		c.refused(-32602, "2", "completion/complete", `{`+ref+`,"argument":{"value":""}}`)
		for argument, want := range map[string]string{"none": "0", "many": "100"} {
			res := c.result("3", "completion/complete",
				`{`+ref+`,"argument":{"name":"`+argument+`","value":""}}`)
			values, _ := host.Member(res, "completion", "values")
			if got := fmt.Sprint(strings.Count(string(values), `"`) / 2); got != want {
				t.Errorf("%s values: %s", got, res)
			}
		}
	})
}

func TestRule28CompletionWithoutCapability(t *testing.T) {
	server := sdk.NewServer(&sdk.Implementation{Name: "bare", Version: "1"}, nil)
	c := connect(t, hostOf(server, nil), framing.Newline)
	c.initialize(latest)
	c.refused(-32601, "1", "completion/complete",
		`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x","value":""}}`)
}

// Go-sdk did not look at required arguments.
func TestRule29Prompts(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		c.refused(-32602, "1", "prompts/get", "")
		c.refused(-32602, "2", "prompts/get", `{"name":"unknown"}`)
		c.refused(-32602, "3", "prompts/get", `{"name":"explain"}`)
		c.refused(-32602, "4", "prompts/get", `{"name":"explain","arguments":{"how":"well"}}`)
		c.refused(-32602, "5", "prompts/get", modernly(`{"name":"explain"}`))
		c.result("6", "prompts/get", `{"name":"explain","arguments":{"what":"this"}}`)
		c.result("7", "prompts/get", modernly(`{"name":"explain","arguments":{"what":"this"}}`))
		c.result("8", "prompts/get", `{"name":"empty"}`)
	})
}

func TestRequiredArgumentsOfAPromptOnALaterPage(t *testing.T) {
	server := newServer(&sdk.ServerOptions{PageSize: 1})
	c := connect(t, hostOf(server, nil), framing.Newline)
	c.initialize(latest)
	c.refused(-32602, "1", "prompts/get", `{"name":"explain"}`)
	c.refused(-32602, "2", "prompts/get", `{"name":"unknown"}`)
}

func TestRule31InputInSeveralRounds(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		res := c.result("1", "tools/call", modernly(toolParams("confirm", "{}")))
		kind, _ := host.Member(res, "resultType")
		state, _ := host.Member(res, "requestState")
		if string(kind) != `"input_required"` || string(state) != `"state"` {
			t.Fatalf("got %s", res)
		}
		res = c.result("2", "tools/call", modernly(`{"name":"confirm","arguments":{},`+
			`"inputResponses":{"ok":{"action":"accept","content":{}}},"requestState":"state"}`))
		if got := toolText(t, res); got != "confirmed state" {
			t.Error(got)
		}
	})
}

// A client of the legacy era is asked on the way.
func TestRule31InputFromALegacyClient(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	c.request("1", "tools/call", toolParams("confirm", "{}"))
	ask := c.receive()
	if ask.Method != "elicitation/create" {
		t.Fatalf("received %s", ask)
	}
	c.Send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{"action":"accept","content":{}}}`)
	if got := toolText(t, c.answer("1").Result); got != "confirmed state" {
		t.Error(got)
	}
}

// The error of a client that was asked on the way was the answer to its own request, as that of
// the protocol and with the client's code.
func TestRule30ErrorOfAQuestion(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	c.request("1", "tools/call", toolParams("confirm", "{}"))
	c.Send(`{"jsonrpc":"2.0","id":` + string(c.receive().ID) +
		`,"error":{"code":-32601,"message":"no screen"}}`)
	got := toolText(t, c.answer("1").Result)
	if !strings.HasPrefix(got, "error: ") || !strings.Contains(got, "no screen") {
		t.Error(got)
	}
}

func TestConcurrencyIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, hostOf(newServer(nil), &Options{Concurrency: 2}), framing.Newline)
		c.initialize(latest)
		began := time.Now()
		for i := range 5 {
			c.request(fmt.Sprint(i), "tools/call", toolParams("sleep", `{"ms":1000}`))
		}
		synctest.Wait()
		c.silent() // ping is exempt
		for range 5 {
			c.receive()
		}
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("five calls, two at a time, took %s", took)
		}
	})
}

// Params that the server cannot read used to come back whole in its complaint.
func TestComplaintsAreShort(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	long := strings.Repeat("é", 100_000)
	m := c.refused(-32602, "1", "tools/call", `["`+long+`"]`)
	if n := len(m.Error.Message); n > maxMessage+len("…") {
		t.Errorf("%d bytes", n)
	}
}

// Every message is checked against the schema of the version, see client.receive.
func TestSchemaOfEveryVersion(t *testing.T) {
	for _, version := range sdk.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			c := connect(t, newHost(), framing.Newline)
			in := modernly
			if version < modernEra {
				c.initialize(version)
				in = func(params string) string { return params }
			}
			for method, params := range map[string]string{
				"tools/list": "{}", "prompts/list": "{}", "resources/list": "{}",
				"resources/templates/list": "{}", "resources/read": `{"uri":"file:///readme"}`,
				"tools/call":  toolParams("add", `{"a":1,"b":2}`),
				"prompts/get": `{"name":"explain","arguments":{"what":"it"}}`,
				"completion/complete": `{"ref":{"type":"ref/prompt","name":"explain"},` +
					`"argument":{"name":"what","value":""}}`,
			} {
				c.result(`"`+method+`"`, method, in(params))
			}
			c.result("1", "tools/call", in(toolParams("fail", "{}")))
			c.refused(-32602, "2", "tools/call", in(toolParams("unknown", "{}")))
		})
	}
}

// The server's list of changes is for legacy clients, and for those that listen.
func TestListChanged(t *testing.T) {
	server := newServer(nil)
	c := connect(t, hostOf(server, nil), framing.Newline)
	c.result("1", "tools/list", modernly(""))
	c.initialize(latest)
	server.RemoveTools("fail")
	if m := c.receive(); m.Method != "notifications/tools/list_changed" {
		t.Errorf("received %s", m)
	}
	c.silent()
}
