package workspace

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/signature"
)

// function returns the value of a function defined in the file.
func (f *File) function(x *syntax.DefStmt, steps int) value {
	sig := f.signature(x.Name.Name, x.Params, x.Body)
	result := f.result(x.Body, steps)
	sig.Result = result.typ
	return value{typ: "function", sig: sig, doc: sig.Doc, result: &result}
}

// signature returns the signature of a function defined in the file, documented by its body.
func (f *File) signature(
	name string, params []syntax.Expr, body []syntax.Stmt,
) *signature.Signature {
	sig := signature.Of(name, params, func(n syntax.Node) string {
		return f.text.Slice(f.tree.Span(n))
	})
	if sig.Doc = docstring(body); sig.Doc == "" {
		return sig
	}
	docs := paramDocs(sig.Doc)
	for i := range sig.Params {
		sig.Params[i].Doc = docs[sig.Params[i].Name]
	}
	return sig
}

// maxReturns is how many return statements are looked at to find the type of a result.
const maxReturns = 8

// result returns what a body returns, if it has one return statement, or else the type that all of
// them agree on.
func (f *File) result(body []syntax.Stmt, steps int) value {
	var v value
	returns := 0
	for _, stmt := range body {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.DefStmt, *syntax.LambdaExpr:
				return false
			case *syntax.ReturnStmt:
				got := value{typ: "NoneType"}
				if x.Result != nil && returns < maxReturns {
					got = f.infer(x.Result, steps)
				}
				if returns > 0 {
					got = common(v, got)
				}
				v = got
				returns++
			}
			return returns < maxReturns
		})
	}
	if returns >= maxReturns || !f.anyLeaves(body) { // which may end without a return statement
		return value{}
	}
	return v
}
