package debugger

import (
	"context"
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// SetVariable assigns the variable of a name inside a scope or another variable, and returns the
// new one. The value is an expression in the frame that the scope or the variable is of. Only
// elements of lists and dicts, and fields of types that allow it, can be assigned; the error says
// why another cannot.
func (r *Run) SetVariable(ctx context.Context, ref int, name, value string) (Variable, error) {
	var shown Variable
	err := r.inspect(ctx, func(s *stopped) error {
		vs, err := s.referred(ref)
		if err != nil {
			return err
		}
		v, err := s.value(ctx, s.frame(vs.frame), value)
		if err != nil {
			return err
		}
		if err := vs.set(name, v); err != nil {
			return err
		}
		shown = s.variable(member{name: name, value: v}, vs.frame, vs.lasting)
		return nil
	})
	return shown, err
}

// SetExpression assigns what an expression in the frame stands for, as SetVariable does: x[i] and
// x.f can be assigned, a variable cannot.
func (r *Run) SetExpression(ctx context.Context, frame int, target, value string) (
	Variable, error,
) {
	var shown Variable
	err := r.inspect(ctx, func(s *stopped) error {
		f, err := s.frameByID(frame)
		if err != nil {
			return err
		}
		v, err := s.value(ctx, f, value)
		if err != nil {
			return err
		}
		if err := s.assign(ctx, f, target, v); err != nil {
			return err
		}
		shown = s.variable(member{name: target, value: v, path: target}, f.index, false)
		return nil
	})
	return shown, err
}

// value evaluates an expression of a client.
func (s *stopped) value(ctx context.Context, f *frame, src string) (starlark.Value, error) {
	expr, err := parseExpr(src)
	if err != nil {
		return nil, err
	}
	return s.compute(ctx, f, expr)
}

// compute evaluates an expression in the frame.
func (s *stopped) compute(ctx context.Context, f *frame, expr syntax.Expr) (
	starlark.Value, error,
) {
	ev := s.evaluation(ctx)
	defer ev.stop()
	return s.exec.compute(ev.thread, f, expr)
}

// assign sets what the expression target stands for.
func (s *stopped) assign(ctx context.Context, f *frame, target string, v starlark.Value) error {
	expr, err := parseExpr(target)
	if err != nil {
		return err
	}
	for {
		inner, ok := expr.(*syntax.ParenExpr)
		if !ok {
			break
		}
		expr = inner.X
	}
	switch t := expr.(type) {
	case *syntax.Ident:
		return notAssignable(t.Name)
	case *syntax.DotExpr:
		x, err := s.compute(ctx, f, t.X)
		if err != nil {
			return err
		}
		return setField(x, t.Name.Name, v)
	case *syntax.IndexExpr:
		x, err := s.compute(ctx, f, t.X)
		if err != nil {
			return err
		}
		i, err := s.compute(ctx, f, t.Y)
		if err != nil {
			return err
		}
		return setIndex(x, i, v)
	}
	return errors.New("only an element x[i] or a field x.f can be assigned")
}

// set assigns the variable of a name.
func (vs *variables) set(name string, v starlark.Value) error {
	for _, m := range vs.named {
		switch {
		case m.name != name:
		case vs.owner == nil:
			return notAssignable(name)
		default:
			return setField(vs.owner, name, v)
		}
	}
	if vs.indexed == nil {
		return fmt.Errorf("no variable %s here", name)
	}
	return vs.indexed.set(name, v)
}

// setField is the statement x.name = v.
func setField(x starlark.Value, name string, v starlark.Value) error {
	if x, ok := x.(starlark.HasSetField); ok {
		return x.SetField(name, v)
	}
	return fmt.Errorf("the fields of a %s cannot be assigned", x.Type())
}

// setIndex is the statement x[i] = v.
func setIndex(x, i, v starlark.Value) error {
	switch x := x.(type) {
	case starlark.HasSetKey:
		return x.SetKey(i, v)
	case starlark.HasSetIndex:
		n, err := starlark.AsInt32(i)
		if err != nil {
			return err
		}
		if n < 0 {
			n += x.Len()
		}
		if n < 0 || n >= x.Len() {
			return fmt.Errorf("index %v is out of range, the %s has %d elements",
				i, x.Type(), x.Len())
		}
		return x.SetIndex(n, v)
	}
	return fmt.Errorf("the elements of a %s cannot be assigned", x.Type())
}
