package workspace

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/builtin"
	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/signature"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// callProblems returns the calls of known functions whose arguments do not fit.
func (f *File) callProblems() []Problem {
	var list []Problem
	known := make(map[*scope.Binding]*signature.Signature)
	for _, call := range f.names.Calls {
		if sig := f.called(call, known); sig != nil {
			list = append(list, f.checkCall(call, sig)...)
		}
	}
	return list
}

// called returns the signature of the function that a call calls, or nil when it is not certain.
// Known holds the signatures found so far.
func (f *File) called(
	call *syntax.CallExpr, known map[*scope.Binding]*signature.Signature,
) *signature.Signature {
	switch fn := call.Fn.(type) {
	case *syntax.Ident:
		ref := f.names.RefOf(fn)
		if ref == nil || ref.Binding == nil {
			return nil
		}
		sig, ok := known[ref.Binding]
		if !ok {
			sig = f.certain(ref.Binding)
			known[ref.Binding] = sig
		}
		return sig
	case *syntax.DotExpr:
		if lit, ok := fn.X.(*syntax.Literal); ok {
			if s := builtin.Method(literalType(lit), fn.Name.Name); s != nil {
				return s.Sig
			}
		}
	}
	return nil
}

// certain returns the signature of a function that a binding always is, or nil.
func (f *File) certain(b *scope.Binding) *signature.Signature {
	if b.Kind == scope.Predeclared {
		if s := f.set.env.lookup(b.Name); s != nil {
			return s.Sig
		}
		return nil
	}
	to, def := f.origin(b)
	if def == nil || def.Writes() != 1 {
		return nil
	}
	if fn, ok := def.Node.(*syntax.DefStmt); ok && def.Kind == scope.Function {
		return to.signature(def.Name, fn.Params, nil)
	}
	if fn, ok := def.Value.(*syntax.LambdaExpr); ok {
		return to.signature(def.Name, fn.Params, nil)
	}
	return nil
}

// checkCall returns what is wrong with the arguments of a call. A call that passes on *args or
// **kwargs, or that could not be parsed in full, is not checked for missing ones.
func (f *File) checkCall(call *syntax.CallExpr, sig *signature.Signature) []Problem {
	var list []Problem
	given := make([]bool, len(sig.Params))
	positional, open := 0, false
	for _, arg := range call.Args {
		switch a := arg.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				open = true
				continue
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				list = append(list, f.checkNamed(a.X.(*syntax.Ident), sig, given, positional)...)
				continue
			}
		case *syntax.Ident:
			open = open || a.Name == parse.Hole
		}
		if n := sig.At(positional); n >= 0 {
			given[n] = true
		} else if !open {
			list = append(list, f.argumentProblem("too-many-arguments", f.tree.Span(arg),
				"%s takes %s", sig.Name, atMost(positional)))
			open = true
		}
		positional++
	}
	if missing := missingParams(sig, given); missing != "" && !open && !f.broken(f.tree.Span(call)) {
		list = append(list, f.argumentProblem("missing-argument", f.tree.Span(call.Fn),
			"%s needs the argument %s", sig.Name, missing))
	}
	return list
}

// atMost says how many arguments a function takes by position.
func atMost(n int) string {
	switch n {
	case 0:
		return "no positional arguments"
	case 1:
		return "at most 1 positional argument"
	}
	return fmt.Sprintf("at most %d positional arguments", n)
}

func (f *File) argumentProblem(code string, span source.Span, format string, args ...any) Problem {
	return Problem{Code: code, Span: span, Msg: fmt.Sprintf(format, args...)}
}

// checkNamed checks an argument given by name behind some by position. That its name is not given
// twice is a matter of syntax, and checked with that.
func (f *File) checkNamed(
	id *syntax.Ident, sig *signature.Signature, given []bool, positional int,
) []Problem {
	n := sig.Named(id.Name)
	span := f.tree.Span(id)
	switch {
	case id.Name == parse.Hole:
	case n < 0 && sig.Params == nil:
		return []Problem{f.argumentProblem("unknown-argument", span, "%s takes no arguments", sig.Name)}
	case n < 0:
		return []Problem{f.argumentProblem("unknown-argument", span,
			"%s has no parameter %s that can be given by name", sig.Name, id.Name)}
	case sig.Params[n].Kind == signature.Kwargs:
	case n < positional:
		return []Problem{f.argumentProblem("duplicate-argument", span,
			"the argument %s is given by position already", id.Name)}
	default:
		given[n] = true
	}
	return nil
}

// missingParams returns the names of the required parameters that are not given.
func missingParams(sig *signature.Signature, given []bool) string {
	var names []string
	for i, p := range sig.Params {
		if p.Required() && !given[i] {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", ")
}
