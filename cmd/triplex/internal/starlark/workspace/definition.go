package workspace

import (
	"path/filepath"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// Definition returns where what is at the offset is defined: a name, following loads into other
// files; the module and the names of a load statement; the name of an argument; a field of a
// struct. It returns nothing for what has no source.
func (f *File) Definition(off int) []Location {
	p := f.place(off)
	switch {
	case p == nil:
		return nil
	case p.load != nil:
		if to, err := f.loaded(p.load.Module); err == nil {
			return []Location{to.location(source.Span{})}
		}
		return nil
	case p.dot != nil:
		return f.fieldDefinition(p.dot)
	}
	to, b := f.originAt(p)
	if b == nil || b.Declaration() == nil {
		return nil
	}
	return []Location{to.location(b.Declaration().Span)}
}

// Declaration returns where what is at the offset is declared in this file. For a name from another
// file that is the load statement; for everything else see Definition.
func (f *File) Declaration(off int) []Location {
	if p := f.place(off); p != nil && p.ref != nil && p.ref.Binding != nil {
		if decl := p.ref.Binding.Declaration(); decl != nil {
			return []Location{f.location(decl.Span)}
		}
	}
	return f.Definition(off)
}

func (f *File) fieldDefinition(x *syntax.DotExpr) []Location {
	for _, fd := range f.infer(x.X, maxSteps).fields {
		if fd.name.Name == x.Name.Name {
			return []Location{fd.file.location(fd.file.tree.Span(fd.name))}
		}
	}
	return nil
}

// A Link is a part of the text that stands for a file.
type Link struct {
	Span   source.Span
	Target string // name of the file
}

// Links returns the modules of the load statements whose files exist.
func (f *File) Links() []Link {
	var links []Link
	for _, load := range f.names.Loads {
		if key, err := f.view.resolve(f.set, f.key, load.Module); err == nil {
			links = append(links, Link{load.ModuleSpan, f.view.spell(f.set, key)})
		}
	}
	return links
}

// onDisk reports whether the name of the file is a path.
func (f *File) onDisk() bool { return filepath.IsAbs(f.key) }
