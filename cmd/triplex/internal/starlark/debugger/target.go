package debugger

import (
	"context"

	"go.starlark.net/syntax"
)

// A Target is a call that a step can go into.
type Target struct {
	// ID is for Resume.Target, and counts the calls of the statement from one.
	ID int
	// Label is the text of the call, shortened.
	Label        string
	Line, Column int
}

// StepInTargets returns the calls in the statement at which the program stands, in the order of the
// text. Calls of built-in functions are among them: what they call back can be stepped into.
func (r *Run) StepInTargets(ctx context.Context) ([]Target, error) {
	var targets []Target
	err := r.inspect(ctx, func(s *stopped) error {
		for i, call := range s.calls() {
			pos := syntax.Start(call)
			label := s.unit(s.pos.Filename()).layout.excerpt(call)
			targets = append(targets, Target{i + 1, label, int(pos.Line), int(pos.Col)})
		}
		return nil
	})
	return targets, err
}

// calls returns the calls of the statement at which the program stands.
func (s *stopped) calls() []*syntax.CallExpr {
	u := s.exec.units[s.pos.Filename()]
	if u == nil || s.trace != nil {
		return nil
	}
	stmt := u.layout.at(placeOf(s.pos))
	if stmt == nil {
		return nil
	}
	return callsIn(stmt.node)
}

// callsIn returns the calls that a statement makes itself: neither those in its blocks, nor those
// in the body of a lambda, which are made by whoever calls it.
func callsIn(stmt syntax.Stmt) []*syntax.CallExpr {
	var calls []*syntax.CallExpr
	visit := func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LambdaExpr:
			return false
		case *syntax.CallExpr:
			calls = append(calls, n)
		}
		return true
	}
	for _, part := range heads(stmt) {
		syntax.Walk(part, visit)
	}
	return calls
}

// heads returns the parts of a statement without its blocks.
func heads(stmt syntax.Stmt) []syntax.Node {
	switch s := stmt.(type) {
	case *syntax.IfStmt:
		return []syntax.Node{s.Cond}
	case *syntax.WhileStmt:
		return []syntax.Node{s.Cond}
	case *syntax.ForStmt:
		return []syntax.Node{s.X}
	case *syntax.DefStmt:
		var defaults []syntax.Node
		for _, param := range s.Params {
			if binary, ok := param.(*syntax.BinaryExpr); ok {
				defaults = append(defaults, binary.Y)
			}
		}
		return defaults
	}
	return []syntax.Node{stmt}
}

// maxExcerpt is how many characters of a call are shown.
const maxExcerpt = 60

// excerpt returns the text of a node on one line, shortened.
func (l *layout) excerpt(n syntax.Node) string {
	start, end := n.Span()
	text := []rune(l.lines[start.Line-1])
	from := min(int(start.Col)-1, len(text))
	to := len(text)
	if end.Line == start.Line {
		to = min(to, int(end.Col)-1)
	}
	if cut := end.Line > start.Line; cut || to-from > maxExcerpt {
		return string(text[from:min(to, from+maxExcerpt)]) + "…"
	}
	return string(text[from:to])
}
