package scope

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func (r *resolver) stmts(stmts []syntax.Stmt) {
	for _, stmt := range stmts {
		r.stmt(stmt)
	}
}

func (r *resolver) stmt(stmt syntax.Stmt) {
	switch x := stmt.(type) {
	case *syntax.ExprStmt:
		r.expr(x.X)
	case *syntax.BranchStmt:
		if r.loops == 0 && x.Token != syntax.PASS {
			word := x.Token.String()
			r.problem("misplaced", r.word(x.TokenPos, word), "%s outside a loop", word)
		}
	case *syntax.IfStmt:
		r.ifStmt(x)
	case *syntax.AssignStmt:
		r.assignStmt(x)
	case *syntax.DefStmt:
		r.assignName(x.Name, Function, x)
		span := r.tree.Span(x)
		span.Start = r.tree.Offset(x.Lparen)
		r.function(x, x.Params, span, func() { r.stmts(x.Body) })
	case *syntax.ForStmt:
		r.topLevel(x.For, "for")
		r.expr(x.X)
		r.assign(x.Vars, LoopVariable, x)
		r.loop(x.Body)
	case *syntax.WhileStmt:
		if !r.env.Options.While {
			r.problem("dialect", r.word(x.While, "while"),
				"this dialect of Starlark has no while loops")
		} else {
			r.topLevel(x.While, "while")
		}
		r.expr(x.Cond)
		r.loop(x.Body)
	case *syntax.ReturnStmt:
		if r.block.Container().Parent == nil {
			r.problem("misplaced", r.word(x.Return, "return"), "return outside a function")
		}
		if x.Result != nil {
			r.expr(x.Result)
		}
	case *syntax.LoadStmt:
		r.load(x)
	}
}

// topLevel reports a control statement outside functions where the dialect has none.
func (r *resolver) topLevel(pos syntax.Position, word string) {
	if r.block.Parent == nil && !r.env.Options.TopLevelControl {
		r.problem("dialect", r.word(pos, word), "%s outside a function", word)
	}
}

func (r *resolver) loop(body []syntax.Stmt) {
	r.loops++
	r.stmts(body)
	r.loops--
}

func (r *resolver) ifStmt(x *syntax.IfStmt) {
	if id, ok := x.Cond.(*syntax.Ident); !ok || id.Name != parse.Hole {
		r.topLevel(x.If, "if")
	}
	r.expr(x.Cond)
	r.ifs++
	r.stmts(x.True)
	if len(x.False) == 1 && x.ElsePos.IsValid() {
		if elif, ok := x.False[0].(*syntax.IfStmt); ok && elif.If == x.ElsePos {
			r.elif(elif)
			r.ifs--
			return
		}
	}
	r.stmts(x.False)
	r.ifs--
}

// elif is the part of ifStmt for a branch of an if statement that was checked already.
func (r *resolver) elif(x *syntax.IfStmt) {
	topLevel := r.env.Options.TopLevelControl
	r.env.Options.TopLevelControl = true
	r.ifStmt(x)
	r.env.Options.TopLevelControl = topLevel
}

func (r *resolver) assignStmt(x *syntax.AssignStmt) {
	r.expr(x.RHS)
	if x.Op != syntax.EQ {
		r.augmented(x)
		return
	}
	id, ok := x.LHS.(*syntax.Ident)
	if !ok {
		r.assign(x.LHS, Variable, x)
		return
	}
	if b := r.assignName(id, Variable, x); b != nil && b.Node == x {
		b.Value = x.RHS
	}
}

// augmented handles x += y, which the language takes for a binding of x that reads x.
func (r *resolver) augmented(x *syntax.AssignStmt) {
	switch lhs := unparen(x.LHS).(type) {
	case *syntax.Ident:
		if b := r.assignName(lhs, Variable, x); b != nil {
			b.Refs[len(b.Refs)-1].Access = Read | Write
		}
	case *syntax.TupleExpr, *syntax.ListExpr:
		r.problem("bad-target", r.tree.Span(lhs), "%s needs a single variable on its left", x.Op)
	default:
		r.assign(lhs, Variable, x)
	}
}

func unparen(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}

// assign binds the names of the left side of an assignment or the variables of a loop.
func (r *resolver) assign(lhs syntax.Expr, kind Kind, node syntax.Node) {
	switch x := lhs.(type) {
	case *syntax.Ident:
		r.assignName(x, kind, node)
	case *syntax.ParenExpr:
		r.assign(x.X, kind, node)
	case *syntax.TupleExpr:
		for _, e := range x.List {
			r.assign(e, kind, node)
		}
	case *syntax.ListExpr:
		for _, e := range x.List {
			r.assign(e, kind, node)
		}
	case *syntax.IndexExpr, *syntax.DotExpr:
		r.expr(x)
	default:
		r.problem("bad-target", r.tree.Span(lhs), "cannot assign to this expression")
		r.expr(lhs)
	}
}

func (r *resolver) load(x *syntax.LoadStmt) {
	switch {
	case r.block.Container().Parent != nil:
		r.problem("misplaced", r.word(x.Load, "load"), "load within a function")
	case r.loops > 0:
		r.problem("misplaced", r.word(x.Load, "load"), "load within a loop")
	case r.ifs > 0:
		r.problem("misplaced", r.word(x.Load, "load"), "load within a conditional")
	}
	load := &Load{Stmt: x, Module: x.ModuleName()}
	_, load.ModuleSpan = r.literal(x.Module.TokenPos)
	r.f.Loads = append(r.f.Loads, load)
	for i, from := range x.From {
		to := x.To[i]
		item := &Item{Load: load, Name: from.Name}
		start := from.NamePos // which the parser takes to be one column into the literal
		start.Col--
		item.Whole, item.Span = r.literal(start)
		if to != from {
			item.Whole.Start = r.tree.Offset(to.NamePos)
		}
		load.Items = append(load.Items, item)
		r.loadItem(item, to, to == from)
	}
}

func (r *resolver) loadItem(item *Item, to *syntax.Ident, same bool) {
	if !parse.IsIdentifier(item.Name) {
		r.problem("load-name", item.Span, "%q is no name that can be loaded", item.Name)
		return
	}
	if item.Name[0] == '_' {
		r.problem("load-private", item.Span,
			"%s is private to %q: its name begins with an underscore", item.Name, item.Load.Module)
	}
	b, again := r.bind(to, Loaded, item.Load.Stmt)
	if b == nil {
		return
	}
	ref := b.Refs[len(b.Refs)-1]
	if same {
		ref.Span = item.Span
	}
	if !again {
		b.Item = item
		item.Binding = b
	} else if !r.env.Options.GlobalReassign {
		r.reassigned(ref.Span, b)
	}
}

// literal returns the spans of the string literal at a position and of what is between its quotes.
func (r *resolver) literal(pos syntax.Position) (whole, content source.Span) {
	return parse.StringAt(r.tree.Text.String(), r.tree.Offset(pos))
}
