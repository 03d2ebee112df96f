package dapface

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/uri"

	"triplex/dap/daptest"
)

// loop is a program with a loop, a function and a comment.
var loop = []string{
	"def twice(n):",                // 1
	"    m = 2 * n",                // 2
	"",                             // 3
	"    # a comment",              // 4
	"    return m",                 // 5
	"",                             // 6
	"total = [0]",                  // 7
	"def run():",                   // 8
	"    for i in range(6):",       // 9
	"        total[0] += twice(i)", // 10
	"run()",                        // 11
	"print(total[0])",              // 12
}

func TestLineBreakpoints(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", loop...)
	c := b.connect()
	c.ok("initialize", everything)
	got := c.lines(program, 4, 7, 99, 12, 12)
	if want := []string{"4->5", "7", "99?", "12", "12"}; !slices.Equal(got, want) {
		t.Errorf("breakpoints became %q, want %q", got, want)
	}
	c.lines(program, 11)
	if got := c.lines(program, 7, 12); !slices.Equal(got, []string{"7", "12"}) {
		t.Errorf("breakpoints became %q", got)
	}
	c.launch(program, "")
	c.stops("breakpoint", "main.star:7")
	c.lines(program) // none: all of the file are removed
	c.ok("continue", `{"threadId":1}`)
	c.ends(0)
}

func TestConditions(t *testing.T) {
	for _, test := range []struct {
		name, breakpoint string
		stops            int
		log              string
	}{
		{"none", `{"line":10}`, 6, ""},
		{"condition", `{"line":10,"condition":"i % 2 == 0"}`, 3, ""},
		{"hits at least", `{"line":10,"hitCondition":">=5"}`, 2, ""},
		{"each second hit", `{"line":10,"hitCondition":"%2"}`, 3, ""},
		{"one hit", `{"line":10,"hitCondition":"4"}`, 1, ""},
		{"both", `{"line":10,"condition":"i > 1","hitCondition":"%2"}`, 2, ""},
		{"log", `{"line":10,"logMessage":"i={i} {total}","condition":"i < 2"}`, 0, "i=0 [0]\ni=1 [0]\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			program := b.file("main.star", loop...)
			c := b.connect()
			c.ok("initialize", everything)
			set := c.breakpoints(program, test.breakpoint)
			c.launch(program, "")
			for range test.stops {
				s := c.stops("breakpoint", "main.star:10")
				if !slices.Equal(s.Hits, []int{set[0].ID}) {
					t.Errorf("hit %v, want %d", s.Hits, set[0].ID)
				}
				c.ok("continue", `{"threadId":1}`)
			}
			c.ends(0)
			if got := c.output("console"); got != test.log {
				t.Errorf("logged %q, want %q", got, test.log)
			}
		})
	}
}

// TestBrokenConditions says what is wrong, and harms nothing.
func TestBrokenConditions(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", loop...)
	c := b.connect()
	c.ok("initialize", everything)
	set := c.breakpoints(program, `{"line":10,"condition":"i >"},{"line":10,"hitCondition":"many"},`+
		`{"line":10,"logMessage":"{"},{"line":10,"condition":"nowhere"}`)
	for i, words := range []string{"condition", "hit condition", "log message"} {
		if set[i].Verified || !strings.Contains(set[i].Message, words) {
			t.Errorf("breakpoint %d is %+v, want words on its %s", i, set[i], words)
		}
	}
	c.launch(program, "")
	c.ends(0)
	if got := c.output("important"); !strings.Contains(got, "nowhere") {
		t.Errorf("the user was told %q", got)
	}
}

func TestFunctionBreakpoints(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", loop...)
	c := b.connect()
	c.ok("initialize", everything)
	c.ok("setFunctionBreakpoints",
		`{"breakpoints":[{"name":"twice","condition":"n == 4"},{"name":"nobody"}]}`)
	c.launch(program, "")
	moved := daptest.Decode[struct{ Breakpoint bound }](t, c.event("breakpoint")).Breakpoint
	if !moved.Verified || moved.Line != 2 {
		t.Errorf("the function breakpoint is %+v when its function is known", moved)
	}
	if s := c.stops("function breakpoint", "main.star:2"); !slices.Equal(s.Hits, []int{moved.ID}) {
		t.Errorf("hit %v, want %d", s.Hits, moved.ID)
	}
	c.ok("setFunctionBreakpoints", `{"breakpoints":[]}`)
	c.ok("continue", `{"threadId":1}`)
	c.ends(0)
}

func TestExceptionFilters(t *testing.T) {
	for _, test := range []struct {
		filters string
		stops   bool
		id      string
	}{
		{`"filters":[]`, false, ""},
		{`"filters":["uncaught"]`, true, "error"},
		{`"filters":[],"filterOptions":[{"filterId":"uncaught"}]`, true, "error"},
		{`"filters":["raised"]`, false, ""},
		{`"filters":["unknown"]`, false, ""},
	} {
		t.Run(test.filters, func(t *testing.T) {
			b := newBench(t)
			program := b.file("main.star", "def f():", "    return 1 // 0", "f()")
			c := b.connect()
			c.ok("initialize", everything)
			c.ok("setExceptionBreakpoints", "{"+test.filters+"}")
			c.launch(program, "")
			if test.stops {
				s := c.stops("exception", "main.star:2")
				if !strings.Contains(s.Text, "division by zero") {
					t.Errorf("the text is %q", s.Text)
				}
				c.exception(test.id, "division by zero", "unhandled")
				c.ok("continue", `{"threadId":1}`)
			}
			c.ends(1)
			if got := c.output("stderr"); !strings.Contains(got, "main.star:2:14: in f") {
				t.Errorf("the error is %q", got)
			}
		})
	}
}

// TestRaised stops at a call of fail while its frames are alive. That such calls always stop the
// program used to be said also to those who asked for the errors that end it.
func TestRaised(t *testing.T) {
	for filter, mode := range map[string]string{"raised": "always", "uncaught": "unhandled"} {
		b := newBench(t)
		program := b.file("main.star", "def f(why):", "    fail(why)", `f("no way")`)
		c := b.connect()
		c.ok("initialize", everything)
		c.ok("setExceptionBreakpoints", fmt.Sprintf(`{"filters":[%q]}`, filter))
		c.launch(program, "")
		c.stops("exception", "main.star:2")
		c.exception("fail", "fail: no way", mode)
		if got := c.evaluate("why", "watch"); got.Result != `"no way"` {
			t.Errorf("why is %s", got.Result)
		}
		c.ok("continue", `{"threadId":1}`)
		c.ends(1)
		c.fails("exceptionInfo", `{"threadId":1}`, "notStopped")
	}
}

// exception checks what exceptionInfo answers.
func (c *client) exception(id, message, mode string) {
	c.t.Helper()
	type body struct {
		ExceptionID, Description, BreakMode string
		Details                             struct{ StackTrace string }
	}
	x := daptest.Decode[body](c.t, c.ok("exceptionInfo", `{"threadId":1}`))
	if x.ExceptionID != id || !strings.Contains(x.Description, message) || x.BreakMode != mode ||
		!strings.Contains(x.Details.StackTrace, "main.star:2") {
		c.t.Errorf("the exception is %+v, want %s %q %s", x, id, message, mode)
	}
}

// TestColumns counts columns in UTF-16 code units, and from zero where the client does. A mark of
// the byte order is not counted; it used to shift what stands behind characters of two units.
func TestColumns(t *testing.T) {
	for _, test := range []struct {
		name, mark string
		first      int
	}{{"from 1", "", 1}, {"from 0", "", 0}, {"behind a mark", "\uFEFF", 1}} {
		t.Run(test.name, func(t *testing.T) {
			first := test.first
			b := newBench(t)
			program := b.file("main.star", test.mark+`a = "🍮"; b = 1; c = 2`)
			c := b.connect()
			c.ok("initialize", fmt.Sprintf(
				`{"adapterID":"x","linesStartAt1":%t,"columnsStartAt1":%[1]t}`, first == 1))
			columns := []int{0 + first, 10 + first, 17 + first}
			type body struct{ Breakpoints []bound }
			found := daptest.Decode[body](t, c.ok("breakpointLocations",
				fmt.Sprintf(`{"source":{"path":%q},"line":%d}`, program, first))).Breakpoints
			for i, at := range found {
				if at.Line != first || at.Column != columns[i] {
					t.Errorf("location %d is %d:%d, want %d:%d", i, at.Line, at.Column, first, columns[i])
				}
			}
			const two = `{"line":%d,"column":%d},{"line":%[1]d,"column":%[3]d}`
			set := c.breakpoints(program, fmt.Sprintf(two, first, columns[1]-1, columns[2]))
			if set[0].Column != columns[1] || set[1].Column != columns[2] {
				t.Errorf("breakpoints are %+v, want columns %v", set, columns[1:])
			}
			c.launch(program, "")
			for _, want := range columns[1:] {
				c.event("stopped")
				if top := c.stack()[0]; top.Line != first || top.Column != want {
					t.Errorf("stopped at %d:%d, want %d:%d", top.Line, top.Column, first, want)
				}
				c.ok("continue", `{"threadId":1}`)
			}
			c.ends(0)
		})
	}
}

func TestBreakpointLocations(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", loop...)
	c := b.debug(program, `"stopOnEntry":true`)
	c.stops("entry", "main.star:1")
	type body struct{ Breakpoints []bound }
	found := daptest.Decode[body](t, c.ok("breakpointLocations",
		fmt.Sprintf(`{"source":{"path":%q},"line":1,"endLine":7}`, program))).Breakpoints
	var lines []int
	for _, at := range found {
		lines = append(lines, at.Line)
	}
	if want := []int{1, 2, 5, 7}; !slices.Equal(lines, want) {
		t.Errorf("locations are in the lines %v, want %v", lines, want)
	}
	c.fails("breakpointLocations", `{"source":{"path":"/none.star"},"line":1}`, "none.star")
	c.fails("breakpointLocations", `{"source":{},"line":1}`, "neither a path nor a reference")
}

// TestEdited keeps breakpoints while an editor changes a file that has not been loaded yet.
func TestEdited(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = 1", `load("lib.star", "x")`)
	lib := b.file("lib.star", "# comment", "x = 1")
	c := b.connect()
	c.ok("initialize", everything)
	c.lines(program, 1)
	before := c.breakpoints(lib, `{"line":1}`)[0]
	c.launch(program, "")
	c.stops("breakpoint", "main.star:1")
	b.editor().Open(lib, "# comment\n# another\nx = 1\n")
	b.runs.Reverify(lib)
	after := daptest.Decode[struct{ Breakpoint bound }](t, c.event("breakpoint")).Breakpoint
	if before.Line != 2 || after.Line != 3 || after.ID != before.ID || !after.Verified {
		t.Errorf("the breakpoint was %+v and became %+v", before, after)
	}
	c.ok("continue", `{"threadId":1}`)
	c.stops("breakpoint", "lib.star:3")
}

// TestSpelling knows files by all their names, and answers with the client's (field case s27).
func TestSpelling(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", `load("lib.star", "x")`, "a = 1", "b = 2")
	b.file("lib.star", "x = 1")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(b.dir, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for _, test := range []struct{ name, main, lib string }{
		{"plain", program, filepath.Join(b.dir, "lib.star")},
		{"dot", b.dir + "/./main.star", filepath.Join(b.dir, "lib.star")},
		{"slashes", b.dir + "//main.star", filepath.Join(b.dir, "lib.star")},
		{"parent", b.dir + "/x/../main.star", filepath.Join(b.dir, "lib.star")},
		{"link", link + "/main.star", link + "/lib.star"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b.t = t
			c := b.connect()
			c.ok("initialize", everything)
			set := c.breakpoints(test.main, `{"line":2}`)
			c.breakpoints(test.lib, `{"line":1}`)
			if got := set[0].Source.Path; got != test.main {
				t.Errorf("the breakpoint is in %s, want %s", got, test.main)
			}
			c.launch(program, "")
			c.stops("breakpoint", "lib.star:1")
			stack := c.stack()
			if got := stack[0].Source.Path; got != test.lib {
				t.Errorf("the stack is in %s, want %s", got, test.lib)
			}
			c.ok("continue", `{"threadId":1}`)
			c.stops("breakpoint", "main.star:2")
			c.leave()
		})
	}
}

// TestURIs speaks URIs to a client that does (field case s27).
func TestURIs(t *testing.T) {
	b := newBench(t)
	b.dir = filepath.Join(b.dir, "a folder")
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	program := "file://" + strings.ReplaceAll(b.file("main.star", "a = 1", "b = 2"), " ", "%20")
	c := b.connect()
	c.ok("initialize", `{"adapterID":"x","pathFormat":"uri"}`)
	set := c.breakpoints(program, `{"line":2}`)
	c.launch(program, "")
	c.event("stopped")
	for _, got := range []string{set[0].Source.Path, c.stack()[0].Source.Path} {
		if got != program {
			t.Errorf("answered %s, want %s", got, program)
		}
	}
}

// TestWindowsPaths tells drives from the schemes of names that are no paths.
func TestWindowsPaths(t *testing.T) {
	for name, opaque := range map[string]bool{
		`C:\p\a.star`: false, "c:/p/a.star": false, "file:///c%3A/p/a.star": false,
		"untitled:Untitled-1": true,
	} {
		path, err := local(name, uri.PlatformWindows)
		if err != nil || isOpaque(path, uri.PlatformWindows) != opaque {
			t.Errorf("%s became %s, %v, which is a path: %v", name, path, err, opaque)
		}
	}
}
