package mcp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
	"triplex/host"
)

const (
	listenToTools      = `{"notifications":{"toolsListChanged":true}}`
	listenToEverything = `{"notifications":{"toolsListChanged":true,"promptsListChanged":true,` +
		`"resourceSubscriptions":["file:///readme"]}}`
)

// listen begins to listen, and expects the acknowledgement.
func (c *client) listen(id, params string) {
	c.t.Helper()
	c.request(id, "subscriptions/listen", modernly(params))
	c.expectTagged("notifications/subscriptions/acknowledged", id)
}

// expectTagged receives a notification for the subscription with an id.
func (c *client) expectTagged(method, id string) {
	c.t.Helper()
	m := c.receive()
	tag, _ := host.Member(m.Params, "_meta", sdk.MetaKeySubscriptionID)
	if m.Method != method || string(tag) != id {
		c.t.Fatalf("received %s, expected %s for %s", m, method, id)
	}
}

// Go-sdk has one subscription for each client, so of two concurrent ones the first heard nothing
// more; and it tagged what it sent with its own idea of the id.
func TestRule32ConcurrentSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		c := connect(t, hostOf(server, nil), framing.Newline)
		c.listen(`"one"`, listenToTools)
		c.listen("9007199254740993", listenToEverything)
		server.RemoveTools("fail")
		for range 2 {
			m := c.receive()
			if m.Method != "notifications/tools/list_changed" {
				t.Errorf("received %s", m)
			}
		}
		server.RemovePrompts("empty")
		c.expectTagged("notifications/prompts/list_changed", "9007199254740993")
		go func() {
			p := &sdk.ResourceUpdatedNotificationParams{URI: "file:///readme"}
			if err := server.ResourceUpdated(t.Context(), p); err != nil {
				t.Error(err)
			}
		}()
		c.expectTagged("notifications/resources/updated", "9007199254740993")
		c.notify("notifications/cancelled", `{"requestId":9007199254740993}`)
		synctest.Wait()
		server.RemoveTools("sleep")
		c.expectTagged("notifications/tools/list_changed", `"one"`)
		c.silent()
	})
}

// A listening client used to hold up the end of its session for the whole drain timeout.
func TestRule32SubscriptionEndsWithTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newHost(), framing.Newline)
		began := time.Now()
		c.request("1", "subscriptions/listen", modernly(listenToTools))
		c.CloseWrite()
		c.expectTagged("notifications/subscriptions/acknowledged", "1")
		m := c.answer("1")
		if tag, _ := host.Member(m.Result, "_meta", sdk.MetaKeySubscriptionID); string(tag) != "1" {
			t.Errorf("received %s", m)
		}
		c.ExpectEnd()
		if took := time.Since(began); took > 0 {
			t.Errorf("the end took %s", took)
		}
	})
}

func TestRule32SubscriptionsThatAreNone(t *testing.T) {
	c := connect(t, newHost(), framing.Newline)
	c.refused(-32602, "1", "subscriptions/listen", modernly("{}"))
	c.request("2", "subscriptions/listen", modernly(`{"notifications":{}}`))
	c.expectTagged("notifications/subscriptions/acknowledged", "2")
	c.answer("2") // there is nothing to wait for
	c.silent()
}

// A request to listen that did not name its version was acknowledged under an id that the client
// did not know, and never answered.
func TestRule32OnlyModernClientsListen(t *testing.T) {
	eachFraming(t, func(t *testing.T, c *client) {
		c.refused(-32602, "1", "subscriptions/listen", listenToTools)
		c.initialize(latest)
		c.refused(-32602, "2", "subscriptions/listen", listenToTools)
		old := strings.Replace(modernly(listenToTools), modernEra, "1900-01-01", 1)
		c.refused(-32022, "3", "subscriptions/listen", old)
		c.silent()
	})
}

func TestModernClientHearsNothingItDoesNotListenTo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		c := connect(t, hostOf(server, nil), framing.Newline)
		// The server does not know yet in which era a client speaks that has said nothing of use.
		c.refused(-32602, "1", "tools/list",
			`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`)
		server.RemoveTools("fail")
		time.Sleep(time.Second)
		synctest.Wait()
		c.silent()
	})
}
