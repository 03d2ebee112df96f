package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bazelbuild/buildtools/build"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// Format returns the edits of whole lines that lay out the file as buildifier does. It fails where
// the syntax is not valid, or is not known to buildifier. A byte order mark remains, and lines end
// as the first one does.
func (f *File) Format() ([]source.Edit, error) {
	if err := f.sound(); err != nil {
		return nil, fmt.Errorf("formatting %s: %w", f.Name(), err)
	}
	content, bom := strings.CutPrefix(f.text.String(), source.BOM)
	content, err := untab(lineEnds.Replace(content))
	if err != nil {
		return nil, fmt.Errorf("formatting %s: %w", f.Name(), err)
	}
	formatted, err := formatText(filepath.Base(f.key), content)
	if err != nil {
		return nil, fmt.Errorf("formatting %s: %w", f.Name(), err)
	}
	if end := f.lineEnd(); end != "\n" {
		formatted = strings.ReplaceAll(formatted, "\n", end)
	}
	if bom {
		formatted = source.BOM + formatted
	}
	return source.Diff(f.text.String(), formatted), nil
}

// lineEnds makes all line ends the one that buildtools knows.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// tab is how many columns apart the places are that a tab reaches to, as the interpreter has them.
const tab = 8

// untab makes the tabs that indent lines blanks. To the formatter a tab is as wide as a blank: it
// would refuse a block that is indented by one, or end it early.
func untab(content string) (string, error) {
	text := source.New(content)
	var edits []source.Edit
	last := -1 // the line of the token before
	for _, t := range parse.Tokens(text) {
		line := text.LineOf(t.Start)
		if line == last {
			continue
		}
		last = line
		indent := text.Indent(line)
		span := source.Span{Start: text.LineSpan(line).Start, End: t.Start}
		if span.End-span.Start != len(indent) || !strings.Contains(indent, "\t") {
			continue
		}
		width := 0
		for _, c := range indent {
			if width++; c == '\t' {
				width = (width + tab - 1) / tab * tab
			}
		}
		edits = append(edits, source.Edit{Span: span, New: strings.Repeat(" ", width)})
	}
	return source.Apply(content, edits)
}

// sound returns the first error in the syntax of the file. Files with errors are kept from
// buildtools, as their statements may be nested more deeply than it can bear.
func (f *File) sound() error {
	if len(f.tree.Errors) == 0 {
		return nil
	}
	e := f.tree.Errors[0]
	return fmt.Errorf("line %d: %s", f.text.Position(e.Span.Start).Line+1, e.Msg)
}

// FormatRange returns edits that lay out the statements which overlap the span, and where their
// indentation changes the whole top-level statements around them. It fails as Format does, and
// where the statements cannot be told apart in the formatted text.
func (f *File) FormatRange(span source.Span) ([]source.Edit, error) {
	edits, err := f.Format()
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	formatted, err := source.Apply(f.text.String(), edits)
	if err != nil {
		return nil, fmt.Errorf("formatting %s: %w", f.Name(), err)
	}
	after := source.New(formatted)
	from, to := statements(f.text), statements(after)
	same := func(a, b source.Span) bool { return words(f.text, a) == words(after, b) }
	if !slices.EqualFunc(from, to, same) {
		return nil, fmt.Errorf("formatting %s: its statements change, format all of it", f.Name())
	}
	var chosen []source.Edit
	for _, i := range f.reformatted(from, after, to, span) {
		if e := (source.Edit{Span: from[i], New: after.Slice(to[i])}); f.text.Slice(e.Span) != e.New {
			chosen = append(chosen, e)
		}
	}
	return chosen, nil
}

// reformatted returns the indexes of the statements that are laid out for a span.
func (f *File) reformatted(
	from []source.Span, after *source.Text, to []source.Span, span source.Span,
) []int {
	var list []int
	top := 0 // the first statement of the top-level one at hand
	for i := 0; i < len(from); i++ {
		before, now := f.text.LineOf(from[i].Start), after.LineOf(to[i].Start)
		if f.text.Indent(before) == "" {
			top = i
		}
		if !f.shareLine(from[i], span) {
			continue
		}
		if f.text.Indent(before) == after.Indent(now) {
			list = append(list, i)
			continue
		}
		list = slices.DeleteFunc(list, func(n int) bool { return n >= top })
		for i = top; i < len(from) && (i == top || f.indented(from[i])); i++ {
			list = append(list, i)
		}
		i--
	}
	return list
}

// shareLine reports whether two spans have characters in one line, or an empty one is in it.
func (f *File) shareLine(a, b source.Span) bool {
	last := func(s source.Span) int { return f.text.LineOf(max(s.Start, s.End-1)) }
	return f.text.LineOf(a.Start) <= last(b) && f.text.LineOf(b.Start) <= last(a)
}

func (f *File) indented(statement source.Span) bool {
	return f.text.Indent(f.text.LineOf(statement.Start)) != ""
}

// words returns the names, numbers and strings of a statement in alphabetical order: what remains
// of it when it is formatted.
func words(text *source.Text, statement source.Span) string {
	var list []string
	part := source.New(text.Slice(statement))
	for _, t := range parse.Tokens(part) {
		switch t.Kind {
		case parse.Name, parse.Keyword, parse.Number:
			list = append(list, part.Slice(t.Span))
		case parse.String:
			list = append(list, strings.Trim(part.Slice(t.Span), `"'`))
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// statements returns the spans of the lines of all logical lines, without the comments above them.
func statements(text *source.Text) []source.Span {
	var list []source.Span
	start := -1
	for _, t := range parse.Tokens(text) {
		if start < 0 && t.Kind != parse.Comment {
			start = text.LineSpan(text.LineOf(t.Start)).Start
		}
		if t.Kind == parse.Newline {
			list = append(list, source.Span{Start: start, End: t.End})
			start = -1
		}
	}
	return list
}

// requote gives strings beyond ASCII double quotes in place of single ones. The formatter would do
// so too, but spell their characters in octal escapes, which Starlark refuses.
func requote(file *build.File) {
	build.Walk(file, func(x build.Expr, _ []build.Expr) {
		s, ok := x.(*build.StringExpr)
		if !ok || !strings.HasPrefix(s.Token, "'") || strings.Contains(s.Token, `"`) ||
			!strings.ContainsFunc(s.Token, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return
		}
		single, double := "'", `"`
		if s.TripleQuote {
			single, double = "'''", `"""`
		}
		body := strings.TrimSuffix(strings.TrimPrefix(s.Token, single), single)
		s.Token = double + body + double
	})
}

// formatText formats a file of that name, of valid syntax and with line ends "\n". The formatter
// panics on some input that it does not expect.
func formatText(name, content string) (formatted string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the formatter cannot handle this text: %v", p)
		}
	}()
	file, err := build.Parse(name, []byte(content))
	if err != nil {
		return "", fmt.Errorf("buildifier does not know all of Starlark: %w", err)
	}
	requote(file)
	formatted = string(build.Format(file))
	if after := parse.Parse(source.New(formatted)); len(after.Errors) > 0 {
		return "", errors.New("the formatter would break the syntax")
	}
	return formatted, nil
}
