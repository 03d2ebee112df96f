package debugger

import (
	"slices"

	"go.starlark.net/syntax"
)

// extents are parts of a text.
type extents []extent

func (es extents) contain(p place) bool {
	return slices.ContainsFunc(es, func(e extent) bool { return e.contains(p) })
}

// comprehensions finds the variables that belong to comprehensions, by where they are bound.
func comprehensions(file *syntax.File) map[place]extents {
	found := make(map[place]extents)
	syntax.Walk(file, func(n syntax.Node) bool {
		comp, ok := n.(*syntax.Comprehension)
		if !ok {
			return true
		}
		for _, clause := range comp.Clauses {
			loop, ok := clause.(*syntax.ForClause)
			if !ok {
				continue
			}
			within := extentsOf(comp, loop)
			syntax.Walk(loop.Vars, func(n syntax.Node) bool {
				if id, ok := n.(*syntax.Ident); ok {
					found[placeOf(id.NamePos)] = within
				}
				return true
			})
		}
		return true
	})
	return found
}

// extentsOf returns where the variables of a loop mean something: in the body, and in what follows
// the loop. What the loop goes through is evaluated before they are bound.
func extentsOf(comp *syntax.Comprehension, loop *syntax.ForClause) extents {
	return extents{
		{placeOf(comp.Lbrack), placeOf(syntax.End(comp.Body))},
		{placeOf(syntax.End(loop.X)), placeOf(comp.Rbrack)},
	}
}
