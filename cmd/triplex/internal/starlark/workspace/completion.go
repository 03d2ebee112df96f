package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/builtin"
	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/signature"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Completion is a word that may be written at a place.
type Completion struct {
	Label  string
	Kind   SymbolKind
	Detail string // signature or type
	Doc    string
	Edit   source.Edit // puts it there, in place of the word around the offset
}

// Completions returns what may be written at the offset: names in scope, keywords, arguments by
// name, attributes of a value, and in a load statement files and the names they define. The editor
// filters them by what is written already. They are ordered by what is nearest, then by name.
func (f *File) Completions(off int) []Completion {
	off = f.clamp(off)
	c := f.context(off)
	var list []Completion
	switch {
	case c.silent:
		return nil
	case c.module != nil:
		list = f.completeModule(*c.module)
	case c.item != nil:
		list = f.completeItem(*c.item)
	case c.dot >= 0:
		list = f.completeAttribute(c.dot)
	default:
		list = f.completeName(off, c)
	}
	for i := range list {
		list[i].Edit.Span = c.word
		if list[i].Edit.New == "" {
			list[i].Edit.New = list[i].Label
		}
	}
	return list
}

// completeName returns names in scope, arguments by name and keywords.
func (f *File) completeName(off int, c cursor) []Completion {
	list := f.completeArgument(c)
	seen := make(map[string]bool)
	for block := f.scopeAt(off); block != nil; block = block.Parent {
		var names []Completion
		for _, b := range block.Bindings {
			if !seen[b.Name] && block.Lookup(b.Name) == b && !onlyAt(b, c.word) {
				seen[b.Name] = true
				names = append(names, f.bindingCompletion(b))
			}
		}
		list = append(list, sortCompletions(names)...)
	}
	var names []Completion
	for name, s := range f.set.env.predeclared {
		if !seen[name] {
			seen[name] = true
			names = append(names, symbolCompletion(s, FunctionSymbol))
		}
	}
	for _, s := range builtin.Universe() {
		if !seen[s.Name] && (s.Name != "set" || f.set.env.dialect.Set) {
			names = append(names, symbolCompletion(s, FunctionSymbol))
		}
	}
	list = append(list, sortCompletions(names)...)
	for _, word := range parse.Keywords {
		list = append(list, Completion{Label: word, Kind: KeywordSymbol})
	}
	return list
}

// onlyAt reports whether a binding occurs at the span and nowhere else: it is being written.
func onlyAt(b *scope.Binding, word source.Span) bool {
	return len(b.Refs) == 1 && b.Refs[0].Span == word
}

func sortCompletions(list []Completion) []Completion {
	slices.SortFunc(list, func(a, b Completion) int { return strings.Compare(a.Label, b.Label) })
	return list
}

func (f *File) bindingCompletion(b *scope.Binding) Completion {
	c := Completion{Label: b.Name}
	switch b.Kind {
	case scope.Parameter:
		c.Kind = ParameterSymbol
	case scope.Loaded:
		c.Kind = LoadedSymbol
		if b.Item != nil {
			c.Detail = b.Item.Load.Module
		}
	case scope.Function:
		c.Kind = FunctionSymbol
		if def, ok := b.Node.(*syntax.DefStmt); ok {
			sig := f.signature(b.Name, def.Params, def.Body)
			c.Detail, c.Doc = sig.String(), sig.Doc
		}
	default:
		if isConstant(b.Name) {
			c.Kind = ConstantSymbol
		}
	}
	return c
}

// symbolCompletion returns the completion of a predeclared symbol, which is of the kind fn if it is
// a function.
func symbolCompletion(s *builtin.Symbol, fn SymbolKind) Completion {
	c := Completion{Label: s.Name, Detail: s.Type, Doc: s.Doc, Kind: ConstantSymbol}
	if s.Sig != nil {
		c.Kind, c.Detail = fn, s.Sig.String()
	}
	return c
}

// completeArgument returns the parameters that may still be given by name where a call's argument
// begins.
func (f *File) completeArgument(c cursor) []Completion {
	if !c.argument {
		return nil
	}
	expr, call := f.call(c.word.Start)
	if call == nil {
		return nil
	}
	given := f.given(expr, call.Signature, c.word.Start)
	var list []Completion
	for i, p := range call.Signature.Params {
		if !given[i] && (p.Kind == signature.Normal || p.Kind == signature.KeywordOnly) {
			list = append(list, Completion{
				Label: p.Name + " =", Kind: ParameterSymbol, Detail: p.String(), Doc: p.Doc,
				Edit: source.Edit{New: p.Name + " = "},
			})
		}
	}
	return list
}

// completeAttribute returns the attributes of the expression before the dot at an offset.
func (f *File) completeAttribute(dot int) []Completion {
	var of value
	for _, n := range f.tree.Path(dot) {
		if x, ok := n.(*syntax.DotExpr); ok && f.tree.Offset(x.Dot) == dot {
			of = f.infer(x.X, maxSteps)
		}
	}
	var list []Completion
	for _, fd := range of.fields {
		v := fd.file.infer(fd.expr, maxSteps)
		c := Completion{Label: fd.name.Name, Kind: FieldSymbol, Detail: v.typ, Doc: v.doc}
		if v.sig != nil {
			c.Detail = v.sig.String()
		}
		list = append(list, c)
	}
	for name, s := range of.attrs {
		c := symbolCompletion(s, MethodSymbol)
		c.Label = name
		if s.Sig == nil {
			c.Kind = FieldSymbol
		}
		list = append(list, c)
	}
	for _, s := range builtin.Methods(of.typ) {
		list = append(list, symbolCompletion(s, MethodSymbol))
	}
	return sortCompletions(list)
}

// maxEntries is how many entries of a folder are offered.
const maxEntries = 1000

// completeModule returns the files and folders that a load path may go on with. Typed is the path
// before the word at the offset, which ends with a separator.
func (f *File) completeModule(typed string) []Completion {
	if strings.HasPrefix(typed, "@") {
		return nil
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(typed, "//"), ":")
	rel = filepath.FromSlash(strings.Replace(rel, ":", "/", 1))
	var list []Completion
	seen := make(map[string]bool)
	for _, dir := range f.view.loadFolders(f.set, f.key, typed) {
		entries, err := os.ReadDir(filepath.Join(dir, rel))
		if err != nil {
			continue
		}
		for _, entry := range entries[:min(len(entries), maxEntries)] {
			c := Completion{Label: entry.Name(), Kind: FileSymbol}
			if entry.IsDir() {
				c.Kind, c.Edit.New = FolderSymbol, entry.Name()+"/"
			}
			hidden := strings.HasPrefix(c.Label, ".") || c.Kind == FileSymbol && !IsStarlark(c.Label)
			if self := filepath.Join(dir, rel, c.Label) == f.key; !hidden && !self && !seen[c.Label] {
				seen[c.Label] = true
				list = append(list, c)
			}
		}
	}
	return list
}

// completeItem returns the names that the file of a load statement defines.
func (f *File) completeItem(module string) []Completion {
	to, err := f.loaded(module)
	if err != nil {
		return nil
	}
	var list []Completion
	for _, b := range to.names.Block.Bindings {
		if to.exported(b.Name) != nil && b.Global() {
			list = append(list, to.bindingCompletion(b))
		}
	}
	return sortCompletions(list)
}
