package dapface

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"triplex/dap/daptest"
)

// ruleTests hold the debugger to the rules for what an adapter says. Every message of every test
// is also checked for its seq and against the schema, see client.next.
var ruleTests = map[string]func(t *testing.T){
	"out-initialized-after-response": func(t *testing.T) {
		b := newBench(t)
		for range 200 {
			c := b.connect()
			c.Request("initialize", everything)
			c.Request("launch", "{}")
			if first := c.next(); first.String() != "initialize ok" {
				t.Fatalf("the first message is %q", first)
			}
			c.Close()
		}
	},
	"out-stopped-after-response": TestStopAfterResponse, // see also package dap
	"out-success-key":            TestNotStopped,
	"out-seq":                    TestManySessions,
	"out-no-request_seq-on-request": func(t *testing.T) {
		TestTerminalFrame(t)
		c := newBench(t).inspected()
		for _, m := range c.stash {
			if m.RequestSeq != nil || m.Success != nil {
				t.Errorf("%v has members of a response", m)
			}
		}
	},
	"out-request_seq-match": TestAttachRefused,
	"out-runinterminal-cwd": TestTerminal,
	"out-stdio-clean":       TestStdio,
	"out-output-lines":      outputLines,
	"out-init-timeout":      startTimes,
	"out-bounded-variables": TestPaging,
	"out-child-sessions":    TestManySessions,
}

// TestRules runs the rules of the file.
func TestRules(t *testing.T) {
	f, err := os.Open(filepath.Join(shared, "cases/dap/output-rules.jsonl"))
	if err != nil {
		t.Skip("the rules are not here: ", err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var rule struct{ ID string }
		if err := json.Unmarshal(lines.Bytes(), &rule); err != nil {
			t.Fatal(err)
		}
		t.Run(rule.ID, func(t *testing.T) {
			run := ruleTests[rule.ID]
			if run == nil {
				t.Fatal("nothing tests this rule")
			}
			run(t)
		})
	}
}

// outputLines prints lines of all lengths: events end where lines do, and never inside a character
// (llvm/llvm-project#105444).
func outputLines(t *testing.T) {
	b := newBench(t)
	c := b.debug(b.file("main.star", `print("a\nb", 1)`, `print("🍮" * 9999)`, "print()"), "")
	c.ends(0)
	var lines int
	for _, m := range c.stash {
		if m.Event != "output" {
			continue
		}
		text := daptest.Decode[output](t, m).Output
		if strings.Contains(strings.TrimSuffix(text, "\n"), "\n") || len(text) > 16<<10 ||
			strings.Contains(text, "\uFFFD") {
			t.Errorf("an event with %d bytes: %.20q", len(text), text)
		}
		if strings.HasSuffix(text, "\n") {
			lines++
		}
	}
	if want := "a\nb 1\n" + strings.Repeat("🍮", 9999) + "\n\n"; c.output("stdout") != want {
		t.Error("the events together are not what was printed")
	}
	if lines != 4 {
		t.Errorf("%d lines, want 4", lines)
	}
}

// startTimes answers initialize and launch while the program runs: clients warn of a launch that is
// not answered after four seconds (mfussenegger/nvim-dap#477).
func startTimes(t *testing.T) {
	b := newBench(t)
	b.debug(b.file("main.star", endless...), "")
}

// TestReports names the public reports that a debugger has to answer for, by their number in the
// project's list, and the test that does. Others of the list are tested in package dap.
func TestReports(t *testing.T) {
	for _, report := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"1 debug-adapter-protocol#119", func(t *testing.T) {
			c := newBench(t).inspected()
			if got := c.evaluate("'crème brûlée 🍮'", "hover"); got.Result != `"crème brûlée 🍮"` {
				t.Errorf("the result is %s", got.Result)
			}
			c.ok("threads", "")
		}},
		{"4 nvim-dap#117", TestManySessions},
		{"10 ptvsd#1904", TestAttachRefused},
		{"11 haskell-debugger/dap#34", TestTerminalFrame},
		{"14 llvm-project#140154", TestStartOrders},
		{"15 ptvsd#1659", TestStdio},
		{"17 ruby/debug#630", TestDisconnect},
		{"18 nvim-dap#477", startTimes},
		{"22 vscode#152643", TestPaging},
		{"23 vscode-js-debug#2209", TestAttach},
		{"25 OmniSharp#996", TestConditions},
		{"26 unknown command", func(t *testing.T) {
			c := newBench(t).inspected()
			m := c.fails("mock/custom", `{"a":1}`, "unsupported command mock/custom")
			if m.Command != "mock/custom" {
				t.Errorf("the answer is to %q", m.Command)
			}
			c.ok("threads", "")
		}},
	} {
		t.Run(report.name, report.run)
	}
}

// TestFlood prints more than a client reads: the program waits, and can still be ended.
func TestFlood(t *testing.T) {
	b := newBench(t)
	c := b.debug(b.file("main.star", "def f():", "    for i in range(100000000):",
		"        print(i)", "f()"), "")
	c.event("output")
	run := b.runs.List()[0]
	c.Close()
	<-run.Done()
}
