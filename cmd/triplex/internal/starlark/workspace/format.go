package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/buildtools/build"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// Format returns the edits of whole lines that lay out the file as buildifier does. It fails where
// the syntax is not valid. Byte order mark and line ends remain as they are.
func (f *File) Format() ([]source.Edit, error) {
	content, bom := strings.CutPrefix(f.text.String(), source.BOM)
	crlf := strings.Contains(content, "\r\n")
	if crlf {
		content = strings.ReplaceAll(content, "\r\n", "\n")
	}
	formatted, err := formatText(filepath.Base(f.key), content)
	if err != nil {
		return nil, fmt.Errorf("formatting %s: %w", f.Name(), err)
	}
	if crlf {
		formatted = strings.ReplaceAll(formatted, "\n", "\r\n")
	}
	if bom {
		formatted = source.BOM + formatted
	}
	return source.Diff(f.text.String(), formatted), nil
}

// FormatRange returns those edits of Format that lay out the statements which overlap the span.
func (f *File) FormatRange(span source.Span) ([]source.Edit, error) {
	edits, err := f.Format()
	if err != nil {
		return nil, err
	}
	covered := f.statementsAround(span)
	return slices.DeleteFunc(edits, func(e source.Edit) bool {
		return !slices.ContainsFunc(covered, func(s source.Span) bool { return s.Overlaps(e.Span) })
	}), nil
}

// statementsAround returns the spans of the lines of the logical lines that overlap the span.
func (f *File) statementsAround(span source.Span) []source.Span {
	var list []source.Span
	start := -1
	for _, t := range parse.Tokens(f.text) {
		if start < 0 {
			start = f.text.LineSpan(f.text.LineOf(t.Start)).Start
		}
		if t.Kind == parse.Newline {
			if s := (source.Span{Start: start, End: t.End}); s.Overlaps(span) {
				list = append(list, s)
			}
			start = -1
		}
	}
	return list
}

// formatText formats a file of that name with line ends "\n". The formatter panics on some input
// that it does not expect.
func formatText(name, content string) (formatted string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the formatter cannot handle this text: %v", p)
		}
	}()
	file, err := build.Parse(name, []byte(content))
	if err != nil {
		return "", err
	}
	formatted = string(build.Format(file))
	if after := parse.Parse(source.New(formatted)); len(after.Errors) > 0 &&
		len(parse.Parse(source.New(content)).Errors) == 0 {
		return "", errors.New("the formatter would break the syntax")
	}
	return formatted, nil
}
