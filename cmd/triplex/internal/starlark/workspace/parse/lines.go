package parse

import "triplex/cmd/triplex/internal/starlark/workspace/source"

// A line is a logical line: tokens up to a Newline, without the comment lines before them.
type line struct {
	source.Span     // from its first token to its last
	first, last int // indexes of these tokens
	indent      int // width of the white space before it, a tab reaching to a multiple of 8
}

// A unit is a run of logical lines that is parsed on its own: a statement at the left margin with
// its block and its elif and else branches, or several statements joined by semicolons.
type unit struct {
	source.Span     // whole lines; units follow one another without a gap
	first, last int // indexes of its logical lines
}

// splitLines groups tokens into logical lines.
func splitLines(src string, toks []Token) []line {
	var lines []line
	first, last := -1, -1
	for i, t := range toks {
		switch {
		case t.Kind == Newline && first >= 0:
			lines = append(lines, line{
				Span:  source.Span{Start: toks[first].Start, End: toks[last].End},
				first: first, last: last, indent: width(src, toks[first].Start),
			})
			first = -1
		case t.Kind == Comment || t.Kind == Newline:
		default:
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return lines
}

// width returns the width of the white space between off and the line end before it.
func width(src string, off int) int {
	start := off
	for start > 0 && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	n := 0
	for _, c := range src[start:off] {
		if c == '\t' {
			n += 8 - n%8
		} else {
			n++
		}
	}
	return n
}

// splitUnits groups logical lines into units. The first begins at the offset start, the last ends
// with the text.
func splitUnits(src string, toks []Token, lines []line, start int) []unit {
	var units []unit
	for i, l := range lines {
		word := src[toks[l.first].Start:toks[l.first].End]
		if len(units) > 0 && (l.indent > 0 || word == "elif" || word == "else") {
			units[len(units)-1].last = i
			continue
		}
		begin := l.Start
		for begin > start && src[begin-1] != '\n' && src[begin-1] != '\r' {
			begin--
		}
		if len(units) == 0 {
			begin = start
		} else {
			units[len(units)-1].End = begin
		}
		units = append(units, unit{source.Span{Start: begin, End: len(src)}, i, i})
	}
	return units
}
