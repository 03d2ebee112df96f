package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
)

// Report 15 (mcp-go#755, java-sdk#130, IBM/mcp-context-forge#1983): the tool ran on. Go-sdk sent an
// answer.
func TestRule19Report15Cancellation(t *testing.T) {
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan time.Duration, 1)
				server := newServer(nil)
				sdk.AddTool(server, &sdk.Tool{Name: "hang"}, func(
					ctx context.Context, _ *sdk.CallToolRequest, _ any,
				) (*sdk.CallToolResult, any, error) {
					began := time.Now()
					<-ctx.Done()
					ended <- time.Since(began)
					return nil, nil, ctx.Err()
				})
				c := connect(t, hostOf(server, nil), framing.Newline)
				c.initialize(latest)
				params := toolParams("hang", "{}")
				if era == "modern" {
					params = modernly(params)
				}
				c.request("7", "tools/call", params)
				time.Sleep(100 * time.Millisecond)
				c.notify("notifications/cancelled", `{"requestId":7,"reason":"bored"}`)
				if took := <-ended; took != 100*time.Millisecond {
					t.Errorf("the tool ran %s", took)
				}
				synctest.Wait() // until then the id is in use
				c.silent()
				if got := c.call("7", "add", `{"a":1,"b":1}`); got != `{"total":2}` {
					t.Error(got)
				}
			})
		})
	}
}

func TestRule19CancellationsThatMeanNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newHost(), framing.Newline)
		c.initialize(latest)
		c.request("5", "tools/call", toolParams("sleep", `{"ms":50}`))
		for _, params := range []string{
			`{"requestId":"5"}`, `{"requestId":6}`, `{"requestId":null}`, `{"requestId":{}}`,
			`{"requestId":5.0}`, `{}`, `[]`, "",
		} {
			c.notify("notifications/cancelled", params)
		}
		if got := toolText(t, c.answer("5").Result); got != "slept" {
			t.Error(got)
		}
	})
}

func TestRule19InitializeCannotBeCancelled(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.note("1", "initialize", "")
	c.Send(line("1", "initialize", initializeParams(latest)),
		line("", "notifications/cancelled", `{"requestId":1}`))
	c.answer("1")
	c.result("2", "tools/list", "")
}

// A cancellation and an answer that cross each other used to be two answers in some servers.
func TestRule19CancellationRacesCompletion(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	for i := range 200 {
		id := fmt.Sprint(i)
		c.note(id, "tools/call", "")
		c.Send(line(id, "tools/call", toolParams("add", `{"a":1,"b":1}`)),
			line("", "notifications/cancelled", `{"requestId":`+id+`}`))
	}
	c.request(`"end"`, "ping", "")
	seen := map[string]bool{}
	for open := true; open || len(seen) < 200; {
		m := c.receive()
		if seen[string(m.ID)] {
			t.Fatalf("a second answer: %s", m)
		}
		seen[string(m.ID)] = true
		if string(m.ID) == `"end"` {
			break
		}
	}
}

func TestCancelledBeforeItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, hostOf(newServer(nil), &Options{Concurrency: 1}), framing.Newline)
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("sleep", `{"ms":1000}`))
		synctest.Wait() // it has the one slot
		c.request("2", "tools/call", toolParams("panic", `{}`))
		synctest.Wait()
		c.notify("notifications/cancelled", `{"requestId":2}`)
		c.answer("1")
		c.silent()
	})
}

// Report 16 (claude-code#47765, after-effects-mcp#82, typescript-sdk#2580, twentyhq/twenty#24559):
// progress after the answer, with an invented token, or that goes back, makes clients hang up.
func TestRule20Report16Progress(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		for _, token := range []string{"0", "7", `"t"`, `""`, `"7"`} {
			c.request("1", "tools/call",
				`{"name":"progress","arguments":{"times":3},"_meta":{"progressToken":`+token+`}}`)
			for i := range 3 {
				m := c.receive()
				got, _ := host.Member(m.Params, "progressToken")
				value, _ := host.Member(m.Params, "progress")
				if string(got) != token || string(value) != fmt.Sprint(i+1) {
					t.Errorf("token %s: received %s", token, m)
				}
			}
			c.answer("1")
		}
		c.request("2", "tools/call", toolParams("progress", `{"times":3}`))
		c.answer("2")
		c.silent()
	})
}

func TestRule20NoProgressAfterCompletionOrCancellation(t *testing.T) {
	for name, end := range map[string]string{
		"completion":   line("", "notifications/unknown", ""),
		"cancellation": line("", "notifications/cancelled", `{"requestId":1}`),
	} {
		t.Run(name, func(t *testing.T) {
			started, late := make(chan struct{}), make(chan struct{})
			reported := make(chan error)
			server := newServer(nil)
			sdk.AddTool(server, &sdk.Tool{Name: "late"}, func(
				ctx context.Context, req *sdk.CallToolRequest, _ any,
			) (*sdk.CallToolResult, any, error) {
				go func() {
					<-late
					reported <- req.Session.NotifyProgress(context.Background(),
						&sdk.ProgressNotificationParams{
							ProgressToken: req.Params.GetProgressToken(), Progress: 1,
						})
				}()
				close(started)
				if name == "cancellation" {
					<-ctx.Done()
				}
				return text("done"), nil, nil
			})
			c := connect(t, hostOf(server, nil), framing.Newline)
			c.initialize(latest)
			c.request("1", "tools/call",
				`{"name":"late","arguments":{},"_meta":{"progressToken":1}}`)
			if name == "completion" {
				c.answer("1")
			}
			<-started
			c.Send(end)
			c.silent()
			close(late)
			if err := <-reported; err != nil {
				t.Error(err)
			}
			c.silent()
		})
	}
}

func TestRule19WeCancelWhatWeAsked(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	c.request("1", "tools/call", toolParams("elicit", "{}"))
	ask := c.receive()
	c.notify("notifications/cancelled", `{"requestId":1}`)
	cancel := c.receive()
	id, _ := host.Member(cancel.Params, "requestId")
	if cancel.Method != "notifications/cancelled" || string(id) != string(ask.ID) {
		t.Errorf("asked %s, then received %s", ask, cancel)
	}
	c.Send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{"action":"decline"}}`)
	c.silent()
}

// A client that never answers roots/list must not keep others waiting (report 18:
// agent-framework#4898, hermes-agent#17570, chrome-devtools-mcp#2476).
func TestRule30Report18ClientThatNeverAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost()
		h.Limits.CallTimeout = 3 * time.Second
		c := connect(t, h, framing.Newline)
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("roots", "{}"))
		ask := c.receive()
		began := time.Now()
		if got := c.call("2", "add", `{"a":1,"b":1}`); got != `{"total":2}` {
			t.Error(got)
		}
		if cancel := c.receive(); cancel.Method != "notifications/cancelled" {
			t.Errorf("received %s", cancel)
		}
		got := toolText(t, c.answer("1").Result)
		if !strings.HasPrefix(got, "error: ") || !strings.Contains(got, "in time") {
			t.Error(got)
		}
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("it took %s", took)
		}
		c.Send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{"roots":[]}}`)
		c.silent()
	})
}

func TestRule30Report18ToolsThatAsk(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.initialize(latest)
		for i := range 10 {
			c.request(fmt.Sprint(i), "tools/call", toolParams("elicit", "{}"))
		}
		var asked []json.RawMessage
		for range 10 {
			m := c.receive()
			if m.Method != "elicitation/create" {
				t.Fatalf("received %s", m)
			}
			asked = append(asked, m.ID)
		}
		if got := c.call(`"other"`, "add", `{"a":1,"b":1}`); got != `{"total":2}` {
			t.Error(got)
		}
		for i, id := range asked {
			answer := `"result":{"action":"accept","content":{}}`
			if i == 0 {
				answer = `"error":{"code":-1,"message":"no screen"}`
			}
			c.Send(`{"jsonrpc":"2.0","id":` + string(id) + `,` + answer + `}`)
		}
		texts := map[string]int{}
		for range 10 {
			texts[toolText(t, c.receive().Result)]++
		}
		failed := `error: calling "elicitation/create": no screen`
		if texts["accept"] != 9 || texts[failed] != 1 {
			t.Errorf("got %v", texts)
		}
	})
}

func TestRule30OnlyWhatTheClientCanDo(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.result("1", "initialize", strings.Replace(initializeParams(latest), capabilities, "{}", 1))
	if got := c.call("2", "elicit", "{}"); got != "error: client does not support elicitation" {
		t.Error(got)
	}
}

func TestServerPingsItsClient(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.initialize(latest)
	c.request("1", "tools/call", toolParams("ping", "{}"))
	ask := c.receive()
	if ask.Method != "ping" || string(ask.ID) == "0" {
		t.Errorf("received %s", ask)
	}
	c.Send(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{}}`)
	if got := toolText(t, c.answer("1").Result); got != "pong" {
		t.Error(got)
	}
}

func TestModernClientsAreAskedNothing(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	for _, tool := range []string{"ping", "elicit", "roots"} {
		got := toolText(t, c.result("1", "tools/call", modernly(toolParams(tool, "{}"))))
		if !strings.HasPrefix(got, "error: ") {
			t.Errorf("%s: %s", tool, got)
		}
	}
}
