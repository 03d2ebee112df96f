package mcpface

import (
	"context"
	"errors"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// Bounds of a snapshot.
const (
	linesAround = 4
	maxFrames   = 20
	maxLocals   = 50
)

// A Snapshot is how a program stands.
type Snapshot struct {
	Outcome
	Session string `json:"session,omitempty" jsonschema:"names it to the other debug tools"`
	State   string `json:"state,omitempty" jsonschema:"stopped, running or ended"`
	Driver  string `json:"driver,omitempty" jsonschema:"who made it go on last"`

	Stand
	Output        string `json:"output,omitempty" jsonschema:"printed since the last snapshot"`
	OutputDropped int    `json:"output_dropped,omitempty" jsonschema:"bytes before that, lost"`

	Breakpoints []Breakpoint `json:"breakpoints,omitempty" jsonschema:"those that were set"`

	ExitCode *int     `json:"exit_code,omitempty" jsonschema:"once it has ended"`
	Failure  *Failure `json:"failure,omitempty" jsonschema:"why the program failed"`
}

// A Stand is where and why a program is stopped.
type Stand struct {
	Reason string `json:"reason,omitempty" jsonschema:"entry, breakpoint, step, pause or exception"`
	Text   string `json:"text,omitempty" jsonschema:"more about the reason"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`

	Source        []SourceLine `json:"source,omitempty" jsonschema:"the lines around"`
	Stack         []Frame      `json:"stack,omitempty" jsonschema:"calls, the innermost first"`
	FramesOmitted int          `json:"frames_omitted,omitempty"`
	Locals        []Variable   `json:"locals,omitempty" jsonschema:"globals at the top level"`
	LocalsOmitted int          `json:"locals_omitted,omitempty"`
}

// A SourceLine is a line of a file.
type SourceLine struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Current bool   `json:"current,omitempty" jsonschema:"the program stands here"`
}

// A Frame is one call of the stack.
type Frame struct {
	Frame    int    `json:"frame" jsonschema:"for debug_evaluate, from 0"`
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
}

// snapshot returns how a program stands.
func (f *Face) snapshot(ctx context.Context, of *follower) (Snapshot, error) {
	run := of.run
	state := run.State()
	out := Snapshot{Session: run.ID, State: state.Phase.String(), Driver: run.Driver()}
	out.Output, out.OutputDropped = of.take()
	switch state.Phase {
	case debugger.PhaseEnded:
		out.ExitCode, out.Failure = &state.Result.ExitCode, programFailure(state.Result)
	case debugger.PhaseStopped:
		err := f.look(ctx, &out.Stand, run, state.Stop)
		if errors.Is(err, debugger.ErrNotStopped) { // somebody else made it go on meanwhile
			out.Stand, out.State = Stand{}, debugger.PhaseRunning.String()
			return out, nil
		}
		return out, err
	}
	return out, nil
}

// look adds what there is to see at a stop.
func (f *Face) look(
	ctx context.Context, out *Stand, run *runs.Run, stop debugger.Stop,
) error {
	out.Reason, out.Text = string(stop.Reason), clip(stop.Text, maxMessage)
	out.File, out.Line, out.Column = stop.Path, stop.Line, stop.Column
	out.Source = f.around(run, stop)
	frames, total, err := run.Frames(ctx, 0, maxFrames)
	if err != nil {
		return err
	}
	out.FramesOmitted = total - len(frames)
	for i, frame := range frames {
		out.Stack = append(out.Stack, Frame{i, frame.Name, frame.Path, frame.Line, frame.Column})
	}
	out.Locals, out.LocalsOmitted, err = locals(ctx, run)
	return err
}

// around returns the lines around a stop, of the text that runs.
func (f *Face) around(run *runs.Run, stop debugger.Stop) []SourceLine {
	content, ok := run.Text(stop.Path)
	if !ok || !f.isVisible(stop.Path) {
		return nil
	}
	text := source.New(content)
	var lines []SourceLine
	last := min(stop.Line+linesAround, text.Lines())
	for n := max(stop.Line-linesAround, 1); n <= last; n++ {
		lines = append(lines, SourceLine{n, clip(text.Line(n-1), maxLine), n == stop.Line})
	}
	return lines
}

// locals returns the local variables of the innermost frame, or if it has none the globals.
func locals(ctx context.Context, run *runs.Run) ([]Variable, int, error) {
	scopes, err := run.Scopes(ctx, 0)
	if err != nil {
		return nil, 0, err
	}
	for _, scope := range scopes {
		if scope.Named == 0 || scope.Name == "Predeclared" {
			continue
		}
		shown, err := run.Variables(ctx, scope.Ref, debugger.Page{Count: maxLocals})
		return shownVariables(shown), scope.Named - len(shown), err
	}
	return nil, 0, nil
}

func shownVariables(shown []debugger.Variable) []Variable {
	var list []Variable
	for _, v := range shown {
		list = append(list, Variable{v.Name, v.Type, v.Value})
	}
	return list
}
