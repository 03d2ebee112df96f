package dapface

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"triplex/dap/daptest"
)

// A variable is a value in an answer.
type variable struct {
	Name      string
	Value     string
	Result    string // of evaluate
	Type      string
	Path      string `json:"evaluateName"`
	Reference int    `json:"variablesReference"`
	Named     int    `json:"namedVariables"`
	Indexed   int    `json:"indexedVariables"`
}

// evaluate evaluates an expression in the innermost frame.
func (c *client) evaluate(expression, context string) variable {
	c.t.Helper()
	return daptest.Decode[variable](c.t, c.ok("evaluate", evaluateText(expression, context)))
}

func evaluateText(expression, context string) string {
	return fmt.Sprintf(`{"expression":%q,"context":%q}`, expression, context)
}

// inside returns what is inside a reference: more are members of the arguments.
func (c *client) inside(reference int, more string) []variable {
	c.t.Helper()
	type body struct{ Variables []variable }
	return daptest.Decode[body](c.t, c.ok("variables",
		fmt.Sprintf(`{"variablesReference":%d%s}`, reference, more))).Variables
}

// scope returns the variables of a scope of the innermost frame, by name.
func (c *client) scope(name string) (int, map[string]variable) {
	c.t.Helper()
	type body struct{ Scopes []variable }
	scopes := daptest.Decode[body](c.t,
		c.ok("scopes", fmt.Sprintf(`{"frameId":%d}`, c.stack()[0].ID))).Scopes
	for _, s := range scopes {
		if s.Name != name {
			continue
		}
		found := make(map[string]variable)
		for _, v := range c.inside(s.Reference, "") {
			found[v.Name] = v
		}
		return s.Reference, found
	}
	c.t.Fatalf("no scope %s in %+v", name, scopes)
	return 0, nil
}

// inspected is a program that stands in a function with values of all kinds.
func (b *bench) inspected() *client {
	b.t.Helper()
	program := b.file("main.star",
		"G = 7",
		"def outer(free):",
		"    def inner(n, xs, d):",
		"        big = [1] * 1000000",
		"        s = 'text'",
		"        return free + n",
		"    return inner(1, [10, 20, (30, 40)], {'k': [1], 'é🍮': 2})",
		"outer(5)",
	)
	c := b.connect()
	c.ok("initialize", everything)
	c.lines(program, 6)
	c.launch(program, `"predeclared":{"P":[true,null]}`)
	c.stops("breakpoint", "main.star:6")
	return c
}

func TestScopes(t *testing.T) {
	c := newBench(t).inspected()
	for _, test := range []struct{ scope, name, value, kind string }{
		{"Locals", "n", "1", "int"},
		{"Locals", "s", `"text"`, "string"},
		{"Locals", "xs", "[10, 20, (30, 40)]", "list"},
		{"Free variables", "free", "5", "int"},
		{"Globals", "G", "7", "int"},
		{"Predeclared", "P", "[True, None]", "list"},
	} {
		_, found := c.scope(test.scope)
		if v := found[test.name]; v.Value != test.value || v.Type != test.kind || v.Path != test.name {
			t.Errorf("%s: %s is %+v", test.scope, test.name, v)
		}
	}
	c.fails("scopes", `{"frameId":4711}`, "frame 4711")
	c.fails("variables", `{"variablesReference":4711}`, "reference 4711")
}

// TestPaging answers at once, however large a value is (microsoft/vscode#152643).
func TestPaging(t *testing.T) {
	c := newBench(t).inspected()
	_, locals := c.scope("Locals")
	big := locals["big"]
	if big.Indexed != 1_000_000 || big.Named != 0 {
		t.Errorf("big has %d elements and %d fields", big.Indexed, big.Named)
	}
	page := c.inside(big.Reference, `,"filter":"indexed","start":999998,"count":5`)
	if len(page) != 2 || page[1].Name != "[999999]" || page[1].Path != "big[999999]" {
		t.Errorf("the last page is %+v", page)
	}
	// This used to be a number that clients cannot read.
	if got := c.evaluate("range(1 << 40)", "watch"); got.Indexed != math.MaxInt32 {
		t.Errorf("there are %d elements", got.Indexed)
	}
	if page := c.inside(big.Reference, `,"filter":"named"`); len(page) != 0 {
		t.Errorf("named variables are %+v", page)
	}
	// A client without pages gets as many as anybody can look at.
	if all := c.inside(big.Reference, ""); len(all) != 10_001 ||
		!strings.Contains(all[10_000].Value, "more") {
		t.Errorf("%d variables, the last is %+v", len(all), all[len(all)-1])
	}
}

// TestPlainClient gets nothing that it did not say it understands.
func TestPlainClient(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", "a = [1]", "b = 2")
	c := b.connect()
	c.ok("initialize", `{"adapterID":"x"}`)
	c.lines(program, 2)
	c.launch(program, "")
	c.stops("breakpoint", "main.star:2")
	_, globals := c.scope("Globals")
	if a := globals["a"]; a.Type != "" || a.Indexed != 0 || a.Reference == 0 {
		t.Errorf("a is %+v", a)
	}
}

func TestSetVariable(t *testing.T) {
	c := newBench(t).inspected()
	scope, locals := c.scope("Locals")
	set := func(reference int, name, value string) string {
		return fmt.Sprintf(`{"variablesReference":%d,"name":%q,"value":%q}`, reference, name, value)
	}
	xs := locals["xs"].Reference
	got := daptest.Decode[variable](t, c.ok("setVariable", set(xs, "[1]", "[n, G]")))
	if got.Value != "[1, 7]" || got.Type != "list" || got.Reference == 0 || got.Indexed != 2 {
		t.Errorf("the element is %+v now", got)
	}
	if v := c.evaluate("xs", "watch"); v.Result != "[10, [1, 7], (30, 40)]" {
		t.Errorf("xs is %s now", v.Result)
	}
	c.fails("setVariable", set(scope, "n", "2"), "cannot be assigned")
	c.fails("setVariable", set(xs, "[1]", "nowhere"), "nowhere")
	c.fails("setVariable", set(xs, "[9]", "1"), "[9]")

	expression := func(target, value string) string {
		return fmt.Sprintf(`{"expression":%q,"value":%q}`, target, value)
	}
	got = daptest.Decode[variable](t, c.ok("setExpression", expression(`d["k"][0]`, "3")))
	if got.Value != "3" {
		t.Errorf("the element is %+v now", got)
	}
	if v := c.evaluate(`d["k"]`, "watch"); v.Result != "[3]" {
		t.Errorf("d[k] is %s now", v.Result)
	}
	c.fails("setExpression", expression("n", "2"), "cannot be assigned")
	c.fails("setExpression", expression("xs[2][0]", "2"), "cannot be assigned")
	c.fails("setExpression", expression("G +", "2"), "")
}

func TestEvaluate(t *testing.T) {
	c := newBench(t).inspected()
	for _, test := range []struct{ expression, context, want string }{
		{"n + free + G", "watch", "13"},
		{"s.upper()", "hover", `"TEXT"`},
		{"[x for x in xs][0]", "", "10"},
		{"d", "variables", `{"k": [1], "é🍮": 2}`},
		{"len(big)", "repl", "1000000"},
	} {
		if got := c.evaluate(test.expression, test.context); got.Result != test.want {
			t.Errorf("%s (%s) is %s, want %s", test.expression, test.context, got.Result, test.want)
		}
	}
	if got := c.evaluate("xs", "hover"); got.Reference == 0 || got.Indexed != 3 || got.Type != "list" {
		t.Errorf("xs is %+v", got)
	}
	if got := c.evaluate("'x' * 5000", "clipboard"); len(got.Result) != 5002 {
		t.Errorf("the clipboard gets %d bytes", len(got.Result))
	}
	// Statements are for the repl, and so are the names they bind.
	c.evaluate("y = n + 1; print('now', y)", "repl")
	if got := c.output("stdout"); got != "now 2\n" {
		t.Errorf("the repl printed %q", got)
	}
	if got := c.evaluate("y * 10", "repl"); got.Result != "20" {
		t.Errorf("y * 10 is %s", got.Result)
	}
	c.fails("evaluate", evaluateText("y = 1", "watch"), "")
	c.fails("evaluate", evaluateText("n = 1", "repl"), "n")
	c.fails("evaluate", evaluateText("crème brûlée 🍮", "hover"), "")
	c.fails("evaluate", `{"expression":"1","frameId":4711}`, "frame 4711")
}

func TestCompletions(t *testing.T) {
	c := newBench(t).inspected()
	for _, test := range []struct {
		text          string
		line, column  int
		want          string
		start, length int
	}{
		{"xs.app", 1, 7, "append", 4, 3},
		{"1 + fre", 1, 8, "free", 5, 3},
		{`"🍮" + fre`, 1, 11, "free", 8, 3},
		{"x = 1\ns.upp", 2, 6, "upper", 3, 3},
		{"fre", 1, 1 << 30, "free", 1, 3},
	} {
		type item struct {
			Label         string
			Start, Length int
		}
		type body struct{ Targets []item }
		got := daptest.Decode[body](t, c.ok("completions", fmt.Sprintf(
			`{"text":%q,"column":%d,"line":%d}`, test.text, test.column, test.line))).Targets
		if want := (item{test.want, test.start, test.length}); len(got) != 1 || got[0] != want {
			t.Errorf("%q goes on with %+v, want %+v", test.text, got, want)
		}
	}
	c.ok("completions", `{"text":"","column":1}`)
	c.ok("completions", `{"text":"a","column":99,"line":99}`)
}

// TestNotStopped refuses to look into a program that moves, before it begins and after it ended.
func TestNotStopped(t *testing.T) {
	b := newBench(t)
	c := b.connect()
	c.ok("initialize", everything)
	refused := func() {
		t.Helper()
		for command, arguments := range map[string]string{
			"stackTrace":    `{"threadId":1}`,
			"scopes":        `{"frameId":1}`,
			"variables":     `{"variablesReference":1}`,
			"setVariable":   `{"variablesReference":1,"name":"a","value":"1"}`,
			"setExpression": `{"expression":"a[0]","value":"1"}`,
			"evaluate":      `{"expression":"1"}`,
			"completions":   `{"text":"a","column":2}`,
			"exceptionInfo": `{"threadId":1}`,
		} {
			c.fails(command, arguments, "notStopped")
		}
	}
	refused()
	for command, arguments := range map[string]string{
		"continue": `{"threadId":1}`, "pause": `{"threadId":1}`, "restart": "",
		"stepInTargets": `{"frameId":1}`, "restartFrame": `{"frameId":1}`,
	} {
		c.fails(command, arguments, "launch or attach comes first")
	}
	c.launch(b.file("main.star", "a = 1"), "")
	c.ends(0)
	refused()
	c.fails("continue", `{"threadId":1}`, "notStopped")
	c.fails("restart", "", "ended")
	c.fails("pause", `{"threadId":1}`, "not running")
}
