package dapface

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A repro is input that broke somebody's adapter.
type repro struct {
	ID   string   `json:"id"`
	Send []string `json:"send"` // bytes as they are
}

// hears reads messages until each of want has come, and allows for no other response.
func (c *client) hears(want ...string) {
	c.t.Helper()
	for len(want) > 0 {
		m := c.next()
		i := slices.Index(want, m.Numbered())
		if i < 0 && m.Type == "response" {
			c.t.Fatalf("%s, want one of %q", m.Numbered(), want)
		}
		if i >= 0 {
			want = slices.Delete(want, i, i+1)
		}
	}
}

// caseTests say what is expected of each case of the file. What the protocol layer alone decides
// is tested there as well; here it is a whole debugger that must hold.
var caseTests = map[string]func(c *client, r repro){
	"utf8-bytes": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hears("1 initialize ok", "2 evaluate failed: notStopped", "3 threads ok")
	},
	"split-utf8": func(c *client, r repro) {
		c.ok("initialize", everything)
		c.launch(c.bench.file("main.star", "a = 1"), `"stopOnEntry":true`)
		c.event("stopped")
		for i := range len(r.Send[0]) {
			c.SendRaw(r.Send[0][i : i+1])
		}
		if m := c.next(); *m.Success || !strings.Contains(m.Message, "🍮") {
			c.t.Errorf("the answer is %v", m)
		}
	},
	"seq-zero": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hears("0 initialize ok", "event initialized")
	},
	"seq-string": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hears("1 initialize ok", "event initialized")
	},
	"arguments-null": func(c *client, r repro) {
		c.SendRaw(r.Send[0] + r.Send[1])
		c.hears("1 initialize ok", "2 threads ok")
		c.SendRaw(r.Send[2])
		c.hears("3 disconnect ok")
	},
	"arguments-array": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hears("1 initialize ok", "2 configurationDone ok")
	},
	"unknown-command": func(c *client, r repro) {
		c.SendRaw(strings.Join(r.Send, ""))
		c.hears("1 initialize ok", "2 mock/custom failed: unsupported command mock/custom",
			"3 threads ok")
	},
	"jsonrpc-on-dap-port": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hears("event output")
	},
	"huge-length": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hears("event output")
		c.ExpectEnd()
	},
	"header-variants": func(c *client, r repro) {
		c.ok("initialize", everything)
		c.SendRaw(strings.Join(r.Send, ""))
		c.hears("1 x failed: unsupported command x", "2 x failed: unsupported command x",
			"3 x failed: unsupported command x")
	},
	"terminateDebuggee-tristate": func(c *client, r repro) { // see also TestDisconnect
		for i, left := range []int{1, 0, 0} {
			c = c.bench.debug(c.bench.file("main.star", endless...), "")
			run := c.bench.runs.List()[0]
			c.SendRaw(r.Send[i])
			c.hears("9 disconnect ok")
			c.ExpectEnd()
			if got := len(c.bench.runs.List()); got != left {
				c.t.Errorf("%d programs are left, want %d", got, left)
			}
			run.Terminate()
			<-run.Done()
		}
	},
	"cancel-in-flight": func(c *client, r repro) {
		c.ok("initialize", everything)
		program := c.bench.file("main.star", "def slow():",
			"    for _ in range(1000000000): pass", "a = 1")
		c.lines(program, 3)
		c.launch(program, "")
		c.event("stopped")
		c.Seq = 40 // the case uses the numbers 4 to 6, which requests have had before
		c.SendRaw(strings.Join(r.Send, ""))
		c.hears("4 evaluate failed: cancelled", "5 cancel ok", "6 threads ok")
	},
	"disconnect-before-launch": func(c *client, r repro) {
		c.SendRaw(r.Send[0])
		c.hears("1 initialize ok", "event initialized")
		c.SendRaw(r.Send[1])
		c.hears("2 disconnect ok")
		c.ExpectEnd()
	},
	"eof-mid-body": func(c *client, r repro) { // see also TestVanished
		c.ok("initialize", everything)
		c.launch(c.bench.file("main.star", endless...), "")
		c.event("module")
		run := c.bench.runs.List()[0]
		c.SendRaw(r.Send[0])
		c.Close()
		<-c.Session.Done()
		<-run.Done()
	},
	"configdone-before-launch": func(c *client, r repro) {
		const program = "/p.star"
		c.bench.editor().Open(program, "a = 1\nb = 2\nc = 3\nd = 4\n"+
			"e = 5\nf = 6\ng = 7\n")
		c.SendRaw(strings.Join(r.Send, ""))
		c.hears("1 initialize ok", "2 setBreakpoints ok", "3 configurationDone ok", "4 launch ok",
			"event stopped")
		c.Seq = 4
		c.places("p.star:7")
	},
}

func TestCases(t *testing.T) {
	f, err := os.Open(filepath.Join(shared, "cases/dap/repro.jsonl"))
	if err != nil {
		t.Skip("the cases are not here: ", err)
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
			run(newBench(t).connect(), r)
		})
	}
}
