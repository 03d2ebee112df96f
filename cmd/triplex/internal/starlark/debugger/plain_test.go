package debugger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.starlark.net/lib/json"
	starlarkmath "go.starlark.net/lib/math"
	starlarktime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/starlarktest"
	"go.starlark.net/syntax"
)

// A chunk is one program of the interpreter's own tests.
type chunk struct {
	name, text string
	options    *syntax.FileOptions
	limit      uint64 // of steps, if not zero
}

// chunks returns the programs in the test data of go.starlark.net.
func chunks(t testing.TB) []chunk {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net").Output()
	if err != nil {
		t.Skipf("no module cache to read test programs from: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)),
		"starlark", "testdata", "*.star"))
	if err != nil || len(files) == 0 {
		t.Skipf("no test programs in %s, %v", dir, err)
	}
	var all []chunk
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(file) == "proto.star" {
			continue // needs a schema that is not text
		}
		line := 0
		// A recursion to the limit takes seconds under the race detector, and shows nothing new.
		data, _, _ = bytes.Cut(data, []byte("def runaway()"))
		for i, text := range strings.Split(string(data), "\n---\n") {
			c := chunk{name: fmt.Sprintf("%s#%d", filepath.Base(file), i)}
			c.text = strings.Repeat("\n", line) + text
			c.options = optionsOf(text)
			all = append(all, c)
			line += strings.Count(text, "\n") + 2
		}
	}
	return all
}

func optionsOf(text string) *syntax.FileOptions {
	has := func(name string) bool { return strings.Contains(text, "option:"+name) }
	return &syntax.FileOptions{
		Set:               has("set"),
		While:             has("while"),
		TopLevelControl:   has("toplevelcontrol"),
		GlobalReassign:    has("globalreassign"),
		LoadBindsGlobally: has("loadbindsglobally"),
		Recursion:         has("recursion"),
	}
}

// modules are what the test programs load.
func modules(_ *starlark.Thread, module string) (starlark.StringDict, error) {
	switch module {
	case "assert.star":
		return starlarktest.LoadAssertModule()
	case "json.star":
		return starlark.StringDict{"json": json.Module}, nil
	case "time.star":
		return starlark.StringDict{"time": starlarktime.Module}, nil
	case "math.star":
		return starlark.StringDict{"math": starlarkmath.Module}, nil
	}
	return nil, nil
}

// loadOrFail loads like a Run whose Source has no other file.
func loadOrFail(thread *starlark.Thread, module string) (starlark.StringDict, error) {
	names, err := modules(thread, module)
	if names == nil && err == nil {
		err = fmt.Errorf("no file %s", path.Clean(module))
	}
	return names, err
}

// predeclared is what the test programs expect, as far as it has names in the open.
func predeclared() starlark.StringDict {
	return starlark.StringDict{
		"struct":    starlark.NewBuiltin("struct", starlarkstruct.Make),
		"hasfields": starlark.NewBuiltin("hasfields", newFields),
		"fibonacci": starlark.NewList(nil),
	}
}

// A report is the reporter of the assert module, and notes instead of failing: some of the programs
// test values that are not in the open, and fail here in the same way every time.
type report struct{ lines []string }

func (r *report) Error(args ...any) { r.lines = append(r.lines, fmt.Sprint(args...)) }

// An outcome is all that a program lets the outside see.
type outcome struct {
	printed, failed string
	reported        []string
	globals         []string
	steps           uint64
}

// plain runs a chunk without the debugger.
func (c chunk) plain() outcome {
	var o outcome
	var r report
	thread := &starlark.Thread{
		Print: func(_ *starlark.Thread, msg string) { o.printed += msg + "\n" },
		Load:  loadOrFail,
	}
	thread.SetMaxExecutionSteps(c.limit)
	starlarktest.SetReporter(thread, &r)
	env := predeclared()
	args := starlark.NewList(nil)
	args.Freeze()
	env["args"] = args
	globals, err := starlark.ExecFileOptions(c.options, thread, "main.star", c.text, env)
	if err != nil {
		o.failed = backtrace(err)
	}
	o.reported, o.globals, o.steps = r.lines, globals.Keys(), thread.Steps
	return o
}

// debugged runs a chunk in a Run, stepping in if step is set, and also returns the stops.
func (c chunk) debugged(t *testing.T, step bool) (outcome, []Stop) {
	var r report
	s := prepare(t, Config{
		StopOnEntry: step,
		Options:     c.options,
		Builtin:     modules,
		Predeclared: predeclared(),
		MaxSteps:    c.limit,
		Prepare:     func(t *starlark.Thread) { starlarktest.SetReporter(t, &r) },
	}, map[string]string{"main.star": c.text})
	s.start()
	var stops []Stop
	for {
		switch ev := s.next().(type) {
		case Stopped:
			stops = append(stops, ev.Stop)
			s.resume(StepIn)
		case Ended:
			o := outcome{printed: s.output.String(), reported: r.lines}
			if ev.Result.Err != nil {
				o.failed = ev.Result.Backtrace
			}
			if u := s.run.exec.units["main.star"]; u != nil {
				o.globals = u.globals.Keys()
			}
			return o, stops
		}
	}
}

// The interpreter's own tests see no difference between a plain run and a run whose every
// statement is stopped at: what they print, how they fail and where, and what they leave behind.
func TestSameAsPlain(t *testing.T) {
	for _, c := range chunks(t) {
		t.Run(c.name, func(t *testing.T) {
			want := c.plain()
			for _, step := range []bool{false, true} {
				got, stops := c.debugged(t, step)
				wantText(t, "output", got.printed, want.printed)
				wantText(t, "error", got.failed, want.failed)
				if !slices.Equal(got.reported, want.reported) {
					t.Errorf("reported %q, want %q", got.reported, want.reported)
				}
				if !slices.Equal(got.globals, want.globals) {
					t.Errorf("globals %q, want %q", got.globals, want.globals)
				}
				if step && want.failed == "" && want.steps > 2 && len(stops) == 0 {
					t.Error("no stops")
				}
			}
		})
	}
}

// checkLimit runs a chunk with a step limit, which it should exceed or not.
func (c chunk) checkLimit(t *testing.T, limit uint64, exceeds bool) {
	t.Helper()
	c.limit = limit
	got, _ := c.debugged(t, false)
	if exceeded := strings.Contains(got.failed, "too many steps"); exceeded != exceeds {
		t.Errorf("limit of %d: exceeded is %v", limit, exceeded)
	}
}

// A step limit means the same number of steps with and without the debugger, within what the
// compiler's padding of jumps makes of it, which depends on how long the code is.
func TestSameStepLimit(t *testing.T) {
	for _, c := range chunks(t) {
		want := c.plain()
		if want.failed != "" || want.steps < 100 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			c.checkLimit(t, want.steps+1, false)
			c.checkLimit(t, want.steps*8/10, true)
		})
	}
	for _, body := range []string{
		"pass", "n = n", "if n: pass", "if n: n = n", "if not n: pass", "if n: continue",
		"if n == 900: break", "if not n: pass\n    else: pass", "f = lambda: n",
		"if n > 0 and n > 1 or n == 2: n = n\n    else: pass", "for i in [1, 2]: pass",
		"def f():\n        def g():\n            return n\n        return g\n    f()()",
	} {
		t.Run(body, func(t *testing.T) {
			c := chunk{options: everything}
			c.text = strings.Repeat("x = 1 + 2\n", 30)
			c.text += "n = 0\nwhile n < 1000:\n    n += 1\n    " + body + "\n"
			want := c.plain()
			c.checkLimit(t, want.steps+20, false)
			c.checkLimit(t, want.steps*8/10, true)
		})
	}
}

// What a client evaluates does not count for the program's limit, nor do its hooks against it.
func TestEvaluationIsNotTheProgram(t *testing.T) {
	c := chunk{options: everything, text: `def f():
    for i in range(100000):
        pass

n = 0
while n < 1000:
    n += 1
`}
	limit := c.plain().steps - 100
	s := prepare(t, Config{MaxSteps: limit, StopOnEntry: true},
		map[string]string{"main.star": c.text})
	s.start()
	s.stopped()
	s.resume(StepOver)
	s.stopped()
	wantText(t, "evaluation", s.eval("f()"), "None")
	s.resume(Continue)
	if got := errOf(s.ended().Err); !strings.Contains(got, "too many steps") {
		t.Errorf("ended with %q, want too many steps", got)
	}
}

// FuzzSameAsPlain holds programs nobody thought of against a plain run.
func FuzzSameAsPlain(f *testing.F) {
	for _, c := range chunks(f) {
		if len(c.text) < 2000 {
			f.Add(c.text)
		}
	}
	f.Add(calls)
	f.Add(values)
	f.Fuzz(func(t *testing.T, text string) {
		c := chunk{text: text, options: everything, limit: 20_000}
		want := c.plain()
		if strings.Contains(want.failed, "too many steps") || strings.Contains(text, "main.star") {
			return // it has no end, or loads itself, which only a Run can tell
		}
		c.limit *= 2
		got, _ := c.debugged(t, true)
		wantText(t, "output", got.printed, want.printed)
		wantText(t, "error", got.failed, want.failed)
	})
}

// fieldsValue has any fields, which can be set.
type fieldsValue struct{ names starlark.StringDict }

func newFields(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (
	starlark.Value, error,
) {
	return fieldsValue{make(starlark.StringDict)}, nil
}

func (f fieldsValue) String() string        { return "hasfields" }
func (f fieldsValue) Type() string          { return "hasfields" }
func (f fieldsValue) Freeze()               { f.names.Freeze() }
func (f fieldsValue) Truth() starlark.Bool  { return true }
func (f fieldsValue) Hash() (uint32, error) { return 0, errors.New("unhashable") }
func (f fieldsValue) AttrNames() []string   { return f.names.Keys() }

func (f fieldsValue) Attr(name string) (starlark.Value, error) { return f.names[name], nil }

func (f fieldsValue) SetField(name string, v starlark.Value) error {
	f.names[name] = v
	return nil
}
