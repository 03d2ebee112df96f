package workspace

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Severity says how bad a problem is.
type Severity uint8

// The severities.
const (
	Error   Severity = iota // the program cannot run, or fails when it gets there
	Warning                 // probably a mistake
	Hint                    // could be tidied
)

// A Problem is something wrong with a file.
type Problem struct {
	Code        string // stable, such as "syntax", "undefined" or "unused-load"
	Severity    Severity
	Span        source.Span
	Msg         string
	Unnecessary bool // the span could go
	Related     []Related
	Fixes       []Fix
}

// A Related place helps to understand a problem.
type Related struct {
	Location
	Msg string
}

// A Fix is a change that solves a problem.
type Fix struct {
	Title string
	Edits []source.Edit // of the same file
}

// Problems returns what is wrong with the file, in the order of the text: its syntax, its names,
// its loads, calls that do not fit and code that is never reached. It reads the files that this one
// loads. A statement whose syntax is wrong has no other problem. It fails only when the context
// ends.
func (f *File) Problems(ctx context.Context) ([]Problem, error) {
	var list []Problem
	for _, p := range f.names.Problems {
		list = append(list, f.nameProblem(p))
	}
	list = append(list, f.unused(f.names.Block)...)
	list = append(list, f.flowProblems()...)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	list = append(list, f.loadProblems()...)
	list = append(list, f.callProblems()...)
	list = slices.DeleteFunc(list, func(p Problem) bool { return f.broken(p.Span) })
	for _, e := range f.tree.Errors {
		list = append(list, Problem{Code: "syntax", Span: e.Span, Msg: e.Msg})
	}
	slices.SortStableFunc(list, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
	return list, ctx.Err()
}

// broken reports whether a span overlaps a statement whose syntax is wrong.
func (f *File) broken(span source.Span) bool {
	mended := f.tree.Mended
	i := sort.Search(len(mended), func(i int) bool { return mended[i].End >= span.Start })
	return i < len(mended) && mended[i].Overlaps(span)
}

// nameProblem returns the problem that name resolution found.
func (f *File) nameProblem(p scope.Problem) Problem {
	out := Problem{Code: p.Code, Span: p.Span, Msg: p.Msg}
	if p.Code == "used-before-assignment" {
		out.Severity = Warning
	}
	if p.Related != (source.Span{}) {
		out.Related = []Related{{f.location(p.Related), "declared here"}}
	}
	return out
}

// unused returns the loads, variables and parameters in and below a block that nothing reads.
// Globals may be read by other files; names that begin with an underscore say that they are unused.
func (f *File) unused(block *scope.Block) []Problem {
	var list []Problem
	for _, b := range block.Bindings {
		if !b.Used() && b.Name[0] != '_' && !f.tree.Lost[b.Name] {
			list = append(list, f.unusedBinding(b)...)
		}
	}
	for _, child := range block.Children {
		list = append(list, f.unused(child)...)
	}
	return list
}

func (f *File) unusedBinding(b *scope.Binding) []Problem {
	p := Problem{Span: b.Declaration().Span, Unnecessary: true}
	switch {
	case b.Kind == scope.Loaded && f.set.env.dialect.LoadBindsGlobally:
		return nil // it is loaded for those who load this file
	case b.Kind == scope.Loaded:
		p.Code, p.Severity = "unused-load", Warning
		p.Msg = fmt.Sprintf("%s is loaded but not used", b.Name)
		if b.Item != nil {
			edits := f.removeItems(b.Item.Load, func(it *scope.Item) bool { return it == b.Item })
			p.Fixes = []Fix{{fmt.Sprintf("Remove the load of %s", b.Name), edits}}
		}
	case b.Block.Parent == nil:
		return nil
	case b.Kind == scope.Parameter:
		p.Code, p.Severity = "unused-parameter", Hint
		p.Msg = fmt.Sprintf("the parameter %s is not used", b.Name)
	case b.Kind == scope.Variable && b.Value != nil, b.Kind == scope.Function:
		p.Code, p.Severity = "unused-variable", Hint
		p.Msg = fmt.Sprintf("%s is not used", b.Name)
	default:
		return nil // a loop or a tuple needs some name
	}
	return []Problem{p}
}

// removeItems returns the edits that take items out of a load statement, and the whole statement
// when none is left.
func (f *File) removeItems(load *scope.Load, remove func(*scope.Item) bool) []source.Edit {
	kept := slices.DeleteFunc(slices.Clone(load.Items), remove)
	if len(kept) == len(load.Items) {
		return nil
	}
	if len(kept) == 0 {
		return []source.Edit{{Span: f.wholeLines(f.tree.Span(load.Stmt))}}
	}
	var edits []source.Edit
	end := f.tree.Span(load.Stmt.Module).End
	for _, item := range load.Items {
		span := f.itemText(item)
		if remove(item) {
			// From the end of what is before, so that the comma before the item goes too.
			edits = append(edits, source.Edit{Span: source.Span{Start: end, End: span.End}})
		}
		end = span.End
	}
	return edits
}

// itemText returns the span of a load item with its quotes and its local name.
func (f *File) itemText(item *scope.Item) source.Span {
	span := source.Span{Start: f.quoteBefore(item.Span.Start), End: item.Span.End}
	content := f.text.String()
	for span.End < len(content) && (content[span.End] == '"' || content[span.End] == '\'') {
		span.End++
	}
	if item.Aliased() {
		span.Start = item.Binding.Declaration().Start
	}
	return span
}

// wholeLines widens a span to the lines it covers, when nothing else is on them.
func (f *File) wholeLines(span source.Span) source.Span {
	first := f.text.LineSpan(f.text.LineOf(span.Start))
	last := f.text.LineOf(span.End)
	before := f.text.Slice(source.Span{Start: first.Start, End: span.Start})
	after := f.text.Slice(source.Span{Start: span.End, End: f.text.LineSpan(last).End})
	if strings.TrimSpace(before) != "" || strings.TrimSpace(after) != "" {
		return span
	}
	end := f.text.Len()
	if last+1 < f.text.Lines() {
		end = f.text.LineSpan(last + 1).Start
	}
	return source.Span{Start: first.Start, End: end}
}
