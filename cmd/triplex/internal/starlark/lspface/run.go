package lspface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/lsp"
)

// maxOutput is how many bytes a program that an editor runs may print.
const maxOutput = 1 << 20

// editorSource is the files as a client sees them, with the program as it was when the client
// asked for it to run.
type editorSource struct {
	*workspace.View
	program, text string
}

// Read implements [debugger.Source].
func (e editorSource) Read(name string) (string, error) {
	if name == e.program {
		return e.text, nil
	}
	return e.View.Read(name)
}

// config returns how to run the document.
func (d *document) config() debugger.Config {
	st := stateOf(d.session)
	st.mu.Lock()
	dialect := st.settings.options.fileOptions()
	st.mu.Unlock()
	return debugger.Config{
		Program:   d.name,
		Source:    editorSource{st.view, d.name, strings.TrimPrefix(d.text.String(), source.BOM)},
		Options:   &dialect,
		MaxSteps:  st.face.MaxSteps,
		MaxOutput: maxOutput,
	}
}

// outcome is what the commands that run programs answer.
type outcome struct {
	ExitCode int    `json:"exitCode"`
	Error    string `json:"error,omitempty"`
}

// run runs a document to its end. What it prints goes to the client's log, as does the backtrace if
// it fails; the user can cancel it.
func run(ctx context.Context, d *document, token protocol.ProgressToken) (protocol.LSPAny, error) {
	cfg := d.config()
	cfg.NoDebug = true
	program, err := stateOf(d.session).face.Programs.New(cfg, clientName(d.session))
	if err != nil {
		return nil, failed(err)
	}
	defer program.Terminate()
	out, err := d.attend(ctx, program, token)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, failed(err)
	}
	if out.Error != "" {
		d.log(ctx, protocol.MessageTypeError, out.Error)
	}
	return json.Marshal(out)
}

// attend starts a program and shows the client's user its progress and its output until it ends.
func (d *document) attend(
	ctx context.Context, program *runs.Run, token protocol.ProgressToken,
) (outcome, error) {
	ctx, work := d.session.Progress(ctx, "Running "+filepath.Base(d.name),
		lsp.WorkOptions{Token: token, Cancellable: true})
	defer work.End("")
	limit := stateOf(d.session).face.MaxTime
	ctx, stop := context.WithTimeoutCause(ctx, limit,
		fmt.Errorf("the program was stopped as it ran for more than %v", limit))
	defer stop()
	defer context.AfterFunc(ctx, program.Terminate)()
	events := program.Observe()
	defer events.Close()
	if err := program.Start(); err != nil {
		return outcome{}, err
	}
	result, err := d.logOutput(ctx, events)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{result.ExitCode, result.Backtrace}
	switch {
	case !errors.Is(result.Err, debugger.ErrTerminated):
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		out.Error = context.Cause(ctx).Error()
	default:
		out.Error = "the program was cancelled"
	}
	return out, nil
}

// logOutput writes what a program says to the client's log until the program ends.
func (d *document) logOutput(
	ctx context.Context, events *debugger.Observer,
) (debugger.Result, error) {
	for {
		// The end of a program whose context has ended is waited for, too.
		e, err := events.Next(context.WithoutCancel(ctx))
		if err != nil {
			return debugger.Result{}, err
		}
		switch e := e.(type) {
		case debugger.Output:
			d.log(ctx, protocol.MessageTypeLog, strings.TrimSuffix(e.Text, "\n"))
		case debugger.Ended:
			return e.Result, nil
		}
	}
}

func (d *document) log(ctx context.Context, t protocol.MessageType, text string) {
	err := d.session.LogMessage(context.WithoutCancel(ctx), t, text)
	if err != nil {
		d.session.Core().Logger().Debug("output is lost", "error", err)
	}
}

// debug starts a document, stopped before its first statement, and leaves it to a debugger of the
// same host. It answers with the session for a debugger to attach to.
func debug(ctx context.Context, d *document, _ protocol.ProgressToken) (protocol.LSPAny, error) {
	cfg := d.config()
	cfg.StopOnEntry = true
	program, err := stateOf(d.session).face.Programs.New(cfg, clientName(d.session))
	if err != nil {
		return nil, failed(err)
	}
	if err := program.Start(); err != nil {
		return nil, failed(err)
	}
	waits := d.session.Core().Go(func(ctx context.Context) {
		select {
		case <-program.Done():
		case <-ctx.Done():
			// If no debugger has come, none will: the program is let go.
			program.Join()
			program.Leave()
		}
	})
	if !waits {
		program.Terminate()
	}
	d.log(ctx, protocol.MessageTypeInfo, fmt.Sprintf(
		"%s waits for a debugger: attach with {\"session\": %q}", filepath.Base(d.name), program.ID))
	return json.Marshal(map[string]string{"session": program.ID})
}

// clientName returns how other clients of the host are told who started a program.
func clientName(s *lsp.Session) string {
	if name := s.ClientInfo().Name; name != "" {
		return name
	}
	return fmt.Sprintf("editor %d", s.Core().ID())
}
