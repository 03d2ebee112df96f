package debugger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// tick is after how many steps of the interpreter the limits are looked at, and whether a pause is
// due that no statement has answered: well below a millisecond.
const tick = 10_000

// An execution is the program being run, once. What has no other rule belongs to the goroutine of
// the program.
type execution struct {
	run    *Run
	ctx    context.Context // ends when the execution shall end
	cancel context.CancelCauseFunc
	thread *starlark.Thread
	fail   *starlark.Builtin // stands in for the function fail
	step   stepper
	// charged is with what the program's memory is held against its limit.
	charged *load
	raised  error // what the last call of fail returned that was shown as a stop
	output  int64 // bytes printed
	binds   *unit // the unit whose first statement binds its probes
	// entering is set until the stop on entry.
	entering bool
	ticked   bool // a tick has passed with a pause pending

	spent   atomic.Int64 // steps taken by hooks, counted if there is a step limit
	pausing atomic.Bool

	conditions *starlark.Thread    // evaluates conditions and log messages
	repl       starlark.StringDict // names bound by evaluated statements; guarded by Run.gate

	// Guarded by run.mu, except that the program's goroutine reads the first two, which only it
	// changes.
	units    map[string]*unit // by path
	order    []*unit          // as loaded
	attended bool             // every probe is armed
	restart  bool             // begin anew when it has ended
	// restartStopped tells to stop before the first statement then.
	restartStopped bool
}

// A unit is a file of the program.
type unit struct {
	exec   *execution
	layout *layout
	probes []*probe
	// globals and err are set when the file has run to its end or failed, and then never change,
	// unless the program has to give its memory back.
	ran     bool
	globals starlark.StringDict
	err     error
	// modules are what the file has loaded, by the names in its load statements. They belong to
	// the program's goroutine, and to whoever looks into the stopped program.
	modules map[string]starlark.StringDict
}

func newExecution(r *Run) *execution {
	e := &execution{
		run:   r,
		units: make(map[string]*unit),
		repl:  make(starlark.StringDict),

		entering: r.cfg.StopOnEntry,
	}
	e.ctx, e.cancel = context.WithCancelCause(context.Background())
	e.charged = &load{limit: r.cfg.MaxMemory, end: func() { r.exceed(e) }}
	e.thread = &starlark.Thread{
		Name:       r.cfg.Program,
		Print:      e.print,
		Load:       e.load,
		OnMaxSteps: e.tick,
	}
	e.thread.SetMaxExecutionSteps(1)
	return e
}

// execute runs the program to its end.
func (e *execution) execute() (result Result) {
	if err := contain(func() error { result = e.runProgram(); return nil }); err != nil {
		return failed(err)
	}
	return result
}

// contain calls f, which runs Starlark code, and returns its error, or that it panicked: built-in
// functions do, those of starlark-go among them.
func contain(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a built-in function: %v", p)
		}
	}()
	return f()
}

func (e *execution) runProgram() Result {
	cfg := &e.run.cfg
	cfg.Prepare(e.thread)
	if e.entering && !cfg.NoDebug {
		e.step.begin(StepIn, 0, syntax.Position{})
		e.run.mu.Lock()
		e.attend(true)
		e.run.mu.Unlock()
	}
	_, err := e.runFile(cfg.Program)
	if e.ctx.Err() != nil {
		return e.interrupted(err)
	}
	if err != nil {
		e.unwound(err)
		return failed(err)
	}
	return Result{}
}

// interrupted is how a program ends that was told to, with the error that it had from that.
func (e *execution) interrupted(err error) Result {
	result := failed(context.Cause(e.ctx))
	if err != nil {
		result.Backtrace = backtrace(err) // where it was by then
	}
	if errors.Is(result.Err, ErrMemory) {
		e.forget()
	}
	return result
}

// forget lets go of the globals of the program's files.
func (e *execution) forget() {
	e.run.mu.Lock()
	defer e.run.mu.Unlock()
	for _, u := range e.units {
		u.globals, u.modules = nil, nil
	}
}

// failed is how a program ends with an error.
func failed(err error) Result {
	return Result{Err: err, Backtrace: backtrace(err), ExitCode: 1}
}

// load is the program's load statement.
func (e *execution) load(thread *starlark.Thread, module string) (starlark.StringDict, error) {
	if u := e.binds; u != nil {
		e.binds = nil
		return u.bound(), nil
	}
	from := thread.CallFrame(0).Pos.Filename()
	names, err := e.module(thread, from, module)
	if u := e.units[from]; u != nil && err == nil {
		u.modules[module] = names
	}
	return names, err
}

// module returns the globals of the module that a load statement in the file from names.
func (e *execution) module(thread *starlark.Thread, from, module string) (
	starlark.StringDict, error,
) {
	if names, err := e.run.cfg.Builtin(thread, module); names != nil || err != nil {
		return names, err
	}
	path, err := e.run.cfg.Source.Resolve(from, module)
	if err != nil {
		return nil, err
	}
	return e.runFile(path)
}

// runFile runs a file, unless it has run before, and returns its globals.
func (e *execution) runFile(path string) (starlark.StringDict, error) {
	if u := e.units[path]; u != nil {
		if !u.ran {
			return nil, e.cycle(path)
		}
		return u.globals, u.err
	}
	text, err := e.run.cfg.Source.Read(path)
	if err != nil {
		return nil, err
	}
	l, err := parse(path, text, e.run.cfg.Options)
	if err != nil {
		return nil, err
	}
	u := &unit{exec: e, layout: l, modules: make(map[string]starlark.StringDict)}
	u.globals, u.err = e.runUnit(u)
	e.run.mu.Lock()
	u.ran = true
	e.run.mu.Unlock()
	return u.globals, u.err
}

func (e *execution) runUnit(u *unit) (starlark.StringDict, error) {
	cfg := &e.run.cfg
	if cfg.NoDebug {
		e.enter(u)
		_, program, err := u.layout.compilePlain(cfg.Predeclared)
		if err != nil {
			return nil, err
		}
		globals, err := program.Init(e.thread, cfg.Predeclared)
		freeze(globals)
		return globals, err
	}
	for _, s := range u.layout.stmts {
		u.probes = append(u.probes, &probe{unit: u, stmt: s})
	}
	e.enter(u)
	env := e.predeclared()
	program, err := u.layout.compile(cfg.Predeclared, env)
	if err != nil {
		return nil, err
	}
	if len(u.probes) > 0 {
		e.binds = u
		e.spent.Add(int64(u.layout.bindCost()))
	}
	globals, err := program.Init(e.thread, env)
	freeze(globals)
	return shown(globals), err
}

// hidden reports whether a variable is a probe.
func hidden(name string) bool { return name != "" && name[0] >= '0' && name[0] <= '9' }

// shown removes the probes from a file's globals, where Options.LoadBindsGlobally puts them.
func shown(globals starlark.StringDict) starlark.StringDict {
	maps.DeleteFunc(globals, func(name string, _ starlark.Value) bool { return hidden(name) })
	return globals
}

// predeclared returns the predeclared names of a program that is debugged.
func (e *execution) predeclared() starlark.StringDict {
	env := maps.Clone(e.run.cfg.Predeclared)
	if e.fail == nil {
		e.fail = e.failure()
	}
	if e.fail != nil {
		env["fail"] = e.fail
	}
	return env
}

// enter makes a unit known, with the breakpoints that are set in it.
func (e *execution) enter(u *unit) {
	r := e.run
	r.mu.Lock()
	defer r.mu.Unlock()
	e.units[u.layout.path] = u
	e.order = append(e.order, u)
	r.publish(ModuleLoaded{u.module()})
	r.settle(u)
}

// bound returns the probes by their names in the file.
func (u *unit) bound() starlark.StringDict {
	names := make(starlark.StringDict, len(u.probes))
	for i, p := range u.probes {
		if u.exec.run.cfg.MaxSteps > 0 {
			names[strconv.Itoa(i)] = countedProbe{p, &u.exec.spent}
		} else {
			names[strconv.Itoa(i)] = p
		}
	}
	return names
}

// cycle returns the error of a file that loads itself, by way of the files that are still running.
func (e *execution) cycle(path string) error {
	var chain []string
	for _, u := range e.order {
		if !u.ran && (len(chain) > 0 || u.layout.path == path) {
			chain = append(chain, u.layout.path)
		}
	}
	return fmt.Errorf("cycle of loads: %s", strings.Join(append(chain, path), " -> "))
}

// attend arms every probe, or only those with breakpoints. It requires run.mu.
func (e *execution) attend(every bool) {
	if e.attended == every {
		return
	}
	e.attended = every
	for _, u := range e.order {
		for _, p := range u.probes {
			p.arm(every)
		}
	}
}

// tick is called by the interpreter when the thread reaches the step count it was told last time.
func (e *execution) tick(thread *starlark.Thread) {
	spent := uint64(e.spent.Load())
	next := thread.Steps + tick
	if limit := e.run.cfg.MaxSteps; limit > 0 {
		if int64(thread.Steps-spent) >= int64(limit) {
			thread.Cancel("too many steps")
			return
		}
		next = min(next, limit+spent)
	}
	thread.SetMaxExecutionSteps(next)
	if e.pausing.Load() && e.ticked {
		e.halt(e.newStop(ReasonPause, 0, thread.CallFrame(0).Pos))
		return
	}
	// The first tick after a request leaves the answer to the next statement.
	e.ticked = e.pausing.Load()
}

// print is the program's print function.
func (e *execution) print(thread *starlark.Thread, text string) {
	e.output += int64(len(text)) + 1
	if e.output > e.run.cfg.MaxOutput {
		thread.Cancel(fmt.Sprintf("output limit of %d bytes exceeded", e.run.cfg.MaxOutput))
		return
	}
	out := Output{Category: Stdout, Text: text + "\n"}
	if thread.CallStackDepth() > 1 {
		if pos := thread.CallFrame(1).Pos; e.units[pos.Filename()] != nil {
			out.Path, out.Line, out.Column = pos.Filename(), int(pos.Line), int(pos.Col)
		}
	}
	e.say(out)
}

// say hands output to the observers, waiting for those that are behind.
func (e *execution) say(out Output) {
	e.run.mu.Lock()
	observers := slices.Collect(maps.Keys(e.run.observers))
	e.run.mu.Unlock()
	for _, o := range observers {
		o.wait(e.ctx, out)
	}
}
