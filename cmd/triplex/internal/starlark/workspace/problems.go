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
		if edits := f.removeItem(b.Item); edits != nil {
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

// removeItem returns the edit that takes an item out of its load statement, and the whole statement
// if it is the only one. There is none if the statement would leave a gap: as the only one of a
// block, or between semicolons.
func (f *File) removeItem(item *scope.Item) []source.Edit {
	if item == nil {
		return nil
	}
	items := item.Load.Items
	if len(items) == 1 {
		stmt := f.tree.Span(item.Load.Stmt)
		before, after := f.beside(stmt)
		if before != "" || after != "" && after[0] != '#' {
			return nil
		}
		return []source.Edit{{Span: f.wholeLines(stmt)}}
	}
	end := f.tree.Span(item.Load.Stmt.Module).End
	if i := slices.Index(items, item); i > 0 {
		end = items[i-1].Whole.End
	}
	span := source.Span{Start: end, End: item.Whole.End} // with the comma before the item
	if strings.Contains(f.text.Slice(source.Span{Start: end, End: item.Whole.Start}), "#") {
		span = f.withComma(item.Whole) // the comment is about what is before
	}
	return []source.Edit{{Span: span}}
}

// withComma widens a span to a comma behind it.
func (f *File) withComma(span source.Span) source.Span {
	rest := f.text.String()[span.End:]
	if list, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), ","); ok {
		span.End += len(rest) - len(list)
	}
	return span
}

// beside returns the text before a span on its first line, without a byte order mark, and the text
// behind it on its last line, without the blanks around that.
func (f *File) beside(span source.Span) (before, after string) {
	first := f.text.LineSpan(f.text.LineOf(span.Start))
	last := f.text.LineSpan(f.text.LineOf(span.End))
	before = f.text.Slice(source.Span{Start: first.Start, End: span.Start})
	after = f.text.Slice(source.Span{Start: span.End, End: last.End})
	return strings.TrimPrefix(before, source.BOM), strings.TrimSpace(after)
}

// wholeLines widens a span to the lines it covers, when nothing else is on them.
func (f *File) wholeLines(span source.Span) source.Span {
	before, after := f.beside(span)
	if strings.TrimSpace(before) != "" || after != "" {
		return span
	}
	span.Start -= len(before)
	if last := f.text.LineOf(span.End); last+1 < f.text.Lines() {
		span.End = f.text.LineSpan(last + 1).Start
	} else {
		span.End = f.text.Len()
	}
	return span
}
