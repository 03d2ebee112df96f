package workspace

import (
	"errors"
	"fmt"
	"strings"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// loadProblems returns the load statements whose file or name is missing, or that close a cycle. A
// file that is not on disk has none: it has no place to load from.
func (f *File) loadProblems() []Problem {
	var list []Problem
	if !f.onDisk() {
		return nil
	}
	for _, load := range f.names.Loads {
		to, err := f.loaded(load.Module)
		if err != nil {
			if !errors.Is(err, ErrExternal) {
				list = append(list, missingFile(load, err))
			}
			continue
		}
		if cycle := f.cycle(to); cycle != nil {
			list = append(list, f.cycleProblem(load, cycle))
			continue
		}
		for _, item := range load.Items {
			if p, ok := to.missingName(item); ok {
				list = append(list, p)
			}
		}
	}
	return list
}

// missingFile returns the problem of a load whose file is missing. The application may know modules
// that are no files, so only a name that looks like one is an error.
func missingFile(load *scope.Load, err error) Problem {
	p := Problem{Code: "load-file", Severity: Warning, Span: load.ModuleSpan, Msg: err.Error()}
	if strings.HasPrefix(load.Module, ".") || IsStarlark(load.Module) {
		p.Severity = Error
	}
	if strings.HasPrefix(load.Module, "//") || strings.HasPrefix(load.Module, ":") {
		p.Severity = Warning
	}
	return p
}

// missingName returns the problem of a load item that this file does not define.
func (f *File) missingName(item *scope.Item) (Problem, bool) {
	private := item.Name == "" || item.Name[0] == '_' // reported by itself
	if private || f.exported(item.Name) != nil || f.tree.Lost[item.Name] {
		return Problem{}, false
	}
	p := Problem{Code: "load-name", Span: item.Span}
	p.Msg = fmt.Sprintf("%q does not define %s", item.Load.Module, item.Name)
	if b := f.names.Block.Lookup(item.Name); b != nil && b.Kind == scope.Loaded {
		p.Msg = fmt.Sprintf("%q only loads %s itself: load it from %q", item.Load.Module, item.Name,
			b.Item.Load.Module)
	}
	p.Related = []Related{{f.location(source.Span{}), "the loaded file"}}
	return p, true
}

// maxCycle is how many files are looked at to find a cycle of loads.
const maxCycle = 2000

// cycle returns the canonical names of the files on a way of loads from a file back to this one,
// beginning with that file, or nil.
func (f *File) cycle(from *File) []string {
	before := map[string]string{from.key: ""}
	queue := []string{from.key}
	for i := 0; i < len(queue) && i < maxCycle; i++ {
		at := queue[i]
		if at == f.key {
			var way []string
			for ; at != ""; at = before[at] {
				way = append([]string{at}, way...)
			}
			return way
		}
		s := f.view.summary(f.set, at)
		if s == nil {
			continue
		}
		for _, load := range s.loads {
			to, err := f.view.resolve(f.set, at, load.module)
			if _, seen := before[to]; err != nil || seen {
				continue
			}
			before[to] = at
			queue = append(queue, to)
		}
	}
	return nil
}

// cycleProblem returns the problem of a load that begins a cycle.
func (f *File) cycleProblem(load *scope.Load, way []string) Problem {
	names := make([]string, 0, len(way)+1)
	names = append(names, f.Name())
	for _, key := range way {
		names = append(names, f.view.spell(f.set, key))
	}
	return Problem{
		Code: "load-cycle", Span: load.ModuleSpan,
		Msg: "the file loads itself: " + strings.Join(names, " -> "),
	}
}
