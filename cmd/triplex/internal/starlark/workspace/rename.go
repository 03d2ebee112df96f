package workspace

import (
	"context"
	"errors"
	"fmt"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A FileEdit is the edits of one file.
type FileEdit struct {
	Name  string // of the file, as the view spells it
	Text  *source.Text
	Edits []source.Edit // not overlapping
}

// PrepareRename returns the span of the name at the offset, or an error that says why it cannot be
// renamed.
func (f *File) PrepareRename(off int) (source.Span, error) {
	p := f.place(off)
	if p == nil {
		return source.Span{}, errors.New("there is no name here")
	}
	if _, _, err := f.renamed(p); err != nil {
		return source.Span{}, err
	}
	return p.span, nil
}

// renamed returns the binding that a rename at the place is about, in its file.
func (f *File) renamed(p *place) (*File, *scope.Binding, error) {
	if p.ref != nil && p.ref.Binding != nil && p.ref.Binding.Item != nil &&
		p.ref.Binding.Item.Aliased() {
		return f, p.ref.Binding, nil // another name for the thing, which is this file's alone
	}
	to, b := f.originAt(p)
	switch {
	case b == nil && p.ref != nil && p.ref.Binding != nil:
		return f, p.ref.Binding, nil // loaded from a file that is missing: the name here
	case b == nil:
		return nil, nil, errors.New("only names that a file defines can be renamed")
	case b.Kind == scope.Predeclared:
		return nil, nil, fmt.Errorf("%s is predeclared and cannot be renamed", b.Name)
	}
	return to, b, nil
}

// Rename returns the edits that give what is at the offset a new name in all files: the strings in
// load statements change with the name they load, other names that files gave it do not. It fails
// where the new name is none, or would come to mean something else.
func (f *File) Rename(ctx context.Context, off int, name string) ([]FileEdit, error) {
	p := f.place(off)
	if p == nil {
		return nil, errors.New("there is no name here")
	}
	to, b, err := f.renamed(p)
	if err != nil {
		return nil, err
	}
	if !parse.IsIdentifier(name) {
		return nil, fmt.Errorf("%q cannot be a name: it must be a word that is no keyword", name)
	}
	if name == b.Name {
		return nil, nil
	}
	if err := to.collision(b, name); err != nil {
		return nil, err
	}
	if b.Kind == scope.Loaded && !b.Item.Aliased() {
		return to.renameLoaded(b, name), nil
	}
	return to.renameAll(ctx, b, name)
}

// renameLoaded gives a name loaded from a file that is missing another one in this file.
func (f *File) renameLoaded(b *scope.Binding, name string) []FileEdit {
	edit := FileEdit{Name: f.Name(), Text: f.text}
	edit.Edits = aliasEdits(b, name, b.Name)
	return []FileEdit{edit}
}

// aliasEdits returns the edits that let its file call a loaded name by the name local, where the
// loaded file calls it remote. The load statement so far has only one name for it.
func aliasEdits(b *scope.Binding, local, remote string) []source.Edit {
	var edits []source.Edit
	for _, ref := range b.Refs {
		if ref.Span == b.Item.Span {
			if local != remote {
				quote := b.Item.Whole.Start
				edits = append(edits, source.Edit{
					Span: source.Span{Start: quote, End: quote}, New: local + " = ",
				})
			}
			if remote != b.Item.Name {
				edits = append(edits, source.Edit{Span: ref.Span, New: remote})
			}
		} else if local != b.Name {
			edits = append(edits, source.Edit{Span: ref.Span, New: local})
		}
	}
	return edits
}

// renameAll renames a binding of this file in all files.
func (f *File) renameAll(ctx context.Context, b *scope.Binding, name string) ([]FileEdit, error) {
	own := FileEdit{Name: f.Name(), Text: f.text}
	for _, ref := range b.Refs {
		own.Edits = append(own.Edits, source.Edit{Span: ref.Span, New: name})
	}
	edits := []FileEdit{own}
	if b.Kind == scope.Parameter {
		named, err := f.namedArguments(ctx, b)
		if err != nil {
			return nil, err
		}
		for _, ref := range named {
			edits = addEdits(edits, FileEdit{
				Name: ref.Name, Text: ref.Text, Edits: []source.Edit{{Span: ref.Span, New: name}},
			})
		}
	}
	if !b.Global() {
		return edits, nil
	}
	found, err := f.view.loaders(ctx, f.set, f.key, b.Name)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && name[0] == '_' {
		return nil, fmt.Errorf("%s would be private, but %s loads it", name,
			f.view.spell(f.set, found[0].key))
	}
	for _, l := range found {
		edits = addEdits(edits, f.renameInLoader(l, name))
	}
	return edits, nil
}

// renameInLoader renames a name of this file where another file loads it. Where the new name means
// something else there, the file keeps the old one for itself.
func (f *File) renameInLoader(l loader, name string) FileEdit {
	edit := FileEdit{Name: f.view.spell(f.set, l.key), Text: l.text}
	other := f.view.snapshot(f.set, l.key, l.text)
	b := other.names.Block.Lookup(l.item.local)
	switch {
	case l.item.aliased || b == nil || b.Item == nil:
		edit.Edits = []source.Edit{{Span: l.item.span, New: name}}
	case other.collision(b, name) != nil:
		edit.Edits = aliasEdits(b, b.Name, name)
	default:
		edit.Edits = aliasEdits(b, name, name)
	}
	return edit
}

// addEdits adds edits of a file to those of its own that there are.
func addEdits(list []FileEdit, more FileEdit) []FileEdit {
	for i := range list {
		if list[i].Name == more.Name {
			list[i].Edits = append(list[i].Edits, more.Edits...)
			return list
		}
	}
	return append(list, more)
}

// collision returns an error if a binding of this file cannot have the new name: where it is bound,
// or where it is used, that name stands for something else.
func (f *File) collision(b *scope.Binding, name string) error {
	if other := b.Block.Lookup(name); other != nil {
		return f.taken(name, other)
	}
	for _, ref := range b.Refs {
		for block := ref.Block; block != b.Block && block != nil; block = block.Parent {
			if other := block.Lookup(name); other != nil {
				return f.taken(name, other)
			}
		}
	}
	for _, ref := range f.names.Refs {
		if ref.Name == name && ref.Block.Within(b.Block) && !boundWithin(ref, b.Block) {
			line := f.text.Position(ref.Start).Line + 1
			return fmt.Errorf("%s has another meaning in line %d, which it would lose", name, line)
		}
	}
	return nil
}

// boundWithin reports whether the binding of an occurrence belongs to a block inside outer.
func boundWithin(ref *scope.Ref, outer *scope.Block) bool {
	return ref.Binding != nil && ref.Binding.Block != nil && ref.Binding.Block.Within(outer)
}

func (f *File) taken(name string, by *scope.Binding) error {
	line := f.text.Position(by.Declaration().Start).Line + 1
	return fmt.Errorf("%s is already the name of something else, declared in line %d", name, line)
}
