package debugger_test

import (
	"context"
	"fmt"
	"path"

	"go.starlark.net/starlark"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// folder is a Source of files in memory.
type folder map[string]string

func (f folder) Read(path string) (string, error) { return f[path], nil }

func (f folder) Resolve(from, module string) (string, error) {
	return path.Join(path.Dir(from), module), nil
}

// A program that embeds Starlark debugs its scripts in their own environment: here with a function
// written in Go, which needs a value of the thread, a module that has no file, and a breakpoint in
// one that has.
func Example() {
	prefixed := func(
		thread *starlark.Thread, fn *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		var s string
		if err := starlark.UnpackPositionalArgs(fn.Name(), args, kwargs, 1, &s); err != nil {
			return nil, err
		}
		return starlark.String(thread.Local("prefix").(string) + s), nil
	}
	run, err := debugger.New(debugger.Config{
		Program: "build.star",
		Source: folder{
			"build.star": "load('lib.star', 'name')\nprint(name('x'))\n",
			"lib.star": "load('@app', 'suffix')\ndef name(s):\n    full = prefixed(s) + suffix\n" +
				"    return full\n",
		},
		Predeclared: starlark.StringDict{"prefixed": starlark.NewBuiltin("prefixed", prefixed)},
		Builtin: func(_ *starlark.Thread, module string) (starlark.StringDict, error) {
			if module == "@app" {
				return starlark.StringDict{"suffix": starlark.String("-1.0")}, nil
			}
			return nil, nil
		},
		Prepare: func(thread *starlark.Thread) { thread.SetLocal("prefix", "my-") },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	events := run.Observe()
	defer events.Close()
	run.SetBreakpoints("me", "lib.star", []debugger.Breakpoint{{Line: 4}})
	if err := run.Start(); err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for {
		ev, err := events.Next(ctx)
		if err != nil {
			return
		}
		switch ev := ev.(type) {
		case debugger.Output:
			fmt.Print("output: ", ev.Text)
		case debugger.Stopped:
			full, err := run.Evaluate(ctx, 0, "full + prefixed('')", debugger.Watch)
			fmt.Printf("%s at %s:%d, evaluated %s, %v\n",
				ev.Stop.Reason, ev.Stop.Path, ev.Stop.Line, full.Value, err)
			_ = run.Resume(debugger.Resume{Move: debugger.Continue})
		case debugger.Ended:
			fmt.Println("exit code", ev.Result.ExitCode)
		}
	}
	// Output:
	// breakpoint at lib.star:4, evaluated "my-x-1.0my-", <nil>
	// output: my-x-1.0
	// exit code 0
}
