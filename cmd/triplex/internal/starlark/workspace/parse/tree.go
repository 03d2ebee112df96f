// Package parse turns the text of a Starlark file into a syntax tree of go.starlark.net, whatever
// the text is. That parser stops at the first error; here an offending line is mended or dropped
// and parsing goes on, so that all errors are reported and all other statements are there.
package parse

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// MaxSize is the size in bytes of the largest file that is parsed. The limit bounds the depth of
// chains such as 1+1+1+..., which the parser does not.
const MaxSize = 2 << 20

// Hole is the name that stands where an expression or a name is missing. It is nobody's name.
const Hole = "ℵ"

// An Error is a mistake in the syntax of a file.
type Error struct {
	Span source.Span // where its cause is; may be empty
	Msg  string
}

// A Tree is a parsed file. It is immutable and safe for concurrent use.
type Tree struct {
	Text   *source.Text
	File   *syntax.File
	Errors []Error // in the order of their spans, at most one a statement

	// Lost holds the identifiers in the parts of the text that File leaves out.
	Lost map[string]bool

	// Mended holds the spans of the logical lines that are not in File as they were written, in the
	// order of the text.
	Mended []source.Span

	shifts map[int32][]shift
}

// A shift records that runes were inserted into a line of the text before it was parsed.
type shift struct {
	col int32 // column from 1, in code points of the text, of the insertion
	n   int32 // code points inserted
}

// Offset returns the offset of a position of a node of the tree.
func (t *Tree) Offset(p syntax.Position) int { return t.Text.At(unshift(t.shifts, p)) }

// inserted reports whether the character in front of a position is not in the text, but was
// inserted before it was parsed.
func inserted(shifts map[int32][]shift, p syntax.Position) bool {
	var before int32
	for _, s := range shifts[p.Line] {
		at := p.Col - 1 - before - s.col
		if at < 0 {
			return false
		}
		if at < s.n {
			return true
		}
		before += s.n
	}
	return false
}

// unshift returns the position in the text of a position in the mended text. The shifts of a line
// are in the order of their columns.
func unshift(shifts map[int32][]shift, p syntax.Position) syntax.Position {
	var inserted int32
	for _, s := range shifts[p.Line] {
		behind := p.Col - inserted - s.col
		if behind <= 0 {
			break
		}
		inserted += min(behind, s.n)
	}
	p.Col -= inserted
	return p
}

// Span returns the span of a node, with its closing bracket. It mends what Node.Span leaves out.
func (t *Tree) Span(n syntax.Node) source.Span {
	start, end := n.Span()
	s := source.Span{Start: t.Offset(start), End: t.Offset(end)}
	if last := closing(n); last.IsValid() {
		s.End = min(t.Offset(last)+1, t.Text.Len())
	}
	s.End = max(s.Start, s.End)
	return s
}

// closing returns the position of the bracket that ends the node and that the node's own span
// leaves out, or an invalid position.
func closing(n syntax.Node) syntax.Position {
	for {
		switch x := n.(type) {
		case *syntax.LoadStmt:
			return x.Rparen
		case *syntax.IndexExpr:
			return x.Rbrack
		case *syntax.SliceExpr:
			return x.Rbrack
		case *syntax.TupleExpr:
			if x.Lparen.IsValid() || len(x.List) == 0 {
				return x.Rparen
			}
			n = x.List[len(x.List)-1]
		default:
			if n = lastChild(n); n == nil {
				return syntax.Position{}
			}
		}
	}
}

// lastChild returns the child that the node ends with, or nil when it ends with a token.
func lastChild(n syntax.Node) syntax.Node {
	last := func(stmts []syntax.Stmt) syntax.Node { return stmts[len(stmts)-1] }
	switch x := n.(type) {
	case *syntax.ExprStmt:
		return x.X
	case *syntax.AssignStmt:
		return x.RHS
	case *syntax.ReturnStmt:
		if x.Result != nil {
			return x.Result
		}
	case *syntax.DefStmt:
		return last(x.Body)
	case *syntax.ForStmt:
		return last(x.Body)
	case *syntax.WhileStmt:
		return last(x.Body)
	case *syntax.IfStmt:
		if x.False != nil {
			return last(x.False)
		}
		return last(x.True)
	case *syntax.BinaryExpr:
		return x.Y
	case *syntax.UnaryExpr:
		if x.X != nil {
			return x.X
		}
	case *syntax.CondExpr:
		return x.False
	case *syntax.LambdaExpr:
		return x.Body
	case *syntax.DictEntry:
		return x.Value
	case *syntax.ForClause:
		return x.X
	case *syntax.IfClause:
		return x.Cond
	}
	return nil
}

// Path returns the nodes whose spans touch the offset, the outermost first. Where two neighbours
// touch at the offset, the path follows the one that begins there.
func (t *Tree) Path(off int) []syntax.Node {
	var path []syntax.Node
	for _, stmt := range t.File.Stmts {
		if found := t.path(stmt, off); found != nil {
			path = found
		}
	}
	return path
}

func (t *Tree) path(root syntax.Node, off int) []syntax.Node {
	if !t.Span(root).Touches(off) {
		return nil
	}
	path := []syntax.Node{root}
	for next := root; next != nil; {
		parent := next
		next = nil
		syntax.Walk(parent, func(n syntax.Node) bool {
			if n == parent {
				return true
			}
			if n == nil {
				return false
			}
			// What was added to mend the text is empty, and nobody's place but its own.
			if s := t.Span(n); s.Touches(off) && (next == nil || s.Start < s.End) {
				next = n
			}
			return false
		})
		if next != nil {
			path = append(path, next)
		}
	}
	return path
}
