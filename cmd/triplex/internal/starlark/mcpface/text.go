package mcpface

import (
	"unicode/utf8"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Range is a part of a file. Lines and columns count from 1, columns in characters.
type Range struct {
	Line      int `json:"line" jsonschema:"first line, from 1"`
	Column    int `json:"column" jsonschema:"first column in characters, from 1"`
	EndLine   int `json:"end_line" jsonschema:"last line"`
	EndColumn int `json:"end_column" jsonschema:"column behind the last character"`
}

func rangeOf(text *source.Text, span source.Span) Range {
	var r Range
	r.Line, r.Column = position(text, span.Start)
	r.EndLine, r.EndColumn = position(text, span.End)
	return r
}

func position(text *source.Text, off int) (line, column int) {
	p := text.Position(off)
	return p.Line + 1, utf8.RuneCountInString(text.Line(p.Line)[:p.Col]) + 1
}

// offset returns the offset of a line and a column.
func offset(text *source.Text, line, column int) (int, error) {
	if line < 1 || line > text.Lines() {
		return 0, failf(codeArguments, "line %d: the file has %d lines", line, text.Lines())
	}
	if end := utf8.RuneCountInString(text.Line(line-1)) + 1; column < 1 || column > end {
		return 0, failf(codeArguments, "column %d: line %d has the columns 1 to %d", column, line, end)
	}
	return text.At(syntax.MakePosition(nil, int32(line), int32(column))), nil
}

// maxLine is how many bytes of a line of source are shown.
const maxLine = 300

// lineAt returns the line of source at an offset.
func lineAt(text *source.Text, off int) string {
	return clip(text.Line(text.LineOf(off)), maxLine)
}

// clip cuts a text to at most n bytes, between characters, and marks the cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// clipMiddle does so in the middle, and keeps the end.
func clipMiddle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	tail := len(s) - n/2
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return clip(s, n/2) + "\n" + s[tail:]
}

// bounded cuts a list, and returns how many were cut off.
func bounded[T any](list []T, n int) ([]T, int) {
	if len(list) <= n {
		return list, 0
	}
	return list[:n], len(list) - n
}
