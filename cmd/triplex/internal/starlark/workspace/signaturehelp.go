package workspace

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/signature"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Call is a call around a place.
type Call struct {
	Signature *signature.Signature
	Span      source.Span // between the parentheses
	Active    int         // index of the parameter that takes the argument at the place, or -1
}

// Call returns the innermost call of a known function whose parentheses are around the offset, or
// nil.
func (f *File) Call(off int) *Call {
	_, found := f.call(f.clamp(off))
	return found
}

// call is Call with the expression.
func (f *File) call(off int) (expr *syntax.CallExpr, found *Call) {
	written := f.written(off)
	for _, n := range f.tree.Path(written) {
		x, ok := n.(*syntax.CallExpr)
		if !ok {
			continue
		}
		span := source.Span{Start: f.tree.Offset(x.Lparen) + 1, End: f.tree.Offset(x.Rparen)}
		if f.text.Slice(source.Span{Start: span.End, End: span.End + 1}) != ")" {
			span.End = max(off, span.End) // it is not closed yet
		}
		if off < span.Start || off > span.End {
			continue
		}
		if sig := f.infer(x.Fn, maxSteps).sig; sig != nil {
			expr = x
			found = &Call{Signature: sig, Span: span, Active: f.activeParam(x, sig, off, written)}
		}
	}
	return expr, found
}

// given reports for each parameter whether a call gives it, the argument at an offset aside.
func (f *File) given(call *syntax.CallExpr, sig *signature.Signature, off int) []bool {
	given := make([]bool, len(sig.Params))
	at, _ := f.argumentAt(call, off)
	for i, arg := range call.Args {
		n := sig.At(i)
		if x, ok := arg.(*syntax.BinaryExpr); ok && x.Op == syntax.EQ {
			n = sig.Named(x.X.(*syntax.Ident).Name)
		}
		if id, ok := arg.(*syntax.Ident); i != at && n >= 0 && (!ok || id.Name != parse.Hole) {
			given[n] = true
		}
	}
	return given
}

// activeParam returns the index of the parameter that takes the argument at an offset of a call, or
// the one that ends at the offset written, with nothing but blanks between them.
func (f *File) activeParam(
	call *syntax.CallExpr, sig *signature.Signature, off, written int,
) int {
	i, arg := f.argumentAt(call, off)
	if i < 0 {
		i, arg = f.argumentAt(call, written)
	}
	if i >= 0 {
		if x, ok := arg.(*syntax.BinaryExpr); ok && x.Op == syntax.EQ {
			return sig.Named(x.X.(*syntax.Ident).Name)
		}
		return sig.At(i)
	}
	return sig.At(f.commasBefore(call, off))
}

// argumentAt returns the argument whose text touches the offset and its index, or -1.
func (f *File) argumentAt(call *syntax.CallExpr, off int) (int, syntax.Expr) {
	for i, arg := range call.Args {
		if id, ok := arg.(*syntax.Ident); ok && id.Name == parse.Hole {
			continue
		}
		if f.tree.Span(arg).Touches(off) {
			return i, arg
		}
	}
	return -1, nil
}

// commasBefore returns the number of commas of a call's own before an offset.
func (f *File) commasBefore(call *syntax.CallExpr, off int) int {
	start := f.tree.Offset(call.Lparen) + 1
	depth, commas := 0, 0
	part := source.New(f.text.Slice(source.Span{Start: start, End: off}))
	for _, t := range parse.Tokens(part) {
		switch {
		case t.Kind == parse.Open:
			depth++
		case t.Kind == parse.Close:
			depth--
		case depth == 0 && part.Slice(t.Span) == ",":
			commas++
		}
	}
	return commas
}
