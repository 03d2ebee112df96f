package dapface

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"triplex/dap/daptest"
)

func TestLaunch(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", `x = len(args) + limit["n"]`, "print(args, x)")
	c := b.debug(program, `"args":["a","b"],"predeclared":{"limit":{"n":40}}`)
	c.ends(0)
	if got := c.output("stdout"); got != "[\"a\", \"b\"] 42\n" {
		t.Errorf("the program printed %q", got)
	}
	c.leave()
}

func TestLaunchRefused(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "x = 1")
	for _, test := range []struct{ name, arguments, want string }{
		{"no program", `{}`, "program is missing"},
		{"no such file", `{"program":"/none/there.star"}`, "there.star"},
		{"a folder", fmt.Sprintf(`{"program":%q}`, b.dir), "not a regular file"},
		{"program is no text", `{"program":1}`, "program"},
		{"console", launchText(program, `"console":"none"`), `console is "none"`},
		{"steps", launchText(program, `"maxSteps":-1`), "maxSteps"},
		{"predeclared", launchText(program, `"predeclared":["a"]`), "predeclared"},
		{"another host's file", `{"program":"file://far/p.star"}`, "host"},
		{"an unknown text", `{"program":"untitled:1"}`, "untitled:1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b.t = t
			c := b.connect()
			c.ok("initialize", everything)
			c.fails("launch", test.arguments, test.want)
			c.launch(program, "") // a failure does not spoil the session
			c.ends(0)
			c.fails("launch", launchText(program, ""), "already")
		})
	}
}

// TestCancelLaunch takes a launch back, after which the client can launch again.
func TestCancelLaunch(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = 1")
	c := b.connect()
	c.ok("initialize", everything)
	launch := c.Request("launch", launchText(program, ""))
	cancel := c.Request("cancel", fmt.Sprintf(`{"requestId":%d}`, launch))
	c.hears(fmt.Sprintf("%d launch failed: cancelled", launch), fmt.Sprintf("%d cancel ok", cancel))
	c.launch(program, "")
	c.ends(0)
}

// TestStepLimit ends a program that runs away.
func TestStepLimit(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", endless...)
	c := b.debug(program, `"maxSteps":1000`)
	c.ends(1)
	if got := c.output("stderr"); !strings.Contains(got, "too many steps") {
		t.Errorf("the program ended with %q", got)
	}
}

// TestStartOrders sends what starts a program in every order that clients use (field case h23).
func TestStartOrders(t *testing.T) {
	orders := [][]string{
		{"launch", "setBreakpoints", "configurationDone"},
		{"setBreakpoints", "launch", "configurationDone"},
		{"setBreakpoints", "configurationDone", "launch"},
		{"configurationDone", "launch", "setBreakpoints"},
	}
	for _, order := range orders {
		t.Run(strings.Join(order, " "), func(t *testing.T) {
			b := newBench(t)
			program := b.file("main.star", "a = 1", "b = 2", "c = 3")
			arguments := map[string]string{
				"launch": launchText(program, `"stopOnEntry":true`),
				"setBreakpoints": fmt.Sprintf(
					`{"source":{"path":%q},"breakpoints":[{"line":2}]}`, program),
			}
			c := b.connect()
			c.Request("initialize", everything)
			for _, command := range order {
				c.Request(command, arguments[command])
			}
			for answered := 0; answered < 4; {
				if m := c.next(); m.Type != "response" {
					c.stash = append(c.stash, m)
				} else if answered++; !*m.Success {
					t.Fatal(m)
				}
			}
			if c.trace[0] != "initialize ok" {
				t.Errorf("the first message is %q", c.trace[0])
			}
			c.stops("entry", "main.star:1")
			c.ok("continue", `{"threadId":1}`)
			c.stops("breakpoint", "main.star:2")
			c.ok("continue", `{"threadId":1}`)
			c.ends(0)
			c.leave()
			for _, event := range []string{"initialized", "terminated"} {
				n := len(slices.DeleteFunc(slices.Clone(c.trace),
					func(m string) bool { return m != "event "+event }))
				if n != 1 {
					t.Errorf("%d events %s, want 1: %q", n, event, c.trace)
				}
			}
		})
	}
}

// TestLaunchAnswersFirst keeps to the order: response, then what the program does.
func TestLaunchAnswersFirst(t *testing.T) {
	b := newBench(t)
	c := b.debug(b.file("main.star", "print(1)"), "")
	c.ends(0)
	want := []string{
		"launch ok", "event process", "event thread", "event module", "event loadedSource",
		"event output", "event thread", "event exited", "event terminated",
	}
	got := c.trace[slices.Index(c.trace, "configurationDone ok")+1:]
	if !slices.Equal(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// TestUnsaved runs what an editor holds and has not saved, also in loaded files.
func TestUnsaved(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", `load("lib.star", "word")`, "print(word)")
	lib := b.file("lib.star", `word = "saved"`)
	editor := b.editor()
	editor.Open(lib, "word = \"unsaved\"\n")
	c := b.debug(program, "")
	c.ends(0)
	if got := c.output("stdout"); got != "unsaved\n" {
		t.Errorf("the program printed %q", got)
	}
}

// TestUntitled debugs a text that has no file: its source comes from the adapter.
func TestUntitled(t *testing.T) {
	b := newBench(t)
	const text = "a = 1\nb = 2\n"
	b.editor().Open("untitled:Untitled-1", text)
	c := b.debug("untitled:Untitled-1", `"stopOnEntry":true`)
	c.stops("entry", "untitled:Untitled-1:1")
	type body struct {
		Sources []struct {
			Path            string
			SourceReference int
		}
		Content string
	}
	sources := daptest.Decode[body](t, c.ok("loadedSources", "")).Sources
	if len(sources) != 1 || sources[0].SourceReference == 0 {
		t.Fatalf("loaded sources are %+v", sources)
	}
	for _, arguments := range []string{
		fmt.Sprintf(`{"sourceReference":%d}`, sources[0].SourceReference),
		fmt.Sprintf(`{"source":{"sourceReference":%d},"sourceReference":0}`, sources[0].SourceReference),
		`{"source":{"path":"untitled:Untitled-1"},"sourceReference":0}`,
	} {
		if got := daptest.Decode[body](t, c.ok("source", arguments)); got.Content != text {
			t.Errorf("source %s is %q", arguments, got.Content)
		}
	}
	c.fails("source", `{"sourceReference":99}`, "unknown source reference 99")
	c.fails("source", `{"source":{"path":"/none.star"},"sourceReference":0}`, "none.star")
	got := daptest.Decode[struct{ Breakpoints []bound }](t, c.ok("setBreakpoints", fmt.Sprintf(
		`{"source":{"sourceReference":%d},"lines":[2]}`, sources[0].SourceReference)))
	if len(got.Breakpoints) != 1 || !got.Breakpoints[0].Verified {
		t.Errorf("breakpoints are %+v", got)
	}
}

// TestDialect runs files that use what the standard dialect lacks, and load from other folders.
func TestDialect(t *testing.T) {
	b := newBench(t)
	roots := t.TempDir()
	if err := os.WriteFile(filepath.Join(roots, "far.star"), []byte("x = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := b.file("main.star", `load("far.star", "x")`, "if x:", "    print(len(set([x, x])))")
	c := b.debug(program, fmt.Sprintf(
		`"options":{"set":true,"topLevelControl":true},"roots":[%q]`, roots))
	c.ends(0)
	if got := c.output("stdout"); got != "1\n" {
		t.Errorf("printed %q", got)
	}
	c = b.debug(program, "")
	c.ends(1)
	if got := c.output("stderr"); !strings.Contains(got, "main.star:2:1: if statement not within") {
		t.Errorf("the error is %q", got)
	}
}
