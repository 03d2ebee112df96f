package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
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

// missingLoads returns for each file of the workspace that defines a name the load of it, unless
// this file would load itself by that.
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
		if module := f.moduleOf(key); module != "" && !f.loadedBy(key) {
			title := fmt.Sprintf("Load %s from %q", name, module)
			fixes = append(fixes, Fix{title, []source.Edit{f.addLoad(module, name)}})
		}
	}
	return fixes, nil
}

// loadedBy reports whether another file loads this one, directly or through others.
func (f *File) loadedBy(key string) bool {
	other, err := f.view.file(f.set, key)
	return err == nil && f.cycle(other) != nil
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
			end := load.Items[len(load.Items)-1].Whole.End
			return source.Edit{Span: source.Span{Start: end, End: end}, New: fmt.Sprintf(", %q", name)}
		}
		at = f.wholeLines(f.tree.Span(load.Stmt)).End
	}
	if len(f.names.Loads) == 0 {
		at = f.top()
	}
	text := fmt.Sprintf("load(%q, %q)", module, name) + f.lineEnd()
	if before, _ := f.beside(source.Span{Start: at, End: at}); before != "" {
		text = f.lineEnd() + text
	}
	return source.Edit{Span: source.Span{Start: at, End: at}, New: text}
}

// top returns the offset of the first line for loads: behind the file's documentation, or what is
// written about the file in comments.
func (f *File) top() int {
	if stmts := f.tree.File.Stmts; docstring(stmts) != "" {
		return f.wholeLines(f.tree.Span(stmts[0])).End
	}
	comments := 0
	for strings.HasPrefix(strings.TrimPrefix(f.text.Line(comments), source.BOM), "#") &&
		comments+1 < f.text.Lines() {
		comments++
	}
	switch {
	case comments > 0 && strings.TrimSpace(f.text.Line(comments)) == "":
		return f.wholeLines(f.text.LineSpan(comments)).End
	case strings.HasPrefix(f.text.String(), "#!"):
		return f.wholeLines(f.text.LineSpan(0)).End
	case strings.HasPrefix(f.text.String(), source.BOM):
		return len(source.BOM)
	}
	return 0
}

// lineEnd returns what ends the lines of the file.
func (f *File) lineEnd() string {
	rest := f.text.String()[f.text.LineSpan(0).End:]
	switch {
	case strings.HasPrefix(rest, "\r\n"):
		return "\r\n"
	case strings.HasPrefix(rest, "\r"):
		return "\r"
	}
	return "\n"
}

// OrganizeLoads returns the edits that put the load statements in order: those that follow one
// another are sorted by module and made one for each module, names in order, unused ones removed.
// Statements with comments in or between them are left alone.
func (f *File) OrganizeLoads() []source.Edit {
	var edits []source.Edit
	loads := f.names.Loads
	for i := 0; i < len(loads); i++ {
		first := i
		for i+1 < len(loads) && f.adjacent(loads[i], loads[i+1]) {
			i++
		}
		edits = append(edits, f.organize(loads[first:i+1])...)
	}
	return edits
}

// adjacent reports whether two load statements can be written anew together.
func (f *File) adjacent(a, b *scope.Load) bool {
	between := source.Span{Start: f.tree.Span(a.Stmt).End, End: f.tree.Span(b.Stmt).Start}
	return strings.TrimSpace(f.text.Slice(between)) == "" && f.rewritable(a) && f.rewritable(b)
}

// rewritable reports whether a load statement can be written anew and nothing is lost: it is not
// part of a block, alone on its lines, without a mistake in its syntax, and holds no comment.
func (f *File) rewritable(load *scope.Load) bool {
	span := f.tree.Span(load.Stmt)
	if before, after := f.beside(span); before+after != "" || f.broken(span) {
		return false
	}
	tokens := parse.Tokens(source.New(f.text.Slice(span)))
	return !slices.ContainsFunc(tokens, func(t parse.Token) bool { return t.Kind == parse.Comment })
}

// organize returns the edits that put a run of load statements in order.
func (f *File) organize(loads []*scope.Load) []source.Edit {
	if !f.rewritable(loads[0]) {
		return nil
	}
	items := make(map[string][]string)
	for _, load := range loads {
		for _, item := range load.Items {
			if used := item.Binding == nil || item.Binding.Used() || item.Name[0] == '_'; used {
				items[load.Module] = append(items[load.Module], f.text.Slice(item.Whole))
			}
		}
	}
	var modules []string
	for module := range items {
		modules = append(modules, module)
	}
	slices.Sort(modules)
	var statements []string
	for _, module := range modules {
		statements = append(statements, loadStatement(module, items[module]))
	}
	text := strings.ReplaceAll(strings.Join(statements, "\n"), "\n", f.lineEnd())
	span := source.Span{
		Start: f.tree.Span(loads[0].Stmt).Start, End: f.tree.Span(loads[len(loads)-1].Stmt).End,
	}
	if text == "" {
		span = f.wholeLines(span)
	}
	if f.text.Slice(span) == text {
		return nil
	}
	return []source.Edit{{Span: span, New: text}}
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
