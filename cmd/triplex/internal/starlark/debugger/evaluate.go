package debugger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Purpose is what an evaluation is for.
type Purpose int

// The purposes of an evaluation.
const (
	// Watch evaluates an expression to show its value.
	Watch Purpose = iota
	// Clipboard is as Watch, but the text of the value is as long as a clipboard may like it.
	Clipboard
	// Repl also takes statements. The names they bind stay until the program ends, for other
	// evaluations with this purpose.
	Repl
)

// maxClipboard is how many bytes of a value go to a clipboard.
const maxClipboard = 1 << 20

// An Evaluation is the result of Evaluate.
type Evaluation struct {
	Variable
	// Output is what the evaluated code printed. The observers do not get it.
	Output string
}

// Evaluate runs code of a client, of at most 64 KiB, in a frame of the stopped program; the frame
// zero is the innermost. The code cannot assign the program's variables, but it can change the
// values they have. It ends when ctx does, when the program goes on, and after a number of steps
// that takes about a second.
func (r *Run) Evaluate(ctx context.Context, frame int, src string, purpose Purpose) (
	Evaluation, error,
) {
	var result Evaluation
	err := r.inspect(ctx, func(s *stopped) error {
		f, err := s.frameByID(frame)
		if err != nil {
			return err
		}
		ev := s.evaluation(ctx)
		defer ev.stop()
		v, err := s.evaluate(ev, f, src, purpose)
		result.Output = string(ev.output)
		if err != nil {
			return err
		}
		shown := member{value: v, path: strings.TrimSpace(src)}
		result.Variable = s.variable(shown, f.index, purpose == Repl)
		if purpose == Clipboard {
			result.Value = preview(v, maxClipboard)
		}
		return nil
	})
	return result, err
}

func (s *stopped) evaluate(ev *evaluation, f *frame, src string, purpose Purpose) (
	starlark.Value, error,
) {
	if purpose == Repl {
		return s.exec.interact(ev.thread, f, src)
	}
	x, err := newExpression(src)
	if err != nil {
		return nil, err
	}
	return x.eval(ev.thread, f)
}

// interact evaluates an expression or runs statements, in the frame with the names of the repl.
func (e *execution) interact(thread *starlark.Thread, f *frame, src string) (
	starlark.Value, error,
) {
	expr, err := parseExpr(src)
	if err == nil {
		return e.compute(thread, f, expr)
	}
	if len(src) > maxCode {
		return nil, err
	}
	file, err := dialect.Parse(expressionFile, strings.TrimSpace(src), 0)
	if err != nil {
		return nil, syntaxError(err)
	}
	env := e.names(f, namesIn(file))
	if err := bindable(file, f); err != nil {
		return nil, err
	}
	err = starlark.ExecREPLChunk(file, thread, env)
	for _, name := range boundBy(file.Stmts) {
		if v, ok := env[name]; ok {
			e.repl[name] = v
		}
	}
	return starlark.None, resolveError(err)
}

// compute evaluates an expression in the frame with the names of the repl.
func (e *execution) compute(thread *starlark.Thread, f *frame, expr syntax.Expr) (
	starlark.Value, error,
) {
	v, err := starlark.EvalExprOptions(&dialect, thread, expr, e.names(f, namesIn(expr)))
	return v, resolveError(err)
}

// names returns the values that names have in the frame, or else in the repl.
func (e *execution) names(f *frame, names []string) starlark.StringDict {
	env := make(starlark.StringDict)
	for _, name := range names {
		if v, ok := f.lookup(name); ok && !universal(name, v) {
			env[name] = v
		} else if v, ok := e.repl[name]; ok {
			env[name] = v
		}
	}
	return env
}

func universal(name string, v starlark.Value) bool { return starlark.Universe[name] == v }

// bindable refuses statements that would assign a variable of the program: the assignment would
// seem to work and change nothing.
func bindable(file *syntax.File, f *frame) error {
	for _, name := range boundBy(file.Stmts) {
		if f.declares(name) {
			return notAssignable(name)
		}
	}
	return nil
}

// declares reports whether the program has a variable of this name where the frame stands.
func (f *frame) declares(name string) bool {
	for _, scope := range [][]member{f.locals(), f.free()} {
		for _, m := range scope {
			if m.name == name {
				return true
			}
		}
	}
	if _, ok := f.loaded(name); ok {
		return true
	}
	return f.globals().Has(name)
}

func notAssignable(name string) error {
	return fmt.Errorf("%s is a variable of the program and cannot be assigned while debugging;"+
		" the elements and fields of its value can", name)
}

// boundBy returns the names that statements bind, outside of functions.
func boundBy(stmts []syntax.Stmt) []string {
	var names []string
	for _, stmt := range stmts {
		switch s := stmt.(type) {
		case *syntax.AssignStmt:
			names = append(names, namesBound(s.LHS)...)
		case *syntax.DefStmt:
			names = append(names, s.Name.Name)
		case *syntax.ForStmt:
			names = append(append(names, namesBound(s.Vars)...), boundBy(s.Body)...)
		case *syntax.WhileStmt:
			names = append(names, boundBy(s.Body)...)
		case *syntax.IfStmt:
			names = append(append(names, boundBy(s.True)...), boundBy(s.False)...)
		}
	}
	return names
}

// namesBound returns the names among the targets of an assignment.
func namesBound(target syntax.Expr) []string {
	switch t := target.(type) {
	case *syntax.Ident:
		return []string{t.Name}
	case *syntax.ParenExpr:
		return namesBound(t.X)
	case *syntax.TupleExpr:
		return namesBoundByAll(t.List)
	case *syntax.ListExpr:
		return namesBoundByAll(t.List)
	}
	return nil
}

func namesBoundByAll(targets []syntax.Expr) []string {
	var names []string
	for _, t := range targets {
		names = append(names, namesBound(t)...)
	}
	return names
}

// resolveError drops the position of an error about a name.
func resolveError(err error) error {
	var list resolve.ErrorList
	if errors.As(err, &list) {
		return errors.New(list[0].Msg)
	}
	return err
}
