package scope

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func (r *resolver) expr(e syntax.Expr) {
	switch x := e.(type) {
	case *syntax.Ident:
		r.use(x, nil)
	case *syntax.ParenExpr:
		r.expr(x.X)
	case *syntax.UnaryExpr:
		r.optional(x.X)
	case *syntax.BinaryExpr:
		r.exprs(x.X, x.Y)
	case *syntax.CondExpr:
		r.exprs(x.Cond, x.True, x.False)
	case *syntax.DotExpr:
		r.expr(x.X)
	case *syntax.IndexExpr:
		r.exprs(x.X, x.Y)
	case *syntax.SliceExpr:
		r.expr(x.X)
		r.optional(x.Lo)
		r.optional(x.Hi)
		r.optional(x.Step)
	case *syntax.ListExpr:
		r.exprs(x.List...)
	case *syntax.TupleExpr:
		r.exprs(x.List...)
	case *syntax.DictExpr:
		r.exprs(x.List...)
	case *syntax.DictEntry:
		r.exprs(x.Key, x.Value)
	case *syntax.CallExpr:
		r.call(x)
	case *syntax.LambdaExpr:
		span := r.tree.Span(x)
		r.function(x, x.Params, span, func() { r.expr(x.Body) })
	case *syntax.Comprehension:
		r.comprehension(x)
	}
}

func (r *resolver) exprs(list ...syntax.Expr) {
	for _, e := range list {
		r.expr(e)
	}
}

func (r *resolver) optional(e syntax.Expr) {
	if e != nil {
		r.expr(e)
	}
}

// comprehension enters a block. Only the sequence of the first clause is evaluated outside it.
func (r *resolver) comprehension(x *syntax.Comprehension) {
	first := x.Clauses[0].(*syntax.ForClause)
	r.expr(first.X)
	defer r.push(x, r.tree.Span(x))()
	r.assign(first.Vars, LoopVariable, first)
	for _, clause := range x.Clauses[1:] {
		switch c := clause.(type) {
		case *syntax.IfClause:
			r.expr(c.Cond)
		case *syntax.ForClause:
			r.assign(c.Vars, LoopVariable, c)
			r.expr(c.X)
		}
	}
	r.expr(x.Body)
}

// function enters the block of a function. Default values are evaluated outside it.
func (r *resolver) function(node syntax.Node, params []syntax.Expr, span source.Span, body func()) {
	for _, param := range params {
		if x, ok := param.(*syntax.BinaryExpr); ok {
			r.expr(x.Y)
		}
	}
	loops, ifs := r.loops, r.ifs
	r.loops, r.ifs = 0, 0
	pop := r.push(node, span)
	r.params(node, params)
	body()
	pop()
	r.loops, r.ifs = loops, ifs
}

// params binds the parameters of a function and checks their order.
func (r *resolver) params(node syntax.Node, params []syntax.Expr) {
	var star *syntax.UnaryExpr
	optional, kwargs, keywordOnly := false, false, 0
	for _, param := range params {
		span := r.tree.Span(param)
		if kwargs {
			r.problem("parameters", span, "no parameter may follow **kwargs")
		}
		switch x := param.(type) {
		case *syntax.Ident:
			if star == nil && optional && !kwargs {
				r.problem("parameters", span,
					"a required parameter may not follow one with a default value")
			}
			keywordOnly++
			r.param(x, node)
		case *syntax.BinaryExpr:
			optional = true
			keywordOnly++
			r.param(x.X.(*syntax.Ident), node)
		case *syntax.UnaryExpr:
			if x.Op == syntax.STARSTAR {
				kwargs = true
			} else if star != nil {
				r.problem("parameters", span, "a second * is not allowed")
			} else {
				star, keywordOnly = x, 0
			}
			if id, ok := x.X.(*syntax.Ident); ok {
				r.param(id, node)
			}
		}
	}
	if star != nil && star.X == nil && keywordOnly == 0 {
		r.problem("parameters", r.tree.Span(star), "a parameter must follow the *")
	}
}

func (r *resolver) param(id *syntax.Ident, node syntax.Node) {
	if b, again := r.bind(id, Parameter, node); again {
		r.problem("parameters", r.word(id.NamePos, id.Name), "duplicate parameter: %s", b.Name)
	}
}

// arguments is what was seen of the arguments of a call.
type arguments struct {
	args, kwargs bool            // *args, **kwargs
	named        map[string]bool // nil until there is one
}

// call notes a call and checks the order of its arguments.
func (r *resolver) call(x *syntax.CallExpr) {
	r.f.Calls = append(r.f.Calls, x)
	if id, ok := x.Fn.(*syntax.Ident); ok {
		r.use(id, x)
	} else {
		r.expr(x.Fn)
	}
	var seen arguments
	for _, arg := range x.Args {
		switch a := arg.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				r.starArgument(a, &seen)
				continue
			}
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ {
				r.namedArgument(a, &seen)
				continue
			}
		}
		if seen.args || seen.kwargs || len(seen.named) > 0 {
			r.problem("arguments", r.tree.Span(arg),
				"a positional argument may not follow a named one, *args or **kwargs")
		}
		r.expr(arg)
	}
}

func (r *resolver) starArgument(a *syntax.UnaryExpr, seen *arguments) {
	switch {
	case a.Op == syntax.STARSTAR && seen.kwargs:
		r.problem("arguments", r.tree.Span(a), "a second **kwargs is not allowed")
	case a.Op == syntax.STAR && seen.kwargs:
		r.problem("arguments", r.tree.Span(a), "*args may not follow **kwargs")
	case a.Op == syntax.STAR && seen.args:
		r.problem("arguments", r.tree.Span(a), "a second *args is not allowed")
	}
	seen.args = seen.args || a.Op == syntax.STAR
	seen.kwargs = seen.kwargs || a.Op == syntax.STARSTAR
	r.expr(a.X)
}

func (r *resolver) namedArgument(a *syntax.BinaryExpr, seen *arguments) {
	id := a.X.(*syntax.Ident)
	if seen.args || seen.kwargs {
		r.problem("arguments", r.tree.Span(a), "a named argument may not follow *args or **kwargs")
	}
	if seen.named == nil {
		seen.named = make(map[string]bool)
	}
	if seen.named[id.Name] && id.Name != parse.Hole {
		r.problem("duplicate-argument", r.word(id.NamePos, id.Name),
			"the argument %s is given twice", id.Name)
	}
	seen.named[id.Name] = true
	r.expr(a.Y)
}
