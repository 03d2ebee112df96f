package workspace

import (
	"cmp"
	"context"
	"slices"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Reference is an occurrence of a name in some file.
type Reference struct {
	Location
	Write       bool
	Declaration bool // a definition, or the name in a load statement
}

// References returns all occurrences of what is at the offset, in this file and in all files the
// view knows that load it, under whatever name, and for a parameter in the calls that give it by
// name. They are ordered by file and place.
func (f *File) References(ctx context.Context, off int) ([]Reference, error) {
	p := f.place(off)
	if p == nil {
		return nil, nil
	}
	to, b := f.originAt(p)
	if b == nil {
		if p.ref == nil || p.ref.Binding == nil {
			return nil, nil
		}
		// A name loaded from a file that is missing has its occurrences here.
		to, b = f, p.ref.Binding
	}
	refs, err := to.references(ctx, b)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(refs, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	return refs, nil
}

// references returns the occurrences of a binding of this file in all files.
func (f *File) references(ctx context.Context, b *scope.Binding) ([]Reference, error) {
	refs := f.ownReferences(b)
	switch {
	case b.Kind == scope.Parameter:
		named, err := f.namedArguments(ctx, b)
		return append(refs, named...), err
	case b.Global():
		found, err := f.view.loaders(ctx, f.set, f.key, b.Name)
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			refs = append(refs, f.loaderReferences(l)...)
		}
	}
	return refs, nil
}

func (f *File) ownReferences(b *scope.Binding) []Reference {
	var refs []Reference
	decl := b.Declaration()
	for _, ref := range b.Refs {
		refs = append(refs, Reference{
			Location: f.location(ref.Span), Write: ref.Access&scope.Write != 0, Declaration: ref == decl,
		})
	}
	return refs
}

// loaderReferences returns the occurrences of a name in a file that loads it.
func (f *File) loaderReferences(l loader) []Reference {
	name := f.view.spell(f.set, l.key)
	at := func(span source.Span) Location { return Location{Name: name, Text: l.text, Span: span} }
	refs := []Reference{{Location: at(l.item.span), Write: true, Declaration: true}}
	for _, ref := range l.item.refs {
		if ref.Span != l.item.span {
			refs = append(refs, Reference{Location: at(ref.Span), Write: ref.Write})
		}
	}
	return refs
}

// namedArguments returns the places where calls give a parameter of a function of this file by its
// name.
func (f *File) namedArguments(ctx context.Context, param *scope.Binding) ([]Reference, error) {
	fn := f.functionOfParameter(param)
	if fn == nil {
		return nil, nil
	}
	calls, err := f.callsOf(ctx, fn)
	if err != nil {
		return nil, err
	}
	var refs []Reference
	for _, c := range calls {
		for _, arg := range c.ref.Call.Args {
			a, ok := arg.(*syntax.BinaryExpr)
			if !ok || a.Op != syntax.EQ || a.X.(*syntax.Ident).Name != param.Name {
				continue
			}
			refs = append(refs, Reference{Location: c.file.location(c.file.tree.Span(a.X))})
		}
	}
	return refs, nil
}

// functionOfParameter returns the binding of the function that a parameter belongs to, or nil if it
// has no name that it always has.
func (f *File) functionOfParameter(param *scope.Binding) *scope.Binding {
	for _, b := range param.Block.Parent.Bindings {
		if functionNode(b) == param.Node && b.Writes() == 1 {
			return b
		}
	}
	return nil
}

// A callSite is a call of a function by its name.
type callSite struct {
	file *File
	ref  *scope.Ref // the name; its Call is not nil
}

// callsOf returns the calls of a function of this file in all files.
func (f *File) callsOf(ctx context.Context, fn *scope.Binding) ([]callSite, error) {
	sites := f.callSites(fn)
	if !fn.Global() {
		return sites, nil
	}
	found, err := f.view.loaders(ctx, f.set, f.key, fn.Name)
	if err != nil {
		return nil, err
	}
	for _, l := range found {
		file := f.view.snapshot(f.set, l.key, l.text)
		if b := file.names.Block.Lookup(l.item.local); b != nil {
			sites = append(sites, file.callSites(b)...)
		}
	}
	return sites, nil
}

func (f *File) callSites(b *scope.Binding) []callSite {
	var sites []callSite
	for _, ref := range b.Refs {
		if ref.Call != nil {
			sites = append(sites, callSite{f, ref})
		}
	}
	return sites
}

// Highlights returns the occurrences in this file of what is at the offset, in the order of the
// text.
func (f *File) Highlights(off int) []Occurrence {
	p := f.place(off)
	if p == nil {
		return nil
	}
	if p.ref != nil && p.ref.Binding != nil {
		return occurrences(p.ref.Binding)
	}
	if p.item != nil && p.item.Binding != nil {
		return append([]Occurrence{{p.item.Span, true}}, occurrences(p.item.Binding)...)
	}
	if to, b := f.originAt(p); b != nil && to.key == f.key {
		return occurrences(b)
	}
	return nil
}
