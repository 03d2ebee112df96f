package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// An Action is a change of the file that is offered at a place.
type Action struct {
	Title   string
	Edits   []source.Edit
	Problem *Problem // that it solves
}

// Actions returns the changes that solve problems within a span: removing what is loaded but not
// used, and loading what some file of the workspace defines.
func (f *File) Actions(ctx context.Context, span source.Span) ([]Action, error) {
	problems, err := f.Problems(ctx)
	if err != nil {
		return nil, err
	}
	var list []Action
	for _, p := range problems {
		if !p.Span.Overlaps(span) {
			continue
		}
		for _, fix := range p.Fixes {
			list = append(list, Action{fix.Title, fix.Edits, &p})
		}
		if p.Code != "undefined" {
			continue
		}
		missing, err := f.missingLoads(ctx, f.text.Slice(p.Span))
		if err != nil {
			return nil, err
		}
		for _, fix := range missing {
			list = append(list, Action{fix.Title, fix.Edits, &p})
		}
	}
	return list, nil
}

// maxLoads is how many files are offered that define a missing name.
const maxLoads = 10

// missingLoads returns for each file of the workspace that defines a name the load of it.
func (f *File) missingLoads(ctx context.Context, name string) ([]Fix, error) {
	if !f.onDisk() || name[0] == '_' {
		return nil, nil
	}
	var fixes []Fix
	for _, key := range f.view.known(f.set) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := f.view.summary(f.set, key)
		if key == f.key || s == nil || len(fixes) == maxLoads {
			continue
		}
		if !slices.ContainsFunc(s.symbols, func(s Symbol) bool { return s.Name == name }) {
			continue
		}
		if module := f.moduleOf(key); module != "" {
			title := fmt.Sprintf("Load %s from %q", name, module)
			fixes = append(fixes, Fix{title, []source.Edit{f.addLoad(module, name)}})
		}
	}
	return fixes, nil
}

// moduleOf returns how a load statement of this file would name another file, or "".
func (f *File) moduleOf(key string) string {
	for _, load := range f.names.Loads {
		if to, err := f.view.resolve(f.set, f.key, load.Module); err == nil && to == key {
			return load.Module
		}
	}
	var tries []string
	for _, dir := range append([]string{filepath.Dir(f.key)}, f.loadFolders()...) {
		if rel, err := filepath.Rel(dir, key); err == nil && !strings.HasPrefix(rel, "..") {
			tries = append(tries, filepath.ToSlash(rel))
		}
	}
	if rel, err := filepath.Rel(filepath.Dir(f.key), key); err == nil {
		tries = append(tries, filepath.ToSlash(rel))
	}
	for _, module := range tries {
		if to, err := f.view.resolve(f.set, f.key, module); err == nil && to == key {
			return module
		}
	}
	return ""
}

func (f *File) loadFolders() []string { return f.view.loadFolders(f.set, f.key, "") }

// addLoad returns the edit that loads a name: into the load statement of the module if there is
// one, else as a statement behind the other loads.
func (f *File) addLoad(module, name string) source.Edit {
	at := 0
	for _, load := range f.names.Loads {
		if load.Module == module && len(load.Items) > 0 {
			end := f.itemText(load.Items[len(load.Items)-1]).End
			return source.Edit{Span: source.Span{Start: end, End: end}, New: fmt.Sprintf(", %q", name)}
		}
		at = f.wholeLines(f.tree.Span(load.Stmt)).End
	}
	if len(f.names.Loads) == 0 {
		at = f.top()
	}
	text := fmt.Sprintf("load(%q, %q)\n", module, name)
	if at > 0 && !strings.HasSuffix(f.text.String()[:at], "\n") {
		text = "\n" + text
	}
	return source.Edit{Span: source.Span{Start: at, End: at}, New: text}
}

// top returns the offset of the first line for loads: behind a byte order mark and the file's
// documentation.
func (f *File) top() int {
	if stmts := f.tree.File.Stmts; docstring(stmts) != "" {
		return f.wholeLines(f.tree.Span(stmts[0])).End
	}
	if strings.HasPrefix(f.text.String(), source.BOM) {
		return len(source.BOM)
	}
	return 0
}

// OrganizeLoads returns the edits that put the load statements in order: those that follow one
// another are sorted by module and made one for each module, names in order, unused ones removed.
func (f *File) OrganizeLoads() []source.Edit {
	var edits []source.Edit
	loads := f.names.Loads
	for i := 0; i < len(loads); i++ {
		first := i
		for i+1 < len(loads) && f.follows(loads[i], loads[i+1]) {
			i++
		}
		edits = append(edits, f.organize(loads[first:i+1])...)
	}
	return edits
}

// organize returns the edits that put a run of load statements in order.
func (f *File) organize(loads []*scope.Load) []source.Edit {
	items := make(map[string][]string)
	for _, load := range loads {
		for _, item := range load.Items {
			if used := item.Binding == nil || item.Binding.Used() || item.Name[0] == '_'; used {
				items[load.Module] = append(items[load.Module], f.text.Slice(f.itemText(item)))
			}
		}
	}
	var modules []string
	for module := range items {
		modules = append(modules, module)
	}
	slices.Sort(modules)
	var b strings.Builder
	for i, module := range modules {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(loadStatement(module, items[module]))
	}
	span := source.Span{
		Start: f.tree.Span(loads[0].Stmt).Start, End: f.tree.Span(loads[len(loads)-1].Stmt).End,
	}
	if b.Len() == 0 {
		span = f.wholeLines(span)
	}
	if f.text.Slice(span) == b.String() {
		return nil
	}
	return []source.Edit{{Span: span, New: b.String()}}
}

// maxLine is the length of the longest load statement that is written in one line.
const maxLine = 79

func loadStatement(module string, items []string) string {
	slices.SortFunc(items, func(a, b string) int {
		aliasA, aliasB := strings.Contains(a, "="), strings.Contains(b, "=")
		if aliasA != aliasB { // names before aliases, as buildifier has them
			if aliasA {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	items = slices.Compact(items)
	line := fmt.Sprintf("load(%q, %s)", module, strings.Join(items, ", "))
	if len(line) <= maxLine {
		return line
	}
	return fmt.Sprintf("load(\n    %q,\n    %s,\n)", module, strings.Join(items, ",\n    "))
}
