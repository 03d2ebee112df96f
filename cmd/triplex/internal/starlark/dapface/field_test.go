package dapface

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"triplex/dap/daptest"
)

// fieldTests say what the debugger has to do in the cases from the field that concern it.
var fieldTests = map[string]func(t *testing.T, b *bench){
	"s01": func(t *testing.T, b *bench) { // print during load must not reach stdout
		c := b.debug(b.path("s01_main.star"), "")
		c.ends(0)
		var got []string
		for _, m := range c.stash {
			if m.Event == "output" {
				out := daptest.Decode[output](t, m)
				got = append(got, fmt.Sprintf("%s %q %s:%d", out.Category, out.Output,
					filepath.Base(out.Source.Path), out.Line))
			}
		}
		want := []string{`stdout "noise at load time\n" s01_noisy.star:1`,
			`stdout "hi\n" s01_noisy.star:5`}
		if !slices.Equal(got, want) {
			t.Errorf("output is\n%q, want\n%q", got, want)
		}
	},
	"s05": func(t *testing.T, b *bench) { // full call stack through nested loads
		c := b.exceptional("s05_a.star")
		c.event("stopped")
		c.places("s05_c.star:4", "s05_c.star:6", "s05_b.star:1", "s05_a.star:1")
	},
	"s07": func(t *testing.T, b *bench) { // where does the recursion come from
		c := b.debug(b.path("s07_mutual.star"), "")
		c.ends(1)
		got := c.output("stderr")
		for _, line := range []string{"star:10:", "star:2:", "star:5:", "star:8:"} {
			if !strings.Contains(got, line) {
				t.Errorf("the error does not show %s\n%s", line, got)
			}
		}
	},
	"s25": func(t *testing.T, b *bench) { // breakpoints in macros and loaded files
		lib, main := b.path("s25_macro_lib.star"), b.path("s25_macro_main.star")
		c := b.connect()
		c.ok("initialize", everything)
		if got := c.lines(lib, 4, 2); !slices.Equal(got, []string{"4->5", "2"}) {
			t.Errorf("breakpoints became %q", got)
		}
		if got := c.lines(main, 5); !slices.Equal(got, []string{"5->7"}) {
			t.Errorf("breakpoints became %q", got)
		}
		c.lines(main)
		c.lines(lib, 2)
		c.launch(main, "")
		for _, stack := range [][]string{
			{"s25_macro_lib.star:2", "s25_macro_lib.star:7", "s25_macro_main.star:1"},
			{"s25_macro_lib.star:2", "s25_macro_main.star:3"},
			{"s25_macro_lib.star:2", "s25_macro_main.star:7"},
		} {
			c.event("stopped")
			c.places(stack...)
			c.ok("continue", `{"threadId":1}`)
		}
		c.ends(0)
	},
	"s27": func(t *testing.T, b *bench) { // see also TestSpelling, TestURIs, TestWindowsPaths
		c := b.connect()
		c.ok("initialize", everything)
		c.lines(b.dir+"/./x//../s29_stop_on_entry.star", 2)
		c.launch(b.path("s29_stop_on_entry.star"), "")
		c.stops("breakpoint", "s29_stop_on_entry.star:2")
	},
	"s29": func(t *testing.T, b *bench) { // see also TestStartOrders
		program := b.path("s29_stop_on_entry.star")
		c := b.connect()
		c.ok("initialize", everything)
		launch := c.Request("launch", launchText(program, `"stopOnEntry":true`))
		if got := c.lines(program, 2); !slices.Equal(got, []string{"2"}) {
			t.Errorf("breakpoints became %q", got)
		}
		c.ok("configurationDone", "")
		c.response(launch)
		c.stops("entry", "s29_stop_on_entry.star:1")
		c.ok("next", `{"threadId":1}`)
		c.stops("breakpoint", "s29_stop_on_entry.star:2")
		c.ok("continue", `{"threadId":1}`)
		c.ends(0)
	},
	"s31": func(t *testing.T, b *bench) { // runtime error inside a multi-line call
		c := b.exceptional("s31_runtime_error.star")
		s := c.stops("exception", "s31_runtime_error.star:2")
		if want := "format: nested replacement fields not supported"; s.Text != want {
			t.Errorf("the text is %q, want %q", s.Text, want)
		}
		if top := c.stack()[0]; top.Column != 28 {
			t.Errorf("the column is %d, want 28", top.Column)
		}
		c.ok("exceptionInfo", `{"threadId":1}`)
		c.leave()

		c = b.debug(b.path("s31_runtime_error.star"), "")
		c.ends(1)
		if got := c.output("stderr"); !strings.Contains(got, "star:2:28: in fmt") {
			t.Errorf("the error is %q", got)
		}
	},
}

// exceptional debugs a program that is to stop at its error.
func (b *bench) exceptional(name string) *client {
	b.t.Helper()
	c := b.connect()
	c.ok("initialize", everything)
	c.ok("setExceptionBreakpoints", `{"filters":["uncaught"]}`)
	c.launch(b.path(name), "")
	return c
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// places checks where the frames stand.
func (c *client) places(want ...string) {
	c.t.Helper()
	var got []string
	for _, f := range c.stack() {
		got = append(got, f.place())
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("the stack is %q, want %q", got, want)
	}
}

// TestField runs the cases that public reports come down to.
func TestField(t *testing.T) {
	folder := filepath.Join(shared, "field/starlark")
	text, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		t.Skip("the cases are not here: ", err)
	}
	var file struct {
		Cases []struct{ ID, Title string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, fieldCase := range file.Cases {
		run := fieldTests[fieldCase.ID]
		if run == nil {
			continue // it is for editors
		}
		known++
		t.Run(fieldCase.ID+" "+fieldCase.Title, func(t *testing.T) {
			b := newBench(t)
			if err := os.CopyFS(b.dir, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			run(t, b)
		})
	}
	if known != len(fieldTests) {
		t.Errorf("%d of %d cases are in the file", known, len(fieldTests))
	}
}
