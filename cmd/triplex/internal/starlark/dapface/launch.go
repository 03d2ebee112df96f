package dapface

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	starlarkjson "go.starlark.net/lib/json"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/dap"
	"triplex/host"
)

// launchArguments are described in the package documentation.
type launchArguments struct {
	dap.LaunchRequestArguments
	Program     string                     `json:"program"`
	Args        []string                   `json:"args,omitzero"`
	StopOnEntry bool                       `json:"stopOnEntry,omitzero"`
	Console     console                    `json:"console,omitzero"`
	MaxSteps    uint64                     `json:"maxSteps,omitzero"`
	MaxMemory   uint64                     `json:"maxMemory,omitzero"` // MiB
	Predeclared map[string]json.RawMessage `json:"predeclared,omitzero"`
	Options     dialect                    `json:"options,omitzero"`
	Roots       []string                   `json:"roots,omitzero"`
}

// A dialect is [syntax.FileOptions] in JSON.
type dialect struct {
	Set               bool `json:"set,omitzero"`
	While             bool `json:"while,omitzero"`
	TopLevelControl   bool `json:"topLevelControl,omitzero"`
	GlobalReassign    bool `json:"globalReassign,omitzero"`
	LoadBindsGlobally bool `json:"loadBindsGlobally,omitzero"`
	Recursion         bool `json:"recursion,omitzero"`
}

// attachArguments are described in the package documentation. A session may be given as a number,
// too.
type attachArguments struct {
	dap.AttachRequestArguments
	Session json.RawMessage `json:"session,omitzero"`
}

var (
	launchRequest = dap.Request[*launchArguments, dap.Empty]{Method: dap.Launch.Method}
	attachRequest = dap.Request[*attachArguments, dap.Empty]{Method: dap.Attach.Method}
)

// equal reports whether p and q ask for the same. Clients add members of their own, such as the
// number of the session, that say nothing.
func (p *launchArguments) equal(q *launchArguments) bool {
	a, b := *p, *q
	a.LaunchRequestArguments = dap.LaunchRequestArguments{NoDebug: new(dap.Or(p.NoDebug, false))}
	b.LaunchRequestArguments = dap.LaunchRequestArguments{NoDebug: new(dap.Or(q.NoDebug, false))}
	return reflect.DeepEqual(a, b)
}

// launch starts a program once the client is done with its breakpoints.
func (s *session) launch(ctx context.Context, p *launchArguments) (dap.Empty, error) {
	return dap.Empty{}, s.take(ctx, func(started context.Context) error {
		cfg, err := s.configure(p)
		if err != nil {
			return err
		}
		if err := s.peer.AwaitConfiguration(started); err != nil {
			return err
		}
		return s.start(started, p, cfg)
	})
}

// take has f get the session's one program. If that fails, the client may try again.
func (s *session) take(ctx context.Context, f func(started context.Context) error) error {
	started, err := s.begin(ctx)
	if err != nil {
		return err
	}
	if err := f(started); err != nil {
		s.fail()
		return err
	}
	return nil
}

// configure checks the arguments of launch.
func (s *session) configure(p *launchArguments) (debugger.Config, error) {
	var cfg debugger.Config
	if p.Program == "" {
		return cfg, shown(idConfig, "launch: program is missing: the file to run")
	}
	if err := p.Console.check(s); err != nil {
		return cfg, err
	}
	program, err := s.files.key(p.Program)
	if err != nil {
		return cfg, shown(idConfig, "launch: program: %v", err)
	}
	texts, err := newTexts(s.texts.workspace, p.Roots)
	if err == nil {
		_, err = texts.Read(program)
	}
	if err != nil {
		return cfg, shown(idProgram, "launch: %v", err)
	}
	names, err := values(p.Predeclared)
	if err != nil {
		return cfg, shown(idConfig, "launch: predeclared: %v", err)
	}
	return debugger.Config{
		Program:     program,
		Source:      texts,
		Args:        p.Args,
		Predeclared: names,
		Options:     (*syntax.FileOptions)(&p.Options),
		StopOnEntry: p.StopOnEntry,
		NoDebug:     dap.Or(p.NoDebug, false),
		MaxSteps:    p.MaxSteps,
		MaxMemory:   min(p.MaxMemory, math.MaxUint64>>20) << 20,
	}, nil
}

// values returns the frozen Starlark values of JSON texts.
func values(texts map[string]json.RawMessage) (starlark.StringDict, error) {
	decode := starlarkjson.Module.Members["decode"]
	names := make(starlark.StringDict, len(texts))
	for name, text := range texts {
		arg := starlark.Tuple{starlark.String(text)}
		v, err := starlark.Call(new(starlark.Thread), decode, arg, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		v.Freeze()
		names[name] = v
	}
	return names, nil
}

// start runs a program, in a terminal if that is wanted. ctx is that of the request.
func (s *session) start(ctx context.Context, p *launchArguments, cfg debugger.Config) error {
	run, err := s.programs.New(cfg, s.name())
	if err != nil {
		return err
	}
	if p.Console.isTerminal() {
		if err := s.openTerminal(ctx, p, run); err != nil {
			run.Terminate()
			return err
		}
	}
	if err := s.follow(ctx, &view{run: run, launched: p}); err != nil {
		return err
	}
	return run.Start()
}

// follow makes v what the session debugs. Its events follow the answer to the request in hand.
func (s *session) follow(ctx context.Context, v *view) error {
	v.run.Join()
	v.events = v.run.Observe()
	var before *view
	moved, err := s.points.adopt(v.run, func() (err error) {
		before, err = s.show(v)
		return err
	})
	if err != nil {
		s.drop(v, v.launched != nil)
		return err
	}
	host.AfterReply(ctx, func() {
		if before != nil {
			s.drop(before, true)
		}
		if !s.peer.Core().Go(func(ctx context.Context) { s.tell(ctx, v, moved) }) {
			v.events.Close()
		}
	})
	return nil
}

// attach joins a program that runs already.
func (s *session) attach(ctx context.Context, p *attachArguments) (dap.Empty, error) {
	return dap.Empty{}, s.take(ctx, func(started context.Context) error {
		run, err := s.find(p.Session)
		if err != nil {
			return err
		}
		if err := s.peer.AwaitConfiguration(started); err != nil {
			return err
		}
		return s.follow(started, &view{run: run})
	})
}

// find returns the run whose id a client gave as a string or a number.
func (s *session) find(id json.RawMessage) (*runs.Run, error) {
	name := string(id)
	if len(id) > 0 && id[0] == '"' {
		if err := json.Unmarshal(id, &name); err != nil {
			return nil, shown(idConfig, "attach: session: %v", err)
		}
	}
	if name == "null" {
		name = ""
	}
	run, err := s.programs.Find(name)
	if err != nil {
		return nil, shown(idNoRun, "attach: %v", err)
	}
	return run, nil
}
