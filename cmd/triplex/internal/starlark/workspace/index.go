package workspace

import (
	"context"
	"slices"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A summary is what queries across files need of one file. It is kept, unlike the analysis, for
// every file that was looked at, and replaced when the text changes.
type summary struct {
	text    *source.Text
	loads   []loadSummary
	symbols []Symbol // top-level ones, without children
}

type indexKey struct {
	key string // canonical name of the file
	env *environment
}

type loadSummary struct {
	module string
	items  []itemSummary
}

type itemSummary struct {
	name    string
	span    source.Span // of the name in the load statement
	local   string      // the name it has in the file
	aliased bool
	refs    []Occurrence // of the local name
}

// An Occurrence is a place where a name is read or written.
type Occurrence struct {
	source.Span
	Write bool
}

// summary returns the summary of a file, or nil when the file cannot be read.
func (v *View) summary(set *settings, key string) *summary {
	at := indexKey{key, set.env}
	text, err := v.text(key)
	v.w.mu.Lock()
	known := v.w.index[at]
	if err != nil {
		delete(v.w.index, at)
	}
	v.w.mu.Unlock()
	if err != nil {
		return nil
	}
	if known != nil && known.text == text {
		return known
	}
	s := v.snapshot(set, key, text).summarise()
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	keep(v.w.index, at, s)
	return s
}

func (f *File) summarise() *summary {
	s := &summary{text: f.text, symbols: f.Symbols()}
	for i := range s.symbols {
		s.symbols[i].Children = nil
	}
	for _, load := range f.names.Loads {
		ls := loadSummary{module: load.Module}
		for _, item := range load.Items {
			is := itemSummary{name: item.Name, span: item.Span, aliased: item.Aliased()}
			if item.Binding != nil {
				is.local, is.refs = item.Binding.Name, occurrences(item.Binding)
			}
			ls.items = append(ls.items, is)
		}
		s.loads = append(s.loads, ls)
	}
	return s
}

// occurrences returns the places of a binding in the order of the text.
func occurrences(b *scope.Binding) []Occurrence {
	list := make([]Occurrence, 0, len(b.Refs))
	for _, ref := range b.Refs {
		list = append(list, Occurrence{ref.Span, ref.Access&scope.Write != 0})
	}
	slices.SortFunc(list, func(a, b Occurrence) int { return a.Start - b.Start })
	return list
}

// known returns the canonical names of all files that the view knows: those below its roots, those
// it has open, and those that other views have open below its roots, or anywhere if it has none.
func (v *View) known(set *settings) []string {
	keys := v.w.filesBelow(set.roots)
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	for key, overlays := range v.w.overlays {
		own := slices.ContainsFunc(overlays, func(o *overlay) bool { return o.view == v })
		if _, _, below := set.below(key); own || below || len(set.roots) == 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// A loader is a place where a file loads a certain name of another.
type loader struct {
	key  string // canonical name of the file that loads
	text *source.Text
	item itemSummary
}

// loaders returns where files load a name of the file with the canonical name key.
func (v *View) loaders(ctx context.Context, set *settings, key, name string) ([]loader, error) {
	var found []loader
	for _, from := range v.known(set) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := v.summary(set, from)
		if s == nil {
			continue
		}
		for _, load := range s.loads {
			for _, item := range load.items {
				if item.name != name {
					continue
				}
				if to, err := v.resolve(set, from, load.module); err == nil && to == key {
					found = append(found, loader{from, s.text, item})
				}
			}
		}
	}
	return found, nil
}
