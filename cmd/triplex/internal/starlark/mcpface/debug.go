package mcpface

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
)

func (f *Face) addDebugging() {
	addTool(f, &sdk.Tool{
		Name: "debug_start",
		Description: "Start a Starlark file under the debugger, with breakpoints, and wait until it" +
			" stops or ends. For one that fails, stop_on_failure shows the variables there: all of them" +
			" at a call of fail, the globals elsewhere. An editor's unsaved text is what runs. Others" +
			" can join the session. A program that does neither in time, 300 seconds at most, goes on," +
			" but for no more than 2 billion steps unless told otherwise.",
		Annotations: acts("Start debugging"),
	}, call.debugStart)
	addTool(f, &sdk.Tool{
		Name: "debug_breakpoints",
		Description: "Replace the breakpoints that agents have set in a file of a debug session. Those" +
			" of debug clients stay.",
		Annotations: acts("Set breakpoints"),
	}, call.debugBreakpoints)
	addTool(f, &sdk.Tool{
		Name: "debug_continue",
		Description: "Let the stopped program go on and wait until it stops again or ends. If it" +
			" runs already, only wait.",
		Annotations: acts("Continue"),
	}, call.debugContinue)
	addTool(f, &sdk.Tool{
		Name:        "debug_step",
		Description: "Run the stopped program to the next statement.",
		Annotations: acts("Step"),
		InputSchema: schemaWith[stepIn]("kind", "over", "in", "out"),
	}, call.debugStep)
	addTool(f, &sdk.Tool{
		Name: "debug_pause",
		Description: "Stop a program that runs at its next statement, to see where it is. Nothing" +
			" happens to one that is stopped already.",
		Annotations: acts("Pause"),
	}, call.debugPause)
	addTool(f, &sdk.Tool{
		Name: "debug_evaluate",
		Description: "Evaluate an expression where the program is stopped. It can use the" +
			" variables of a frame and call functions, and so change values.",
		Annotations: acts("Evaluate"),
	}, call.debugEvaluate)
	addTool(f, &sdk.Tool{
		Name:        "debug_stop",
		Description: "End the program of a debug session, for all who share it.",
		Annotations: &sdk.ToolAnnotations{
			Title: "Stop debugging", DestructiveHint: new(true), IdempotentHint: true,
			OpenWorldHint: new(false),
		},
	}, call.debugStop)
	addTool(f, &sdk.Tool{
		Name: "debug_sessions",
		Description: "List the programs that run in this host, of agents, debug clients and" +
			" editors, and who drives each.",
		Annotations: reads("List debug sessions"),
	}, call.debugSessions)
}

// A Wait is how long to wait for a stop.
type Wait struct {
	Timeout float64 `json:"timeout_seconds,omitempty" jsonschema:"how long to wait, 10 if not given"`
}

type startIn struct {
	File        string   `json:"file" jsonschema:"path, absolute or relative to a folder"`
	Breakpoints []int    `json:"breakpoints,omitempty" jsonschema:"lines of the file to stop at"`
	StopOnEntry bool     `json:"stop_on_entry,omitempty" jsonschema:"stop before the first statement"`
	StopOnFail  bool     `json:"stop_on_failure,omitempty" jsonschema:"stop where the program fails"`
	Args        []string `json:"args,omitempty" jsonschema:"what the program finds in its list args"`
	MaxSteps    uint64   `json:"max_steps,omitempty" jsonschema:"of the interpreter"`
	Wait
}

// defaultDebugSteps bounds a program that no agent stops: they leave without saying so.
const defaultDebugSteps = 2_000_000_000

func (c call) debugStart(ctx context.Context, in startIn) (out Snapshot, err error) {
	file, err := c.open(in.File)
	if err != nil {
		return out, err
	}
	want, err := breakpoints(in.Breakpoints)
	if err != nil {
		return out, err
	}
	run, err := c.cfg.Runs.New(debugger.Config{
		Program: file.Name(), Source: confined{c.guest(file.Name())}, Options: c.dialect(file.Name()),
		Args: in.Args, StopOnEntry: in.StopOnEntry,
		MaxSteps: cmp.Or(in.MaxSteps, defaultDebugSteps), MaxMemory: c.cfg.MaxMemory,
	}, c.agent())
	if err != nil {
		return out, err
	}
	run.SetFilters(agents, debugger.Filters{Uncaught: in.StopOnFail})
	set := run.SetBreakpoints(agents, file.Name(), want)
	of, err := c.follows.of(run, c.cfg.Runs)
	if err == nil {
		err = run.Start()
	}
	if err != nil {
		run.Terminate()
		return out, err
	}
	out, err = c.wait(ctx, of, 0, in.Wait)
	out.Breakpoints = shownBreakpoints(set)
	return out, err
}

// wait waits for the stop after so many moves, and returns how the program stands then.
func (c call) wait(ctx context.Context, of *follower, after int, w Wait) (Snapshot, error) {
	limit := seconds(w.Timeout, defaultTimeout)
	began := time.Now()
	for {
		left := limit - time.Since(began)
		short, cancel := context.WithTimeout(ctx, min(left, beat))
		still := of.await(short, after)
		cancel()
		if ctx.Err() != nil {
			return Snapshot{}, ctx.Err()
		}
		if still || left <= beat {
			return c.snapshot(ctx, of)
		}
		c.progress(ctx, time.Since(began).Seconds(), limit.Seconds(), "the program runs")
	}
}

type sessionIn struct {
	Session string `json:"session,omitempty" jsonschema:"may be left out if there is one only"`
}

// session returns the program that a client names.
func (c call) session(in sessionIn) (*follower, error) {
	run, err := c.cfg.Runs.Find(in.Session)
	if err != nil {
		return nil, failf(codeNotFound, "%v", err)
	}
	return c.follows.of(run, c.cfg.Runs)
}

type continueIn struct {
	sessionIn
	Wait
}

func (c call) debugContinue(ctx context.Context, in continueIn) (out Snapshot, err error) {
	of, err := c.session(in.sessionIn)
	if err != nil {
		return out, err
	}
	return c.move(ctx, of, debugger.Continue, in.Wait)
}

type stepIn struct {
	sessionIn
	Kind string `json:"kind,omitempty" jsonschema:"over calls, in to them, or out; over if not given"`
	Wait
}

var moves = map[string]debugger.Move{
	"": debugger.StepOver, "over": debugger.StepOver, "in": debugger.StepIn, "out": debugger.StepOut,
}

func (c call) debugStep(ctx context.Context, in stepIn) (out Snapshot, err error) {
	of, err := c.session(in.sessionIn)
	if err != nil {
		return out, err
	}
	return c.move(ctx, of, moves[in.Kind], in.Wait)
}

// move makes a program go on, and waits for it to stop. One that runs is waited for by Continue.
func (c call) move(
	ctx context.Context, of *follower, how debugger.Move, w Wait,
) (out Snapshot, err error) {
	after, err := of.resume(ctx, debugger.Resume{Move: how, By: c.agent()})
	switch {
	case err == nil:
	case of.run.State().Phase == debugger.PhaseEnded:
		return c.snapshot(ctx, of)
	case how != debugger.Continue:
		return out, err
	}
	return c.wait(ctx, of, after, w)
}

func (c call) debugPause(ctx context.Context, in sessionIn) (out Snapshot, err error) {
	of, err := c.session(in)
	if err != nil {
		return out, err
	}
	_, moves, _ := of.now()
	if err := of.run.Pause(); err != nil && !errors.Is(err, debugger.ErrNotRunning) {
		return out, err
	} else if err != nil {
		return c.snapshot(ctx, of)
	}
	return c.wait(ctx, of, moves, Wait{})
}

type evaluateIn struct {
	sessionIn
	Expression string `json:"expression" jsonschema:"the expression to evaluate"`
	Frame      int    `json:"frame,omitempty" jsonschema:"of the stack, 0 is the innermost"`
}

type evaluateOut struct {
	Outcome
	Value    string     `json:"value,omitempty" jsonschema:"as Starlark writes it, shortened"`
	Type     string     `json:"type,omitempty"`
	Elements []Variable `json:"elements,omitempty" jsonschema:"what is inside the value"`
	Omitted  int        `json:"omitted,omitempty" jsonschema:"how many elements are not in the list"`
	Output   string     `json:"output,omitempty" jsonschema:"what was printed meanwhile"`
}

func (c call) debugEvaluate(ctx context.Context, in evaluateIn) (out evaluateOut, err error) {
	of, err := c.session(in.sessionIn)
	if err != nil {
		return out, err
	}
	frames, total, err := of.run.Frames(ctx, max(in.Frame, 0), 1)
	if err != nil {
		return out, err
	}
	if in.Frame < 0 || len(frames) == 0 {
		return out, failf(codeArguments, "frame %d: the stack has the frames 0 to %d",
			in.Frame, total-1)
	}
	got, err := of.run.Evaluate(ctx, frames[0].ID, in.Expression, debugger.Clipboard)
	out.Output = clip(got.Output, defaultOutput)
	if err != nil {
		return out, failf(codeRuntime, "%s", clip(err.Error(), maxMessage))
	}
	out.Value, out.Type = clip(got.Value, maxResult), got.Type
	if got.Ref != 0 {
		inside, err := of.run.Variables(ctx, got.Ref, debugger.Page{Count: maxLocals})
		if err != nil {
			return out, err
		}
		out.Elements = shownVariables(inside)
		out.Omitted = got.Named + got.Indexed - len(inside)
	}
	return out, nil
}

func (c call) debugStop(ctx context.Context, in sessionIn) (out Snapshot, err error) {
	of, err := c.session(in)
	if err != nil {
		return out, err
	}
	of.run.Terminate()
	short, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	phase, moves, _ := of.now()
	for phase != debugger.PhaseEnded && of.await(short, moves) {
		phase, moves, _ = of.now()
	}
	return c.snapshot(ctx, of)
}

type sessionsOut struct {
	Outcome
	Sessions []Session `json:"sessions,omitzero"`
}

// A Session is a program that runs.
type Session struct {
	Session   string `json:"session" jsonschema:"names the program to the other debug tools"`
	Program   string `json:"program" jsonschema:"the file that runs"`
	State     string `json:"state" jsonschema:"ready, running or stopped"`
	Place     string `json:"place,omitempty" jsonschema:"file and line where it is stopped"`
	StartedBy string `json:"started_by"`
	Driver    string `json:"driver" jsonschema:"who made it go on last"`
}

func (c call) debugSessions(context.Context, struct{}) (sessionsOut, error) {
	out := sessionsOut{Sessions: []Session{}}
	for _, run := range c.cfg.Runs.List() {
		out.Sessions = append(out.Sessions, sessionOf(run))
	}
	return out, nil
}

func sessionOf(run *runs.Run) Session {
	state := run.State()
	s := Session{
		Session: run.ID, Program: run.Program, State: state.Phase.String(),
		StartedBy: run.StartedBy, Driver: run.Driver(),
	}
	if state.Phase == debugger.PhaseStopped {
		s.Place = fmt.Sprintf("%s:%d", state.Stop.Path, state.Stop.Line)
	}
	return s
}
