package workspace

import (
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/signature"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// An InlayHint is text that an editor may show between the characters of a file.
type InlayHint struct {
	Offset int
	Label  string // such as "mode ="
}

// InlayHints returns the names of the parameters that take the positional arguments within a span.
// There is none where the argument says it by itself, nor for built-in functions.
func (f *File) InlayHints(span source.Span) []InlayHint {
	var hints []InlayHint
	known := make(map[*scope.Binding]*signature.Signature)
	for _, call := range f.names.Calls {
		arguments := source.Span{Start: f.tree.Offset(call.Lparen), End: f.tree.Offset(call.Rparen)}
		if !arguments.Overlaps(span) {
			continue
		}
		sig := f.called(call, known)
		if sig == nil {
			continue
		}
		for i, arg := range call.Args {
			at := f.tree.Span(arg)
			n := sig.At(i)
			if !positional(arg) || n < 0 {
				break
			}
			if p := sig.Params[n]; p.Kind == signature.Normal && !tells(arg, p.Name) &&
				span.Overlaps(at) {
				hints = append(hints, InlayHint{at.Start, p.Name + " ="})
			}
		}
	}
	return hints
}

// positional reports whether an argument is given by position.
func positional(arg syntax.Expr) bool {
	switch x := arg.(type) {
	case *syntax.UnaryExpr:
		return x.Op != syntax.STAR && x.Op != syntax.STARSTAR
	case *syntax.BinaryExpr:
		return x.Op != syntax.EQ
	}
	return true
}

// tells reports whether an argument names its parameter: it is a variable or an attribute of that
// name.
func tells(arg syntax.Expr, param string) bool {
	switch x := arg.(type) {
	case *syntax.Ident:
		return strings.EqualFold(x.Name, param)
	case *syntax.DotExpr:
		return strings.EqualFold(x.Name.Name, param)
	}
	return false
}
