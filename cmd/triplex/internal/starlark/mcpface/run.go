package mcpface

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/workspace"
)

func (f *Face) addRunning() {
	addTool(f, &sdk.Tool{
		Name: "starlark_run",
		Description: "Run a Starlark file, or source text, to its end and return what it prints and" +
			" its globals. Programs cannot touch files or the network. An editor's unsaved text is" +
			" what runs. A program that fails gives an error with its backtrace. It has 10 seconds," +
			" 100 million steps and 65536 bytes of output unless told otherwise.",
		Annotations: reads("Run Starlark"),
	}, call.run)
	addTool(f, &sdk.Tool{
		Name: "starlark_eval",
		Description: "Evaluate a Starlark expression. With a file, the file is run first and the" +
			" expression can use its globals.",
		Annotations: reads("Evaluate Starlark"),
	}, call.eval)
}

// Limits are what a program may take.
type Limits struct {
	MaxSteps  uint64  `json:"max_steps,omitempty" jsonschema:"of the interpreter"`
	Timeout   float64 `json:"timeout_seconds,omitempty" jsonschema:"at most 300"`
	MaxOutput int64   `json:"max_output,omitempty" jsonschema:"in bytes, at most 1048576"`
}

// Defaults and bounds of Limits.
const (
	defaultSteps   = 100_000_000
	defaultTimeout = 10 * time.Second
	maxTimeout     = 5 * time.Minute
	defaultOutput  = 64 << 10
	maxOutput      = 1 << 20
)

func (l Limits) steps() uint64 {
	if l.MaxSteps == 0 {
		return defaultSteps
	}
	return l.MaxSteps
}

func (l Limits) timeout() time.Duration { return seconds(l.Timeout, defaultTimeout) }

// seconds returns a number of seconds as duration, or the default for 0.
func seconds(n float64, byDefault time.Duration) time.Duration {
	if n <= 0 {
		return byDefault
	}
	return time.Duration(min(n, maxTimeout.Seconds()) * float64(time.Second))
}

func (l Limits) output() int64 {
	if l.MaxOutput <= 0 {
		return defaultOutput
	}
	return min(l.MaxOutput, maxOutput)
}

// advise adds to a failure what a client can do that knows the program to need more.
func (l Limits) advise(f *Failure) *Failure {
	switch f.Code {
	case codeSteps:
		f.Message += fmt.Sprintf(", %d: max_steps allows for more", l.steps())
	case codeOutput:
		f.Message += fmt.Sprintf(": max_output allows for more, up to %d", maxOutput)
	case codeTimeout:
		f.Message += fmt.Sprintf(": timeout_seconds allows for more, up to %v", maxTimeout.Seconds())
	}
	return f
}

type runIn struct {
	Input
	Args []string `json:"args,omitempty" jsonschema:"what the program finds in its list args"`
	Limits
}

// A Variable is a name with its value.
type Variable struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value" jsonschema:"as Starlark writes it, shortened"`
}

type runOut struct {
	Outcome
	Output         string     `json:"output,omitempty" jsonschema:"what the program printed"`
	Globals        []Variable `json:"globals,omitzero" jsonschema:"as far as it came"`
	GlobalsOmitted int        `json:"globals_omitted,omitempty"`
	Milliseconds   int64      `json:"milliseconds,omitempty" jsonschema:"how long it took"`
}

// Bounds of the values that are shown.
const (
	maxVariables = 200
	maxValue     = 2 << 10 // bytes
	maxResult    = 64 << 10
)

func (c call) run(ctx context.Context, in runIn) (out runOut, err error) {
	file, err := c.openEither(in.Input)
	if err != nil {
		return out, err
	}
	began := time.Now()
	done, err := c.execute(ctx, c.config(file, in.Limits, in.Args), in.Limits)
	out.Milliseconds = time.Since(began).Milliseconds()
	out.Output = done.output
	out.Globals, out.GlobalsOmitted = variables(done.globals)
	return out, err
}

// config returns how to run a file that the client has opened.
func (c call) config(file *workspace.File, l Limits, args []string) debugger.Config {
	return debugger.Config{
		Program: file.Name(),
		Source:  snapshotSource{confined{c.guest(file.Name())}, file},
		Options: c.dialect(file.Name()),
		Args:    args,
		NoDebug: true, MaxSteps: l.steps(), MaxOutput: l.output(),
	}
}

func (f *Face) dialect(name string) *syntax.FileOptions {
	options := f.cfg.Workspace.OptionsFor(name).Dialect
	return &options
}

// confined is the files that a program may read: those within the folders.
type confined struct{ *workspace.View }

// Resolve implements [debugger.Source]. A file has one path, whatever leads to it.
func (s confined) Resolve(from, module string) (string, error) {
	path, err := s.View.Resolve(from, module)
	return workspace.Canonical(path), err
}

// A snapshotSource is such files, with the program as it was when the client asked.
type snapshotSource struct {
	confined
	file *workspace.File
}

// Read implements [debugger.Source].
func (s snapshotSource) Read(name string) (string, error) {
	if name == s.file.Name() {
		return s.file.Text().String(), nil
	}
	return s.View.Read(name)
}

// done is a program that has ended.
type done struct {
	output  string
	globals starlark.StringDict
}

// execute runs a program to its end. The error is its failure.
func (c call) execute(ctx context.Context, cfg debugger.Config, l Limits) (end done, err error) {
	cfg.Meter, cfg.MaxMemory = c.cfg.Runs.Meter(), c.cfg.MaxMemory
	run, err := debugger.New(cfg)
	if err != nil {
		return end, err
	}
	events := run.Observe()
	defer events.Close()
	timed, cancel := context.WithTimeout(ctx, l.timeout())
	defer cancel()
	if err := run.Start(); err != nil {
		return end, err
	}
	result, err := c.await(timed, l.timeout(), events, &end)
	if err != nil {
		c.abandon(ctx, run)
	}
	end.globals = run.Globals()
	switch {
	case err == nil:
		if failure := programFailure(result); failure != nil {
			return end, l.advise(failure)
		}
		return end, nil
	case ctx.Err() != nil:
		return end, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		failure := failf(codeTimeout, "the program was ended after %v", l.timeout())
		failure.Backtrace = clipMiddle(run.State().Result.Backtrace, maxBacktrace)
		return end, l.advise(failure)
	}
	return end, err
}

// beat is how often the client hears that a program goes on.
const beat = time.Second

// await collects what a program prints until it ends or the context does.
func (c call) await(
	ctx context.Context, limit time.Duration, events *debugger.Observer, end *done,
) (debugger.Result, error) {
	var output strings.Builder
	defer func() { end.output = output.String() }()
	began := time.Now()
	for {
		ev, err := nextWithin(ctx, events, beat)
		switch {
		case err != nil:
			return debugger.Result{}, err
		case ev == nil:
			c.progress(ctx, time.Since(began).Seconds(), limit.Seconds(),
				fmt.Sprintf("running, %d bytes of output", output.Len()))
		}
		switch ev := ev.(type) {
		case debugger.Output:
			output.WriteString(ev.Text)
		case debugger.Ended:
			return ev.Result, nil
		}
	}
}

// nextWithin returns the next event, or nil if there is none for a while.
func nextWithin(
	ctx context.Context, events *debugger.Observer, d time.Duration,
) (debugger.Event, error) {
	short, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	ev, err := events.Next(short)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return nil, nil
	}
	return ev, err
}

// endTime is how long a program that is ended may take for it.
const endTime = time.Second

// abandon ends a program, and waits for that a while: where it was by then is of use. One that does
// not end, because a built-in function does not return, is the registry's to wait for.
func (c call) abandon(ctx context.Context, run *debugger.Run) {
	run.Terminate()
	short, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	select {
	case <-run.Done():
	case <-short.Done():
		c.cfg.Runs.Go(func() { <-run.Done() })
	}
}

// variables shows values by name, all together in about maxResult bytes.
func variables(values starlark.StringDict) (list []Variable, omitted int) {
	names, omitted := bounded(values.Keys(), maxVariables)
	list = make([]Variable, 0, len(names))
	for _, name := range names {
		v := values[name]
		shown := debugger.Preview(v, min(maxValue, maxResult/len(names)))
		list = append(list, Variable{name, v.Type(), shown})
	}
	return list, omitted
}
