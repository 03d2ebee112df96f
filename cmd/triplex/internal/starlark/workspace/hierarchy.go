package workspace

import (
	"context"
	"slices"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Function is a function of some file, or the top level of a file, which has the file's name as
// its own and an empty name span.
type Function struct {
	Name     string
	Location Location    // of the whole definition
	NameSpan source.Span // within the location
}

// A CallEdge is the calls between two functions, one of which the question was about.
type CallEdge struct {
	Function Function      // the other one
	Calls    []source.Span // of the callee's name, in the file of the caller
}

// Function returns the function that the name at the offset denotes, or nil if it is none that a
// file defines.
func (f *File) Function(off int) *Function {
	to, def := f.definitionAt(off)
	if def == nil {
		return nil
	}
	fn := to.functionOf(def)
	return &fn
}

// definitionAt returns the def statement of the function that the name at the offset denotes.
func (f *File) definitionAt(off int) (*File, *syntax.DefStmt) {
	p := f.place(off)
	if p == nil {
		return f, nil
	}
	to, b := f.originAt(p)
	if b == nil || b.Kind != scope.Function {
		return f, nil
	}
	def, _ := b.Node.(*syntax.DefStmt)
	return to, def
}

// functionOf describes a function of the file, or the file itself if there is no statement.
func (f *File) functionOf(def *syntax.DefStmt) Function {
	if def == nil {
		span := source.Span{Start: 0, End: f.text.Len()}
		return Function{Name: f.Name(), Location: f.location(span)}
	}
	return Function{
		Name:     def.Name.Name,
		Location: f.location(f.tree.Span(def)),
		NameSpan: f.tree.Span(def.Name),
	}
}

// IncomingCalls returns which functions call the one whose name is at the offset, in all files.
func (f *File) IncomingCalls(ctx context.Context, off int) ([]CallEdge, error) {
	to, def := f.definitionAt(off)
	if def == nil {
		return nil, nil
	}
	fn := to.names.RefOf(def.Name)
	sites, err := to.callsOf(ctx, fn.Binding)
	if err != nil {
		return nil, err
	}
	var edges []CallEdge
	for _, site := range sites {
		caller := site.file.functionOf(enclosing(site.ref.Block))
		edges = addCall(edges, caller, site.ref.Span)
	}
	return edges, nil
}

// enclosing returns the def statement around a block, or nil at top level.
func enclosing(block *scope.Block) *syntax.DefStmt {
	for ; block != nil; block = block.Parent {
		if def, ok := block.Node.(*syntax.DefStmt); ok {
			return def
		}
	}
	return nil
}

// OutgoingCalls returns which functions that files define are called by the one whose name is at
// the offset.
func (f *File) OutgoingCalls(off int) []CallEdge {
	to, def := f.definitionAt(off)
	if def == nil {
		return nil
	}
	var edges []CallEdge
	for _, ref := range to.names.Refs {
		if ref.Call == nil || ref.Binding == nil || enclosing(ref.Block) != def {
			continue
		}
		file, callee := to.callee(ref.Call)
		if callee == nil {
			continue
		}
		if def, ok := callee.Node.(*syntax.DefStmt); ok {
			edges = addCall(edges, file.functionOf(def), ref.Span)
		}
	}
	return edges
}

// addCall adds a call to the edge of its function.
func addCall(edges []CallEdge, fn Function, call source.Span) []CallEdge {
	i := slices.IndexFunc(edges, func(e CallEdge) bool {
		return e.Function.Location == fn.Location
	})
	if i < 0 {
		i = len(edges)
		edges = append(edges, CallEdge{Function: fn})
	}
	edges[i].Calls = append(edges[i].Calls, call)
	return edges
}
