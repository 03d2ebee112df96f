package lspface

import (
	"fmt"
	"strings"
	"testing"
)

// The cases of the shared field/streams.json that concern editors.

func TestFieldH01SecondClient(t *testing.T) {
	h := newHost(t)
	a := connectTo(t, h, "{}", "")
	b := connectTo(t, h, `{"textDocument":{"hover":{"contentFormat":["markdown"]}}}`, "")
	const u = "file:///nowhere/x.star"
	a.open(u, "def of_a(x):\n    return missing_a\n")
	b.open(u, "def of_b(y):\n    return missing_b\n")
	for _, c := range []struct {
		*client
		own, other, kind string
	}{{a, "_a", "_b", "plaintext"}, {b, "_b", "_a", "markdown"}} {
		hover := string(c.call("textDocument/hover", position(u, 0, 5)))
		problems := fmt.Sprint(c.problems(u, anything))
		for _, got := range []string{hover, problems} {
			if !strings.Contains(got, c.own) || strings.Contains(got, c.other) {
				t.Errorf("got %s, want only what is its own", got)
			}
		}
		if !strings.Contains(hover, c.kind) {
			t.Errorf("hover = %s, want %s", hover, c.kind)
		}
	}
	a.close(u)
	if got := string(b.call("textDocument/hover", position(u, 0, 5))); !strings.Contains(got, "of_b") {
		t.Errorf("after the first client closed its document, hover = %s", got)
	}
}

func TestFieldH19ShutdownAndExit(t *testing.T) {
	for name, tt := range map[string]struct {
		params string
		status int
	}{"params null": {`,"params":null`, 0}, "no params": {"", 0}} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, "{}", "")
			c.Sendf(`{"jsonrpc":"2.0","id":5,"method":"shutdown"%s}`, tt.params)
			c.Expect(`{"jsonrpc":"2.0","id":5,"result":null}`)
			c.fails("textDocument/hover", position("file:///x", 0, 0), -32600)
			c.Send(`{"jsonrpc":"2.0","method":"exit"}`)
			c.ExpectEnd()
			if got := c.Session.ExitStatus(); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
		})
	}
	t.Run("exit without shutdown", func(t *testing.T) {
		h := newHost(t)
		other := connectTo(t, h, "{}", "")
		c := connectTo(t, h, "{}", "")
		c.Send(`{"jsonrpc":"2.0","method":"exit"}`)
		c.ExpectEnd()
		if got := c.Session.ExitStatus(); got != 1 {
			t.Errorf("exit status %d, want 1", got)
		}
		other.call("workspace/symbol", `{"query":""}`) // that session only
	})
}

func TestFieldH21TwoSettings(t *testing.T) {
	for name, options := range map[string]string{
		"members":        `{"predeclared":["foo"]}`,
		"in a section":   `{"starlark":{"predeclared":["foo"]}}`,
		"names with dot": `{"starlark.predeclared":["foo"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			a := connectTo(t, h, "{}", `,"initializationOptions":`+options)
			b := connectTo(t, h, "{}", "")
			const u = "file:///nowhere/x.star"
			a.open(u, "print(foo)\n")
			b.open(u, "# b\nprint(foo)\n")
			if p := a.problems(u, anything); p.codes() != "" {
				t.Errorf("problems of the first are %v", p)
			}
			p := b.problems(u, anything)
			if p.codes() != "undefined" || show(p.Diagnostics[0].Range) != "1:6-1:9" {
				t.Errorf("problems of the second are %v", p)
			}
			a.close(u)
			b.change(u, 2, "# b\n\nprint(foo)\n")
			p = b.problems(u, anything)
			if p.codes() != "undefined" || show(p.Diagnostics[0].Range) != "2:6-2:9" {
				t.Errorf("after the first closed it, problems of the second are %v", p)
			}
		})
	}
}

// microsoft/typescript-go#2765: a request took its snapshot after a later change.
func TestReport012ARequestSeesTheTextOfItsMoment(t *testing.T) {
	c := connect(t, "{}", "")
	c.open("untitled:a", "def f0(): pass\n")
	for i := range 200 {
		c.lastID++
		id := fmt.Sprint(c.lastID)
		c.Send( // in one packet
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"textDocument/hover","params":%s}`,
				id, position("untitled:a", 0, 5)),
			fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{`+
				`"textDocument":{"uri":"untitled:a","version":%d},`+
				`"contentChanges":[{"text":"def f%d(): pass\n"}]}}`, i+2, i+1))
		if got := string(c.answer(id).Result); !strings.Contains(got, fmt.Sprintf("def f%d()", i)) {
			t.Fatalf("before change %d hover = %s", i+1, got)
		}
	}
}
