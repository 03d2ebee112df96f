package workspace

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A place is what a file has at an offset.
type place struct {
	span source.Span // of the word there

	ref   *scope.Ref       // an occurrence of a name, or nil
	item  *scope.Item      // the name of another file in a load statement, or nil
	load  *scope.Load      // the module of a load statement, or nil
	dot   *syntax.DotExpr  // the attribute of an expression, or nil
	call  *syntax.CallExpr // the call that gives an argument by name, or nil
	named *syntax.Ident    // that name
}

// place finds what is at an offset. It returns nil where there is nothing with a meaning.
func (f *File) place(off int) *place {
	if item := f.names.ItemAt(off); item != nil {
		p := &place{span: item.Span, item: item}
		if item.Binding != nil && !item.Aliased() {
			p.ref = item.Binding.Declaration()
		}
		return p
	}
	if ref := f.names.RefAt(off); ref != nil {
		return &place{span: ref.Span, ref: ref}
	}
	for _, load := range f.names.Loads {
		if load.ModuleSpan.Touches(off) {
			return &place{span: load.ModuleSpan, load: load}
		}
	}
	path := f.tree.Path(off)
	for i, n := range path {
		id, ok := n.(*syntax.Ident)
		if !ok || i == 0 {
			continue
		}
		if x, ok := path[i-1].(*syntax.DotExpr); ok && x.Name == id {
			return &place{span: f.tree.Span(id), dot: x}
		}
		if i < 2 {
			continue
		}
		arg, isNamed := path[i-1].(*syntax.BinaryExpr)
		call, isCall := path[i-2].(*syntax.CallExpr)
		if isNamed && isCall && arg.Op == syntax.EQ && arg.X == syntax.Expr(id) {
			return &place{span: f.tree.Span(id), call: call, named: id}
		}
	}
	return nil
}

// origin returns the binding that a place is about, in the file that defines it, or nil.
func (f *File) originAt(p *place) (*File, *scope.Binding) {
	switch {
	case p.ref != nil:
		return f.origin(p.ref.Binding)
	case p.item != nil:
		if to, err := f.loaded(p.item.Load.Module); err == nil {
			return to.origin(to.exported(p.item.Name))
		}
	case p.named != nil:
		if to, fn := f.callee(p.call); fn != nil {
			return to, to.parameter(fn, p.named.Name)
		}
	}
	return f, nil
}

// callee returns the function that a call by name always calls, in its file, or nil.
func (f *File) callee(call *syntax.CallExpr) (*File, *scope.Binding) {
	id, ok := call.Fn.(*syntax.Ident)
	if !ok {
		return f, nil
	}
	ref := f.names.RefOf(id)
	if ref == nil {
		return f, nil
	}
	to, b := f.origin(ref.Binding)
	if b == nil || b.Writes() != 1 || functionNode(b) == nil {
		return f, nil
	}
	return to, b
}

// functionNode returns the def statement or lambda expression that makes the function which a
// binding is given first, or nil.
func functionNode(b *scope.Binding) syntax.Node {
	if b.Kind == scope.Function {
		return b.Node
	}
	if lambda, ok := b.Value.(*syntax.LambdaExpr); ok {
		return lambda
	}
	return nil
}

// parameter returns the binding of a parameter of a function of the file, or nil.
func (f *File) parameter(fn *scope.Binding, name string) *scope.Binding {
	block := blockOf(f.names.Block, functionNode(fn))
	if block == nil {
		return nil
	}
	if b := block.Lookup(name); b != nil && b.Kind == scope.Parameter {
		return b
	}
	return nil
}

// blockOf returns the block of a node in or below another block, or nil.
func blockOf(around *scope.Block, node syntax.Node) *scope.Block {
	if around.Node == node {
		return around
	}
	for _, child := range around.Children {
		if found := blockOf(child, node); found != nil {
			return found
		}
	}
	return nil
}
