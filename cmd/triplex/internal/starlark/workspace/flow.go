package workspace

import (
	"fmt"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// flowProblems returns the statements that are never reached and the keys that a dict has twice.
func (f *File) flowProblems() []Problem {
	var list []Problem
	body := func(stmts []syntax.Stmt) {
		if p, ok := f.unreachable(stmts); ok {
			list = append(list, p)
		}
	}
	syntax.Walk(f.tree.File, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.File:
			body(x.Stmts)
		case *syntax.DefStmt:
			body(x.Body)
		case *syntax.ForStmt:
			body(x.Body)
		case *syntax.WhileStmt:
			body(x.Body)
		case *syntax.IfStmt:
			body(x.True)
			body(x.False)
		case *syntax.DictExpr:
			list = append(list, f.duplicateKeys(x)...)
		}
		return true
	})
	return list
}

// unreachable returns the problem of the statements behind one that never comes to its end.
func (f *File) unreachable(stmts []syntax.Stmt) (Problem, bool) {
	for i, stmt := range stmts[:max(len(stmts)-1, 0)] {
		if !f.leaves(stmt) {
			continue
		}
		span := source.Span{
			Start: f.tree.Span(stmts[i+1]).Start, End: f.tree.Span(stmts[len(stmts)-1]).End,
		}
		return Problem{
			Code: "unreachable", Severity: Warning, Span: span, Unnecessary: true,
			Msg: "this is never reached",
		}, true
	}
	return Problem{}, false
}

// leaves reports whether a statement never comes to its end.
func (f *File) leaves(stmt syntax.Stmt) bool {
	switch x := stmt.(type) {
	case *syntax.ReturnStmt:
		return true
	case *syntax.BranchStmt:
		return x.Token != syntax.PASS
	case *syntax.ExprStmt:
		call, ok := x.X.(*syntax.CallExpr)
		return ok && f.failing(call)
	case *syntax.IfStmt:
		return len(x.False) > 0 && f.anyLeaves(x.True) && f.anyLeaves(x.False)
	}
	return false
}

func (f *File) anyLeaves(stmts []syntax.Stmt) bool {
	for _, stmt := range stmts {
		if f.leaves(stmt) {
			return true
		}
	}
	return false
}

// failing reports whether a call is one of the built-in function fail.
func (f *File) failing(call *syntax.CallExpr) bool {
	id, ok := call.Fn.(*syntax.Ident)
	if !ok || id.Name != "fail" {
		return false
	}
	ref := f.names.RefOf(id)
	return ref != nil && f.predeclared(ref.Binding)
}

// duplicateKeys returns the literal keys of a dict that an earlier entry has, which the interpreter
// refuses.
func (f *File) duplicateKeys(x *syntax.DictExpr) []Problem {
	var list []Problem
	first := make(map[string]source.Span)
	for _, e := range x.List {
		entry, ok := e.(*syntax.DictEntry)
		if !ok {
			continue
		}
		lit, ok := entry.Key.(*syntax.Literal)
		if !ok {
			continue
		}
		key := fmt.Sprintf("%d %v", lit.Token, lit.Value)
		span := f.tree.Span(lit)
		earlier, again := first[key]
		if !again {
			first[key] = span
			continue
		}
		list = append(list, Problem{
			Code: "duplicate-key", Span: span,
			Msg:     fmt.Sprintf("the key %s is in this dict already", f.text.Slice(span)),
			Related: []Related{{f.location(earlier), "first here"}},
		})
	}
	return list
}
