package lspface

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const versioned = `{"textDocument":{"publishDiagnostics":{"versionSupport":true,` +
	`"relatedInformation":true}}}`

// count takes the messages of a method that have come, and waits for none.
func (c *client) count(method string) int {
	c.t.Helper()
	c.call("workspace/symbol", `{"query":"none of this name"}`) // everything before has come now
	n, rest := 0, c.pending[:0]
	for _, m := range c.pending {
		if m.Method == method {
			n++
		} else {
			rest = append(rest, m)
		}
	}
	c.pending = rest
	return n
}

const publish = "textDocument/publishDiagnostics"

// A burst used to cost an analysis for each keystroke, so that problems came seconds late.
func TestABurstOfKeystrokesIsLookedAtTogether(t *testing.T) {
	for _, tt := range []struct {
		name string
		pace time.Duration
		most int
	}{
		{"in one packet", 0, 2},
		{"a key that is held down", 5 * time.Millisecond, 5},
		{"fast typing", 40 * time.Millisecond, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, versioned, "")
				c.open("untitled:a", "x = 0\n")
				c.problems("untitled:a", anything)
				time.Sleep(time.Second)
				for i := range 200 {
					c.change("untitled:a", i+2, fmt.Sprintf("x = undefined%d\n", i))
					time.Sleep(tt.pace)
				}
				n := 1
				last := c.problems("untitled:a", func(p published) bool { n++; return p.Version == 201 })
				if !strings.Contains(last.Diagnostics[0].Message, "undefined199") {
					t.Errorf("the last problem is %v", last)
				}
				if n > tt.most+1 {
					t.Errorf("200 keystrokes were looked at %d times, want at most %d", n, tt.most)
				}
			})
		})
	}
}

func TestALoneKeystrokeIsLookedAtAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, versioned, "")
		c.open("untitled:a", "x = 0\n")
		c.problems("untitled:a", anything)
		for version := 2; version < 5; version++ {
			time.Sleep(100 * time.Millisecond)
			start := time.Now()
			c.change("untitled:a", version, "x = y\n")
			c.problems("untitled:a", func(p published) bool { return p.Version == version })
			if took := time.Since(start); took > 0 {
				t.Errorf("the problems came after %v", took)
			}
		}
	})
}

func TestLintFollowsOnceTheDocumentIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const text = "def f(a):\n    a == 1\n    return [a]\n"
		c := connect(t, versioned, "")
		c.open("untitled:a", text)
		if p := c.problems("untitled:a", anything); p.codes() != "" {
			t.Fatalf("at first the problems are %v", p)
		}
		c.change("untitled:a", 2, text+"\n")
		if p := c.problems("untitled:a", anything); p.codes() != "" || p.Version != 2 {
			t.Errorf("after a change the problems are %v", p)
		}
		start := time.Now()
		p := c.problems("untitled:a", anything)
		if p.codes() != "no-effect" || p.Version != 2 {
			t.Errorf("later the problems are %v", p)
		}
		if took := time.Since(start); took != settle {
			t.Errorf("lint came after %v, want %v", took, settle)
		}
		time.Sleep(10 * time.Second)
		if n := c.count(publish); n != 0 {
			t.Errorf("%d more were published", n)
		}
	})
}

func TestProblemsAreClearedOnClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, versioned, "")
		c.open("untitled:a", "print(x)\n")
		c.problems("untitled:a", anything)
		c.close("untitled:a")
		if p := c.problems("untitled:a", anything); len(p.Diagnostics) != 0 {
			t.Errorf("after closing the problems are %v", p)
		}
		c.open("untitled:a", "print(y)\n")
		c.problems("untitled:a", func(p published) bool { return p.codes() == "undefined" })
		// Closed and opened again at once: the last word is on the new text.
		c.close("untitled:a")
		c.open("untitled:a", "print(z)\n")
		c.problems("untitled:a", func(p published) bool {
			return p.codes() == "undefined" && strings.Contains(p.Diagnostics[0].Message, "z")
		})
		time.Sleep(10 * time.Second)
		if n := c.count(publish); n != 0 {
			t.Errorf("%d more were published", n)
		}
	})
}

// A client that drops the problems of what it closes used to be left without any when it opened the
// same text again at once, as editors do that read a file anew.
func TestProblemsAreToldAgainOnOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, "{}", "")
		c.open("untitled:a", "print(x)\n")
		c.problems("untitled:a", anything)
		c.close("untitled:a") // so soon that it is looked at together with what follows
		c.open("untitled:a", "print(x)\n")
		if p := c.problems("untitled:a", anything); p.codes() != "undefined" {
			t.Errorf("after opening again the problems are %v", p)
		}
		time.Sleep(10 * time.Second)
		c.close("untitled:a")
		if p := c.problems("untitled:a", anything); p.codes() != "" {
			t.Errorf("after closing the problems are %v", p)
		}
	})
}

// What a file defines matters to those that load it, in all sessions, saved or not.
func TestFilesThatLoadAChangedOneAreLookedAtAgain(t *testing.T) {
	dir := tree(t, map[string]string{
		"lib.star": "def helper():\n    pass\n", "main.star": "",
	})
	const main = "load(\"lib.star\", \"helper\")\n\nhelper()\n"
	h := newHost(t)
	one := connectTo(t, h, versioned, folder(t, dir))
	two := connectTo(t, h, versioned, folder(t, dir))
	for _, c := range []*client{one, two} {
		c.open(fileURI(t, dir, "main.star"), main)
		if p := c.problems(fileURI(t, dir, "main.star"), anything); p.codes() != "" {
			t.Fatalf("at first the problems are %v", p)
		}
	}
	lib := fileURI(t, dir, "lib.star")
	one.open(lib, "def helper():\n    pass\n")
	one.change(lib, 2, "def assist():\n    pass\n")
	for _, c := range []*client{one, two} {
		p := c.problems(fileURI(t, dir, "main.star"), anything)
		if p.codes() != "load-name" || p.Version != 1 {
			t.Fatalf("the problems are %v", p)
		}
		if r := p.Diagnostics[0].RelatedInformation; len(r) != 1 || r[0].Location.URI != lib {
			t.Errorf("related are %v", r)
		}
	}
	one.Close() // without saving
	if p := two.problems(fileURI(t, dir, "main.star"), anything); p.codes() != "" {
		t.Errorf("after the other editor is gone the problems are %v", p)
	}
}

func TestFilesThatChangeOnDiskAreNoticed(t *testing.T) {
	dir := tree(t, map[string]string{"main.star": ""})
	c := connect(t, versioned, folder(t, dir))
	main := fileURI(t, dir, "main.star")
	c.open(main, "load(\"new.star\", \"helper\")\n\nhelper()\n")
	if p := c.problems(main, anything); p.codes() != "load-file" {
		t.Fatalf("at first the problems are %v", p)
	}
	created := tree(t, map[string]string{"new.star": "def helper():\n    pass\n"})
	move(t, filepath.Join(created, "new.star"), filepath.Join(dir, "new.star"))
	c.notify("workspace/didChangeWatchedFiles",
		fmt.Sprintf(`{"changes":[{"uri":%q,"type":1}]}`, fileURI(t, dir, "new.star")))
	if p := c.problems(main, anything); p.codes() != "" {
		t.Errorf("when the file is there the problems are %v", p)
	}
}

const pulls = `{"textDocument":{"diagnostic":{}}`

func TestAClientThatAsksForProblemsIsNotToldAsWell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, pulls+`}`, "")
		c.open("untitled:a", "def f(a):\n    a == 1\n    return b\n")
		got := pulled(c, "")
		// A client that cannot be told to ask again gets lint at once.
		if got.Kind != "full" || got.Codes() != "undefined no-effect" {
			t.Errorf("report = %+v", got)
		}
		if again := pulled(c, got.ResultID); again.Kind != "unchanged" {
			t.Errorf("the second report = %+v", again)
		}
		c.change("untitled:a", 2, "x = 1\n")
		if now := pulled(c, got.ResultID); now.Kind != "full" || now.Codes() != "" {
			t.Errorf("the report after a change = %+v", now)
		}
		time.Sleep(10 * time.Second)
		if n := c.count(publish); n != 0 {
			t.Errorf("%d were published", n)
		}
	})
}

func TestAClientThatAsksForProblemsIsToldOfLint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, pulls+`,"workspace":{"diagnostics":{"refreshSupport":true}}}`, "")
		c.open("untitled:a", "def f(a):\n    a == 1\n    return b\n")
		first := pulled(c, "")
		if first.Codes() != "undefined" {
			t.Errorf("report = %+v", first)
		}
		c.heard("workspace/diagnostic/refresh")
		if got := pulled(c, first.ResultID); got.Codes() != "undefined no-effect" {
			t.Errorf("the report after the refresh = %+v", got)
		}
	})
}

// report is the answer to textDocument/diagnostic.
type report struct {
	Kind     string
	ResultID string
	Items    []diagnostic
}

func (r report) Codes() string { return published{Diagnostics: r.Items}.codes() }

func pulled(c *client, previous string) report {
	c.t.Helper()
	params := `{"textDocument":{"uri":"untitled:a"}}`
	if previous != "" {
		params = strings.TrimSuffix(params, "}") + fmt.Sprintf(`,"previousResultId":%q}`, previous)
	}
	return decode[report](c.t, c.call("textDocument/diagnostic", params))
}

// A client used to be told of every one of any number of problems, with each change.
func TestTheWorstOfManyProblems(t *testing.T) {
	c := connect(t, "{}", "")
	c.open("untitled:a", "def f():\n"+strings.Repeat("    x = lambda y: 1\n", maxProblems)+"    z\n")
	got := c.problems("untitled:a", anything)
	codes := got.codes()
	if len(got.Diagnostics) != maxProblems || !strings.HasPrefix(codes, "undefined unused-") {
		t.Errorf("%d problems: %.50s", len(got.Diagnostics), codes)
	}
}

// Clients could set the trace, but were never sent one.
func TestTrace(t *testing.T) {
	c := connect(t, "{}", `,"trace":"verbose"`)
	c.open("untitled:a", "x = y\nz = w\n")
	m := decode[struct{ Message, Verbose string }](t, c.heard("$/logTrace").Params)
	if !strings.HasPrefix(m.Message, "looked for problems of untitled:a in ") ||
		!strings.HasSuffix(m.Message, "s: 2 found") || m.Verbose != "untitled:a, version 1, 12 bytes" {
		t.Errorf("trace = %+v", m)
	}
	c.problems("untitled:a", anything)
	c.notify("$/setTrace", `{"value":"off"}`)
	c.change("untitled:a", 2, "x = y\n")
	c.wait(func(m message) bool {
		if m.Method == "$/logTrace" && strings.HasPrefix(decode[struct{ Message string }](
			t, m.Params).Message, "looked") {
			t.Errorf("a trace that was switched off: %s", m.Params)
		}
		return m.Method == "textDocument/publishDiagnostics"
	})
}
