package mcpface

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestRun(t *testing.T) {
	eachEra(t, map[string]string{
		"main.star": "load('lib.star', 'double')\nprint('hi', args)\nx = double(21)\n",
		"lib.star":  "def double(n):\n    return 2 * n\n",
	}, func(t *testing.T, a *agent) {
		out := invoke[runOut](a, "starlark_run", args{"file": "main.star", "args": []string{"a"}})
		if out.Output != "hi [\"a\"]\n" || len(out.Globals) != 1 || out.Globals[0].Value != "42" {
			t.Errorf("%+v", out)
		}
		text := "load('lib.star', 'double')\nx = double(1)\n"
		out = invoke[runOut](a, "starlark_run", args{"source": text})
		if len(out.Globals) != 1 || out.Globals[0] != (Variable{"x", "int", "2"}) {
			t.Errorf("%+v", out)
		}
	})
}

func TestRunFails(t *testing.T) {
	a := newBench(t, map[string]string{
		"a.star": "load('b.star', 'b')\n", "b.star": "load('c.star', 'c')\nb = c\n",
		"c.star": "def f():\n    return 1 // 0\n\nc = f()\n",
	}).agent(false, nil)
	for _, c := range []struct {
		name    string
		in      args
		code    string
		line    int
		message string
	}{
		{"syntax", args{"source": "x = (\n"}, codeSyntax, 2, "got"},
		{"names", args{"source": "x = 1\ny = z\n"}, codeNames, 2, "undefined: z"},
		{"runtime", args{"source": "def f():\n  fail('no')\nf()\n"}, codeRuntime, 2, "no"},
		{"steps", args{"source": "x = [i for i in range(1000000)]", "max_steps": 1000}, codeSteps, 1,
			"too many steps, 1000: max_steps"},
		{"output", args{
			"source": "def f():\n  for i in range(9): print('x' * 10)\nf()", "max_output": 50,
		}, codeOutput, 2, "output limit of 50 bytes exceeded: max_output"},
		{"time", args{"source": "x = len([i for i in range(1000000000)])", "timeout_seconds": 0.05},
			codeTimeout, 0, "ended after 50ms: timeout_seconds"},
		// It was taken for an empty program, which told nobody that something was missing.
		{"neither", args{}, codeArguments, 0, "give file or source"},
		{"nothing but nulls", args{"file": nil, "source": nil}, codeArguments, 0, "file or source"},
		{"both", args{"file": "a.star", "source": "x"}, codeArguments, 0, "not both"},
		{"missing", args{"file": "none.star"}, codeNotFound, 0, "none.star"},
		{"elsewhere", args{"file": "sub/b.star"}, codeNotFound, 0, "(similar: " + a.path("b.star")},
		{"unknown argument", args{"path": "a.star"}, codeArguments, 0, "path"},
		{"wrong type", args{"file": 1}, codeArguments, 0, "file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := a.failing("starlark_run", c.in)
			if f.Code != c.code || f.Line != c.line || !strings.Contains(f.Message, c.message) {
				t.Errorf("%+v", *f)
			}
		})
	}
	t.Run("through loads", func(t *testing.T) {
		f := a.failing("starlark_run", args{"file": "a.star"})
		if f.File != a.path("c.star") || f.Line != 2 {
			t.Errorf("%+v", *f)
		}
		for _, place := range []string{"c.star:2", "c.star:4", "b.star:1", "a.star:1"} {
			if !strings.Contains(f.Backtrace, place) {
				t.Errorf("no %s in %s", place, f.Backtrace)
			}
		}
	})
}

// A program that was out of time used to end without a word of where it was.
func TestRunOutOfTime(t *testing.T) {
	a := newBench(t, nil).agent(true, nil)
	for tool, c := range map[string]struct {
		in    args
		place string
	}{
		"starlark_run": {
			args{"source": "x = 1\ndef f():\n    for i in range(1 << 60): pass\n\nf()\n"},
			"source.star:3:5: in f",
		},
		"starlark_eval": {args{"expression": "[i for i in range(1 << 60)]"}, "<expression>:1:4: in"},
	} {
		c.in["max_steps"] = uint64(1 << 50)
		var f *Failure
		for timeout := 0.05; timeout < 60; timeout *= 2 { // it may not have come far by then
			c.in["timeout_seconds"] = timeout
			f = a.failing(tool, c.in)
			if f.Code != codeTimeout || strings.Contains(f.Backtrace, c.place) {
				break
			}
		}
		if f.Code != codeTimeout || !strings.Contains(f.Backtrace, c.place) {
			t.Errorf("%s: %+v", tool, *f)
		}
	}
}

// Models that have to name all arguments of a tool write null for those they do not mean.
func TestNullIsNotGiven(t *testing.T) {
	a := newBench(t, nil).agent(true, nil)
	out := invoke[runOut](a, "starlark_run", args{
		"source": "", "file": nil, "args": nil, "max_steps": nil, "timeout_seconds": nil,
	})
	if out.Error != nil || len(out.Globals) != 0 {
		t.Errorf("%+v", out)
	}
	a.failsWith(codeArguments, "starlark_eval", args{"expression": nil})
}

// The text used to have \u003c and \u003e for the signs of a function's value.
func TestTextCopyIsReadable(t *testing.T) {
	a := newBench(t, nil).agent(false, nil)
	res := a.result("starlark_eval", args{"expression": "[len, '&']"})
	var copied, output evalOut
	if err := json.Unmarshal([]byte(text(res)), &copied); err != nil {
		t.Fatal(err)
	}
	if output = decode[evalOut](a, res); copied != output {
		t.Errorf("the text is %s, the content %+v", text(res), output)
	}
	if !strings.Contains(text(res), `[<built-in function len>, \"&\"]`) {
		t.Error(text(res))
	}
}

func TestEval(t *testing.T) {
	a := newBench(t, map[string]string{
		"lib.star": "_p = 3\ndef f(n):\n    print('f')\n    return n + _p\n",
	}).agent(true, nil)
	out := invoke[evalOut](a, "starlark_eval", args{"expression": "f(1) # one", "file": "lib.star"})
	if out.Value != "4" || out.Type != "int" || out.Output != "f\n" {
		t.Errorf("%+v", out)
	}
	out = invoke[evalOut](a, "starlark_eval", args{"expression": "'_' + '__'"})
	if out.Value != `"___"` {
		t.Errorf("%+v", out)
	}
	for _, c := range []struct {
		name string
		in   args
		code string
		at   int
	}{
		{"statement", args{"expression": "x = 1"}, codeSyntax, 4},
		{"out of the parentheses", args{"expression": "1)\nprint((2"}, codeSyntax, 2},
		{"undefined", args{"expression": "1 + y"}, codeNames, 5},
		{"runtime", args{"expression": "1 // 0"}, codeRuntime, 3},
		{"file", args{"expression": "1", "file": "none.star"}, codeNotFound, 0},
		{"large", args{"expression": strings.Repeat("1", maxExpression+1)}, codeTooLarge, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if f := a.failing("starlark_eval", c.in); f.Code != c.code || f.Column != c.at {
				t.Errorf("%+v", *f)
			}
		})
	}
}

// Messages and backtraces used to count the columns of the program that evaluates.
func TestEvalShowsItsOwnColumns(t *testing.T) {
	a := newBench(t, nil).agent(false, nil)
	f := a.failing("starlark_eval", args{"expression": "1 + y"})
	if f.Message != "<expression>:1:5: undefined: y" {
		t.Errorf("%+v", *f)
	}
	f = a.failing("starlark_eval", args{"expression": "(lambda: 1 // 0)()"})
	for _, place := range []string{"<expression>:1:17: in", "<expression>:1:12: in"} {
		if !strings.Contains(f.Backtrace, place) {
			t.Errorf("no %s in %s", place, f.Backtrace)
		}
	}
}

// A panic in starlark-go itself must cost no more than the program.
func TestRunPanics(t *testing.T) {
	b := newBench(t, nil)
	editor, err := b.workspace.View(workspace.Options{Dialect: syntax.FileOptions{Set: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer editor.Release()
	a := b.agent(false, nil)
	const panicking = "set().difference()"
	for tool, in := range map[string]args{
		"starlark_run": {"source": panicking}, "starlark_eval": {"expression": panicking},
	} {
		if f := a.failing(tool, in); !strings.Contains(f.Message, "panic in a built-in function") {
			t.Errorf("%s: %+v", tool, *f)
		}
	}
}

// A program that took all memory there was used to take the host with it, and every session.
func TestRunWithinMemory(t *testing.T) {
	b := newBench(t, nil)
	b.face.cfg.MaxMemory = 32 << 20
	a := b.agent(false, nil)
	const source = "x = [str(i) * 1000 for i in range(1 << 40)]"
	a.failsWith(codeMemory, "starlark_run", args{"source": source, "max_steps": uint64(1 << 50)})
	invoke[evalOut](a, "starlark_eval", args{"expression": "1"})
	b.write("greedy.star", source+"\n")
	ended := invoke[Snapshot](a, "debug_start", args{"file": "greedy.star", "timeout_seconds": 300})
	if ended.Failure == nil || ended.Failure.Code != codeMemory {
		t.Errorf("under the debugger it ended with %+v", ended.Failure)
	}
}

// A call that was cut off when its session ended used to be answered as one with bad arguments.
func TestRunIsCutOff(t *testing.T) {
	b := newBench(t, nil)
	b.host.Limits.DrainTimeout = time.Millisecond
	near, far := hosttest.Streams()
	session, err := b.host.Attach(far, host.PeerInfo{Network: "pipe"})
	if err != nil {
		t.Fatal(err)
	}
	const meta = `"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":` +
		`"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	_, err = io.WriteString(near, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+meta+
		`,"name":"starlark_run","arguments":{"max_steps":1e15,`+
		`"source":"x = len([i for i in range(1 << 40)])"}}}`+"\n")
	if err != nil {
		t.Fatal(err)
	}
	received := bufio.NewReader(near)
	if report, err := received.ReadString('\n'); err != nil || !strings.Contains(report, "progress") {
		t.Fatalf("received %s, %v", report, err)
	}
	near.CloseWrite() // now that it runs
	answer, err := io.ReadAll(received)
	if err != nil || !strings.Contains(string(answer), `"code":"cancelled"`) {
		t.Errorf("received %s, %v", answer, err)
	}
	<-session.Done()
}

func TestRunReportsProgressAndIsCancelled(t *testing.T) {
	b := newBench(t, nil)
	reports := make(chan float64, 10)
	a := b.agent(true, &sdk.ClientOptions{ProgressNotificationHandler: func(
		_ context.Context, req *sdk.ProgressNotificationClientRequest,
	) {
		reports <- req.Params.Progress
	}})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		call := &sdk.CallToolParams{Name: "starlark_run", Arguments: args{
			"source": "x = len([i for i in range(1 << 40)])", "max_steps": uint64(1 << 50),
		}}
		call.SetProgressToken("token")
		_, err := a.CallTool(ctx, call)
		ended <- err
	}()
	if first := <-reports; first <= 0 {
		t.Errorf("progress %v", first)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
	invoke[evalOut](a, "starlark_eval", args{"expression": "1"})
}
