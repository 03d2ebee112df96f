package dapface

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/terminal"
	"triplex/dap"
)

// A console is where a program prints.
type console string

const (
	internalConsole    console = "internalConsole"
	integratedTerminal console = "integratedTerminal"
	externalTerminal   console = "externalTerminal"
)

func (c console) isTerminal() bool { return c == integratedTerminal || c == externalTerminal }

// check refuses a console that the client does not have.
func (c console) check(s *session) error {
	switch {
	case c == "" || c == internalConsole:
		return nil
	case !c.isTerminal():
		return shown(idConfig, "launch: console is %q, want %s, %s or %s",
			string(c), internalConsole, integratedTerminal, externalTerminal)
	case !dap.Or(s.peer.Client().SupportsRunInTerminalRequest, false):
		return shown(idTerminal, "launch: the debug client cannot run programs in a terminal: "+
			"use the console %s", internalConsole)
	}
	return nil
}

// connectTime is how long the process in the terminal may take to connect.
const connectTime = 20 * time.Second

// openTerminal has the client start a process in a terminal, in which run prints.
func (s *session) openTerminal(ctx context.Context, p *launchArguments, run *runs.Run) error {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTime,
		errors.New("the process in the terminal did not connect in time"))
	defer cancel()
	ln, err := terminal.Listen(ctx, s.peer.Core().Logger())
	if err != nil {
		return shown(idTerminal, "launch: %v", err)
	}
	defer ln.Close()
	command, err := s.command(p, run.Program, ln)
	if err != nil {
		return shown(idTerminal, "launch: %v", err)
	}
	if _, err := s.peer.RunInTerminal(ctx, command); err != nil {
		return noTerminal("the debug client did not run the terminal: ", err)
	}
	t, err := ln.Accept(ctx)
	if err != nil {
		return noTerminal("", err)
	}
	events := run.Observe()
	if !s.programs.Go(func() { mirror(run, events, t) }) {
		events.Close()
		t.Close()
		return errAbandoned
	}
	return nil
}

// noTerminal is the answer to a launch that waited for a terminal in vain. That the session was
// told to end is nothing to show to the user who did that.
func noTerminal(what string, err error) error {
	if errors.Is(err, errAbandoned) {
		return errAbandoned
	}
	return shown(idTerminal, "launch: %s%s", what, said(err))
}

// command is what the client runs in the terminal.
func (s *session) command(p *launchArguments, program string, ln *terminal.Listener) (
	*dap.RunInTerminalRequestArguments, error,
) {
	args, env, err := ln.Command()
	if err != nil {
		return nil, err
	}
	kind := dap.TerminalIntegrated
	if p.Console == externalTerminal {
		kind = dap.TerminalExternal
	}
	command := &dap.RunInTerminalRequestArguments{
		Kind:  &kind,
		Title: new(filepath.Base(program)),
		CWD:   directory(program),
		Args:  args,
		Env:   make(map[string]*string),
	}
	for name, value := range env {
		command.Env[name] = &value
	}
	return command, nil
}

// directory returns the folder of a program, or one that exists if the program has none.
func directory(program string) string {
	if isOpaque(program, platform) {
		dir, _ := filepath.Abs(".")
		return dir
	}
	return filepath.Dir(program)
}

// mirror prints in a terminal what a run prints, until the run has ended; when the terminal goes
// before that, it ends the run.
func mirror(run *runs.Run, events *debugger.Observer, t *terminal.Terminal) {
	defer events.Close()
	defer t.Close()
	stop := context.AfterFunc(t.Context(), run.Terminate)
	defer stop()
	for {
		ev, err := events.Next(t.Context())
		if err != nil {
			return
		}
		switch ev := ev.(type) {
		case debugger.Output:
			if ev.Category == debugger.Stdout && t.Write(ev.Text) != nil {
				return
			}
		case debugger.Ended:
			t.End(exit(ev.Result))
		}
	}
}

// exit returns with which code, and after which words, the process in the terminal exits.
func exit(result debugger.Result) (code int, text string) {
	if result.Err == nil {
		return result.ExitCode, ""
	}
	return result.ExitCode, result.Backtrace + "\n"
}
