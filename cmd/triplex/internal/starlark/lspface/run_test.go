package lspface

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
)

const showsProgress = `{"window":{"workDoneProgress":true}}`

func command(name string, u uri.URI) string {
	return fmt.Sprintf(`{"command":%q,"arguments":[%q]}`, name, u)
}

// logged returns the messages of the log that have been heard.
func (c *client) logged() string {
	var lines []string
	for _, m := range c.pending {
		if m.Method == "window/logMessage" {
			p := decode[struct {
				Type    int
				Message string
			}](c.t, m.Params)
			lines = append(lines, fmt.Sprintf("%d %s", p.Type, p.Message))
		}
	}
	return strings.Join(lines, "\n")
}

func TestRunTheOpenBuffer(t *testing.T) {
	dir := tree(t, map[string]string{
		"main.star":   "fail('the file on disk')\n",
		"lib.star":    "print('loading')\n\ndef twice(x):\n    return x * 2\n",
		"marked.star": "\uFEFFx = 'marked'\n",
	})
	main := fileURI(t, dir, "main.star")
	for _, tt := range []struct {
		name, text string
		exit       int
		log        []string
	}{
		{"to its end", "load('lib.star', 'twice')\nprint(twice(21))\n", 0,
			[]string{"4 loading\n4 42"}},
		// The mark was "unexpected input".
		{"behind a byte order mark", "\uFEFFload('marked.star', 'x')\nprint(x)\n", 0,
			[]string{"4 marked"}},
		{"with an error", "def f():\n    fail('oh no')\nprint('before')\nf()\n", 1,
			[]string{"4 before", "1 ", "oh no", "main.star:4:2", "main.star:2:9"}},
		{"with a syntax error", "x = (\n", 1, []string{"1 ", "main.star:2:1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := connect(t, "{}", folder(t, dir))
			c.open(main, tt.text)
			got := decode[outcome](t, c.call("workspace/executeCommand", command(runCommand, main)))
			if got.ExitCode != tt.exit || (got.Error != "") != (tt.exit != 0) {
				t.Errorf("outcome = %+v", got)
			}
			for _, want := range tt.log {
				if log := c.logged(); !strings.Contains(log, want) {
					t.Errorf("log = %q, want %q in it", log, want)
				}
			}
		})
	}
}

const endless = "def f():\n    print('begun')\n    for _ in range(1000000000):\n" +
	"        for _ in range(1000000000):\n            pass\nf()\n"

func TestARunCanBeCancelled(t *testing.T) {
	t.Run("by the display of its progress", func(t *testing.T) {
		c := connect(t, showsProgress, "")
		c.open("untitled:a", endless)
		id := c.request("workspace/executeCommand", command(runCommand, "untitled:a"))
		token := decode[struct{ Token json.RawMessage }](t,
			c.heard("window/workDoneProgress/create").Params).Token
		c.heard("window/logMessage")
		c.notify("window/workDoneProgress/cancel", fmt.Sprintf(`{"token":%s}`, token))
		got := decode[outcome](t, c.answer(id).Result)
		if got.ExitCode != 1 || got.Error != "the program was cancelled" {
			t.Errorf("outcome = %+v", got)
		}
	})
	t.Run("by the request", func(t *testing.T) {
		c := connect(t, "{}", "")
		c.open("untitled:a", endless)
		id := c.request("workspace/executeCommand", command(runCommand, "untitled:a"))
		c.heard("window/logMessage")
		c.notify("$/cancelRequest", `{"id":`+id+`}`)
		if m := c.answer(id); m.Error == nil || m.Error.Code != -32800 {
			t.Errorf("answer = %s, %+v", m.Result, m.Error)
		}
	})
}

func TestRunsAreLimited(t *testing.T) {
	for name, tt := range map[string]struct {
		cfg  Config
		text string
		want string
	}{
		"in steps":  {Config{MaxSteps: 1000}, endless, "steps"},
		"in time":   {Config{MaxTime: 50 * time.Millisecond}, endless, "ran for more than 50ms"},
		"in output": {Config{}, "[print('x' * 100000) for _ in range(100)]\n", "1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			c := connectTo(t, newHostWith(t, tt.cfg), "{}", "")
			c.open("untitled:a", tt.text)
			got := decode[outcome](t,
				c.call("workspace/executeCommand", command(runCommand, "untitled:a")))
			if got.ExitCode != 1 || !strings.Contains(got.Error, tt.want) {
				t.Errorf("outcome = %+v, want an error with %q", got, tt.want)
			}
		})
	}
}

func TestRunShowsProgressUnderTheTokenOfTheClient(t *testing.T) {
	c := connect(t, "{}", "")
	c.open("untitled:a", "print(1)\n")
	params := `{"command":"starlark.run","arguments":["untitled:a"],"workDoneToken":"mine"}`
	id := c.request("workspace/executeCommand", params)
	for _, kind := range []string{"begin", "end"} {
		m := c.heard("$/progress")
		if !strings.Contains(string(m.Params), `"mine"`) || !strings.Contains(string(m.Params), kind) {
			t.Errorf("progress = %s, want %s", m.Params, kind)
		}
	}
	c.answer(id)
}

func TestDebugLeavesAProgramForADebugger(t *testing.T) {
	programs := new(runs.Registry)
	t.Cleanup(programs.Close)
	set := New(Config{Workspace: workspace.New(), Programs: programs})
	c := connectTo(t, &host.Host{Mounts: []host.MethodSet{set}}, "{}", "")
	c.open("untitled:a", "print(1)\n")
	raw := c.call("workspace/executeCommand", command(debugCommand, "untitled:a"))
	id := decode[struct{ Session string }](t, raw).Session
	if log := c.logged(); id == "" || !strings.Contains(log, fmt.Sprintf(`{"session": %q}`, id)) {
		t.Errorf("session %q, log = %q", id, log)
	}
	program, err := programs.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	events := program.Observe()
	defer events.Close()
	for stopped := false; !stopped; { // that its file is loaded may come before
		e, err := events.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var stop debugger.Stopped
		if stop, stopped = e.(debugger.Stopped); stopped && stop.Stop.Line != 1 {
			t.Errorf("the program stops at line %d, want 1", stop.Stop.Line)
		}
	}
	c.Close() // nobody has attached: it goes on to its end
	<-program.Done()
}

func TestOrganizeLoads(t *testing.T) {
	const text = "load(\"b.star\", \"b\")\nload(\"a.star\", \"y\", \"x\")\n\nprint(x, y, b)\n"
	c := connect(t, `{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true}}}`, "")
	c.answers = map[string]string{"workspace/applyEdit": `{"applied":true}`}
	c.open("file:///nowhere/m.star", text)
	c.call("workspace/executeCommand", command(organizeCommand, "file:///nowhere/m.star"))
	edit := string(c.heard("workspace/applyEdit").Params)
	for _, want := range []string{`"version":1`, `\"a.star\", \"x\", \"y\"`, `"Organize loads"`} {
		if !strings.Contains(edit, want) {
			t.Errorf("edit = %s, want %s in it", edit, want)
		}
	}
	c.answers["workspace/applyEdit"] = `{"applied":false,"failureReason":"read only"}`
	msg := c.fails("workspace/executeCommand",
		command(organizeCommand, "file:///nowhere/m.star"), -32803)
	if !strings.Contains(msg, "read only") {
		t.Errorf("message = %q", msg)
	}
}

func TestCommandsThatMakeNoSense(t *testing.T) {
	c := connect(t, "{}", "")
	for name, tt := range map[string]struct {
		params string
		code   int
	}{
		"unknown":       {`{"command":"starlark.fly","arguments":["untitled:a"]}`, -32602},
		"no arguments":  {`{"command":"starlark.run"}`, -32602},
		"a number":      {`{"command":"starlark.run","arguments":[1]}`, -32602},
		"no such file":  {command(runCommand, "file:///nowhere/x.star"), -32803},
		"not even open": {command(runCommand, "untitled:b"), -32803},
	} {
		t.Run(name, func(t *testing.T) {
			if msg := c.fails("workspace/executeCommand", tt.params, tt.code); msg == "" {
				t.Error("the error has no message")
			}
		})
	}
}
