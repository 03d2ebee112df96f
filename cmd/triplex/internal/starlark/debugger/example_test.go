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

// A program that embeds Starlark debugs its scripts in their own environment: here with a
// predeclared name, and a breakpoint in a loaded module.
func Example() {
	run, err := debugger.New(debugger.Config{
		Program: "build.star",
		Source: folder{
			"build.star": "load('lib.star', 'name')\nprint(name('x'))\n",
			"lib.star":   "def name(s):\n    full = prefix + s\n    return full\n",
		},
		Predeclared: starlark.StringDict{"prefix": starlark.String("my-")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	events := run.Observe()
	defer events.Close()
	run.SetBreakpoints("lib.star", []debugger.Breakpoint{{Line: 3}})
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
			full, err := run.Evaluate(ctx, 0, "full", debugger.Watch)
			fmt.Printf("%s at %s:%d, full is %s, %v\n",
				ev.Stop.Reason, ev.Stop.Path, ev.Stop.Line, full.Value, err)
			_ = run.Resume(debugger.Resume{Move: debugger.Continue})
		case debugger.Ended:
			fmt.Println("exit code", ev.Result.ExitCode)
		}
	}
	// Output:
	// breakpoint at lib.star:3, full is "my-x", <nil>
	// output: my-x
	// exit code 0
}
