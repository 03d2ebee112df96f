package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"triplex/host"
)

const casesPath = "../../shared/cases/dap/repro.jsonl"

// repro is input that broke somebody's adapter.
type repro struct {
	ID   string   `json:"id"`
	Send []string `json:"send"` // bytes as they are
}

// caseTests say what is expected of each case of the file.
var caseTests = map[string]func(c *client, r repro){
	"utf8-bytes": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hear("1 initialize ok")
		c.hearAll("event initialized", "2 evaluate ok", "3 threads ok")
	},
	"split-utf8": func(c *client, r repro) {
		c.start(adapterID)
		for i := range len(r.Send[0]) {
			c.SendRaw(r.Send[0][i : i+1])
		}
		if m := c.hear("1 evaluate ok"); !strings.Contains(string(m.Body), "🍮") {
			c.t.Errorf("the expression became %s", m.Body)
		}
	},
	"seq-zero": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hear("0 initialize ok", "event initialized")
	},
	"seq-string": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hear("1 initialize ok", "event initialized")
	},
	"arguments-null": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hear("1 initialize ok", "event initialized")
		c.SendRaw(r.Send[1])
		c.hear("2 threads ok")
		c.SendRaw(r.Send[2])
		c.hear("3 disconnect ok")
		c.end()
	},
	"arguments-array": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hear("1 initialize ok", "event initialized", "2 configurationDone ok")
	},
	"unknown-command": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hear("1 initialize ok")
		c.hearAll("event initialized", "2 mock/custom failed: unsupported command mock/custom",
			"3 threads ok")
	},
	"jsonrpc-on-dap-port": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		text := string(c.hear("event output").Body)
		if !strings.Contains(text, "JSON-RPC") || !strings.Contains(text, "Debug Adapter Protocol") {
			c.t.Errorf("the complaint is %s", text)
		}
	},
	"huge-length": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		if m := c.hear("event output"); !strings.Contains(string(m.Body), "999999999999") {
			c.t.Errorf("the complaint is %s", m.Body)
		}
		c.end()
	},
	"header-variants": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hear("1 x failed: x came before initialize", "2 x failed: x came before initialize",
			"3 x failed: x came before initialize")
	},
	"terminateDebuggee-tristate": func(c *client, r repro) { // see also TestDisconnect
		c.SendRaw(r.Send[0])
		c.hear("9 disconnect ok")
		c.end()
	},
	"cancel-in-flight": func(c *client, r repro) {
		c.start(adapterID)
		c.SendRaw(strings.Join(r.Send, ""))
		c.hearAll("4 evaluate failed: cancelled", "5 cancel ok", "6 threads ok")
	},
	"disconnect-before-launch": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hear("1 initialize ok", "event initialized")
		c.SendRaw(r.Send[1])
		c.hear("2 disconnect ok")
		c.end()
	},
	"eof-mid-body": func(c *client, r repro) { // see also TestClientVanishes
		c.SendRaw(r.Send[0])
		c.Close()
		<-c.Session.Done()
	},
	"configdone-before-launch": func(c *client, r repro) { // see also TestStartOrders
		c.SendRaw(strings.Join(r.Send, ""))
		c.hear("1 initialize ok", "event initialized", "2 setBreakpoints ok", "3 configurationDone ok")
		c.hearAll("4 launch ok", "event stopped")
	},
}

// TestCases runs the cases that public bug reports of debug adapters come down to.
func TestCases(t *testing.T) {
	f, err := os.Open(casesPath)
	if os.IsNotExist(err) {
		t.Skip("the cases are not here: ", casesPath)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r repro
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		t.Run(r.ID, func(t *testing.T) {
			run := caseTests[r.ID]
			if run == nil {
				t.Fatal("nothing is expected of this case")
			}
			run(connect(t, caseServer()), r)
		})
	}
}

// caseServer is an adapter whose debuggee stops at the first breakpoint as it starts, and whose
// expressions have themselves as value, unless they are slow.
func caseServer() host.MethodSet {
	server := startServer()
	Evaluate.Handle(server, func(
		ctx context.Context, _ *Session, p *EvaluateArguments,
	) (*EvaluateResponseBody, error) {
		if p.Expression == "slow()" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return &EvaluateResponseBody{Result: p.Expression}, nil
	})
	return server
}
