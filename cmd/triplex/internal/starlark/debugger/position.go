package debugger

import (
	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// firstPositions returns, by the place of each def statement of a resolved file, the position of
// the first instruction its body compiles to.
//
// It matters for one thing: a call that fails before it begins (a missing argument, recursion) is
// reported at the first instruction of the function, and with a hook in front that is the hook. So
// the hook takes the position over, which keeps such a report the same as in a plain run.
func firstPositions(file *syntax.File) map[place]syntax.Position {
	first := make(map[place]syntax.Position)
	syntax.Walk(file, func(n syntax.Node) bool {
		if def, ok := n.(*syntax.DefStmt); ok {
			first[placeOf(def.Def)] = firstOfBody(def)
		}
		return true
	})
	return first
}

// firstOfBody returns the position of the def itself for an instruction that has none: the
// compiler starts a function with that position in hand.
func firstOfBody(def *syntax.DefStmt) syntax.Position {
	for _, stmt := range def.Body {
		if !emitsCode(stmt) {
			continue
		}
		if pos := firstOfStatement(stmt); pos.IsValid() {
			return pos
		}
		break
	}
	return def.Def
}

// emitsCode reports whether a statement compiles to instructions of its own.
func emitsCode(stmt syntax.Stmt) bool {
	switch s := stmt.(type) {
	case *syntax.BranchStmt:
		return false
	case *syntax.ExprStmt:
		_, literal := s.X.(*syntax.Literal)
		return !literal
	}
	return true
}

func firstOfStatement(stmt syntax.Stmt) syntax.Position {
	switch s := stmt.(type) {
	case *syntax.ExprStmt:
		return firstOfExpr(s.X)
	case *syntax.IfStmt:
		return firstOfExpr(s.Cond)
	case *syntax.WhileStmt:
		return firstOfExpr(s.Cond)
	case *syntax.ForStmt:
		return firstOfExpr(s.X)
	case *syntax.AssignStmt:
		return firstOfAssign(s)
	case *syntax.DefStmt:
		return firstOfFunction(s.Def, s.Params)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			return firstOfExpr(s.Result)
		}
	}
	return syntax.Position{}
}

// firstOfAssign: only an augmented assignment looks at its left side first.
func firstOfAssign(s *syntax.AssignStmt) syntax.Position {
	if s.Op == syntax.EQ {
		return firstOfExpr(s.RHS)
	}
	lhs := s.LHS
	for {
		paren, ok := lhs.(*syntax.ParenExpr)
		if !ok {
			return firstOfExpr(lhs)
		}
		lhs = paren.X
	}
}

func firstOfExpr(expr syntax.Expr) syntax.Position {
	switch e := expr.(type) {
	case *syntax.Ident:
		if b, ok := e.Binding.(*resolve.Binding); ok && b.Scope != resolve.Universal {
			return e.NamePos
		}
	case *syntax.ParenExpr:
		return firstOfExpr(e.X)
	case *syntax.CondExpr:
		return firstOfExpr(e.Cond)
	case *syntax.IndexExpr:
		return firstOfExpr(e.X)
	case *syntax.SliceExpr:
		return firstOr(e.X, e.Lbrack)
	case *syntax.UnaryExpr:
		return firstOfExpr(e.X)
	case *syntax.BinaryExpr:
		return firstOfExpr(e.X)
	case *syntax.DotExpr:
		return firstOfExpr(e.X)
	case *syntax.CallExpr:
		return firstOfExpr(e.Fn)
	case *syntax.LambdaExpr:
		return firstOfFunction(e.Lambda, e.Params)
	case *syntax.ListExpr:
		return firstOfList(e.List)
	case *syntax.TupleExpr:
		return firstOfList(e.List)
	}
	return syntax.Position{}
}

func firstOfList(list []syntax.Expr) syntax.Position {
	if len(list) == 0 {
		return syntax.Position{}
	}
	return firstOfExpr(list[0])
}

// firstOfFunction: making a function begins with the values of its optional parameters, among
// which a parameter that is required and named counts.
func firstOfFunction(pos syntax.Position, params []syntax.Expr) syntax.Position {
	star := false
	for _, param := range params {
		switch p := param.(type) {
		case *syntax.BinaryExpr:
			return firstOr(p.Y, pos)
		case *syntax.UnaryExpr:
			star = true
		case *syntax.Ident:
			if star {
				return pos
			}
		}
	}
	return pos
}

// firstOr returns the first position of the expression, or else the given one.
func firstOr(expr syntax.Expr, pos syntax.Position) syntax.Position {
	if first := firstOfExpr(expr); first.IsValid() {
		return first
	}
	return pos
}
