package debugger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// dialect is what expressions and statements of clients may use: everything.
var dialect = syntax.FileOptions{
	Set:             true,
	While:           true,
	TopLevelControl: true,
	GlobalReassign:  true,
}

// expressionFile is the file name in the positions of evaluated text.
const expressionFile = "<expression>"

// An expression is evaluated in frames, any number of times and by one goroutine at a time. It is
// compiled when it meets a frame with other names than the last.
type expression struct {
	src   string
	names []string // that the expression may refer to
	env   starlark.StringDict
	fn    *starlark.Function // compiled with the names of env
}

// newExpression reads an expression.
func newExpression(src string) (*expression, error) {
	expr, err := parseExpr(src)
	if err != nil {
		return nil, err
	}
	src = strings.TrimSpace(src)
	return &expression{src: src, names: namesIn(expr), env: make(starlark.StringDict)}, nil
}

// maxCode is how many bytes an evaluated text may have.
const maxCode = 64 << 10

func parseExpr(src string) (syntax.Expr, error) {
	if len(src) > maxCode {
		return nil, fmt.Errorf("text of %d bytes is too long to evaluate, want at most %d",
			len(src), maxCode)
	}
	// An indentation would be an error.
	expr, err := dialect.ParseExpr(expressionFile, strings.TrimSpace(src), 0)
	return expr, syntaxError(err)
}

// syntaxError drops the position of an error in a text that is one line of the client's.
func syntaxError(err error) error {
	var failed syntax.Error
	if errors.As(err, &failed) {
		return errors.New(failed.Msg)
	}
	return err
}

// namesIn returns the names that appear in an expression, whatever they refer to.
func namesIn(node syntax.Node) []string {
	var names []string
	syntax.Walk(node, func(n syntax.Node) bool {
		if id, ok := n.(*syntax.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// eval evaluates the expression in the frame.
func (x *expression) eval(thread *starlark.Thread, f *frame) (starlark.Value, error) {
	changed := x.fn == nil
	for _, name := range x.names {
		v, ok := f.lookup(name)
		if ok != x.env.Has(name) {
			changed = true
		}
		if ok {
			x.env[name] = v
		} else {
			delete(x.env, name)
		}
	}
	if changed {
		fn, err := starlark.ExprFuncOptions(&dialect, expressionFile, x.src, x.env)
		if err != nil {
			return nil, resolveError(err)
		}
		x.fn = fn
	}
	return starlark.Call(thread, x.fn, nil, nil)
}

// scratch returns a thread to evaluate on.
func (e *execution) scratch(name string, print func(*starlark.Thread, string)) *starlark.Thread {
	t := &starlark.Thread{Name: name, Print: print, Load: noLoad}
	e.run.cfg.Prepare(t)
	return t
}

func noLoad(_ *starlark.Thread, module string) (starlark.StringDict, error) {
	return nil, fmt.Errorf("%q cannot be loaded while the program is stopped", module)
}

// evalSteps is how many steps of the interpreter an evaluation may take: about a second.
const evalSteps = 20_000_000

// maxEvalOutput is how many bytes an evaluation may print.
const maxEvalOutput = 1 << 20

// An evaluation is a client's request to run code while the program stands still. It ends with the
// request, and at the latest when the program goes on.
type evaluation struct {
	thread *starlark.Thread
	output []byte
	stop   func()
}

func (s *stopped) evaluation(ctx context.Context) *evaluation {
	ev := new(evaluation)
	ev.thread = s.exec.scratch("evaluate", ev.print)
	ev.thread.SetMaxExecutionSteps(evalSteps)
	spent := s.exec.spent.Load()
	ended := context.AfterFunc(ctx, func() { ev.thread.Cancel("the request was cancelled") })
	left := context.AfterFunc(s.ctx, func() { ev.thread.Cancel("the program goes on") })
	cfg := &s.exec.run.cfg
	charged := &load{limit: cfg.MaxMemory, end: func() {
		ev.thread.Cancel(memoryError(cfg.MaxMemory).Error())
	}}
	cfg.Meter.enter(charged)
	ev.stop = func() {
		ended()
		left()
		cfg.Meter.leave(charged)
		cfg.Meter.finish(charged)
		// The steps that hooks took on this thread are not the program's.
		s.exec.spent.Store(spent)
	}
	return ev
}

func (ev *evaluation) print(thread *starlark.Thread, text string) {
	if len(ev.output)+len(text) >= maxEvalOutput {
		thread.Cancel(fmt.Sprintf("output limit of %d bytes exceeded", maxEvalOutput))
		return
	}
	ev.output = append(append(ev.output, text...), '\n')
}
