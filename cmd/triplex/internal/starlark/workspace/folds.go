package workspace

import (
	"slices"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Fold is a part of the file that may be folded away: the lines behind Span.Start up to Span.End.
type Fold struct {
	Span source.Span
	Kind FoldKind
}

// A FoldKind says what a fold holds.
type FoldKind uint8

// The kinds of folds.
const (
	CodeFold FoldKind = iota
	CommentFold
	LoadFold
)

// Folds returns what may be folded: blocks, brackets over several lines, runs of comments and of
// load statements, and long strings. They are ordered by where they begin.
func (f *File) Folds() []Fold {
	folds := f.tokenFolds()
	syntax.Walk(f.tree.File, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.DefStmt, *syntax.ForStmt, *syntax.WhileStmt:
			folds = f.fold(folds, CodeFold, f.tree.Span(x))
		case *syntax.IfStmt:
			start := f.tree.Span(x).Start
			folds = f.fold(folds, CodeFold, source.Span{Start: start, End: f.endOf(x.True)})
			if len(x.False) > 0 && !isElif(x) {
				start := f.tree.Offset(x.ElsePos)
				folds = f.fold(folds, CodeFold, source.Span{Start: start, End: f.endOf(x.False)})
			}
		}
		return true
	})
	loads := f.names.Loads
	for i := 0; i < len(loads); i++ {
		first := i
		for i+1 < len(loads) && f.follows(loads[i], loads[i+1]) {
			i++
		}
		span := source.Span{
			Start: f.tree.Span(loads[first].Stmt).Start, End: f.tree.Span(loads[i].Stmt).End,
		}
		folds = f.fold(folds, LoadFold, span)
	}
	slices.SortStableFunc(folds, func(a, b Fold) int { return a.Span.Start - b.Span.Start })
	return slices.CompactFunc(folds, func(a, b Fold) bool {
		return f.text.LineOf(a.Span.Start) == f.text.LineOf(b.Span.Start) &&
			f.text.LineOf(a.Span.End) == f.text.LineOf(b.Span.End)
	})
}

// isElif reports whether the else branch of a statement is written as elif: a statement of its own,
// which begins there.
func isElif(x *syntax.IfStmt) bool {
	elif, ok := x.False[0].(*syntax.IfStmt)
	return ok && elif.If == x.ElsePos
}

func (f *File) endOf(stmts []syntax.Stmt) int { return f.tree.Span(stmts[len(stmts)-1]).End }

// follows reports whether nothing but white space is between two load statements.
func (f *File) follows(a, b *scope.Load) bool {
	end, start := f.tree.Span(a.Stmt).End, f.tree.Span(b.Stmt).Start
	return len(parse.Tokens(source.New(f.text.Slice(source.Span{Start: end, End: start})))) <= 1
}

// fold appends a fold if its span has several lines.
func (f *File) fold(folds []Fold, kind FoldKind, span source.Span) []Fold {
	if f.text.LineOf(span.Start) == f.text.LineOf(span.End) {
		return folds
	}
	return append(folds, Fold{span, kind})
}

// tokenFolds returns the folds of brackets, strings and comments.
func (f *File) tokenFolds() []Fold {
	var folds []Fold
	var open []int
	tokens := parse.Tokens(f.text)
	for i := 0; i < len(tokens); i++ {
		switch t := tokens[i]; t.Kind {
		case parse.Open:
			open = append(open, t.Start)
		case parse.Close:
			if n := len(open); n > 0 {
				folds = f.fold(folds, CodeFold, source.Span{Start: open[n-1], End: t.End})
				open = open[:n-1]
			}
		case parse.Newline:
			open = open[:0]
		case parse.String:
			folds = f.fold(folds, CodeFold, t.Span)
		case parse.Comment:
			last := t
			for i+1 < len(tokens) && tokens[i+1].Kind == parse.Comment &&
				f.text.LineOf(tokens[i+1].Start) == f.text.LineOf(last.Start)+1 {
				i++
				last = tokens[i]
			}
			folds = f.fold(folds, CommentFold, source.Span{Start: t.Start, End: last.End})
		}
	}
	return folds
}

// Selections returns the spans around the offset that a selection grows through, the innermost
// first: the word, what the syntax builds of it, and the file.
func (f *File) Selections(off int) []source.Span {
	spans := []source.Span{{Start: 0, End: f.text.Len()}}
	add := func(s source.Span) {
		if last := spans[len(spans)-1]; last.Covers(s) && last != s && s.Touches(off) {
			spans = append(spans, s)
		}
	}
	for _, n := range f.tree.Path(off) {
		add(f.tree.Span(n))
	}
	if p := f.place(off); p != nil {
		add(p.span)
	}
	for _, t := range parse.Tokens(f.text) {
		if t.Kind != parse.Newline && t.Touches(off) {
			add(t.Span)
		}
	}
	slices.Reverse(spans)
	return spans
}
