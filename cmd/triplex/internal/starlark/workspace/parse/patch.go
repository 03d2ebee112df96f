package parse

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// maxFlaws bounds the flaws of one logical line. Beyond it the line is given up.
const maxFlaws = 16

// mendFlaws reports and patches what the lexer found in the unit.
func (r *recovery) mendFlaws() {
	first, last := r.lines[r.unit.first].first, r.lines[r.unit.last].last
	i := sort.Search(len(r.flaws), func(i int) bool { return r.flaws[i].tok >= first })
	end := i
	for end < len(r.flaws) && r.flaws[end].tok <= last {
		end++
	}
	// A string that swallows the end of its line often swallows a bracket: its error comes first.
	flaws := slices.Clone(r.flaws[i:end])
	slices.SortStableFunc(flaws, func(a, b flaw) int { return int(a.kind) - int(b.kind) })
	count := make(map[int]int)
	for _, f := range flaws {
		line := r.lineOf(f.tok)
		if count[line]++; count[line] <= maxFlaws {
			r.mendFlaw(line, f)
		}
	}
	for line := r.unit.first; line <= r.unit.last; line++ {
		if count[line] > maxFlaws {
			r.erase(line)
		} else {
			r.closeBrackets(line)
		}
	}
}

func (r *recovery) mendFlaw(line int, f flaw) {
	span, text := r.toks[f.tok].Span, r.text(f.tok)
	switch f.kind {
	case badCharacter:
		r.reportAt(line, span, fmt.Sprintf("unexpected character %q", text))
		r.patches[line] = r.with(line, patch{Span: span})
	case strayBracket:
		r.reportAt(line, span, fmt.Sprintf("%q closes no bracket", text))
		r.patches[line] = r.with(line, patch{Span: span})
	case unclosedString:
		r.reportAt(line, span, "the string is not closed")
		r.patches[line] = r.with(line, closeString(text, span))
	case unclosedBracket:
		r.reportAt(line, span, fmt.Sprintf("%q is never closed", text))
	}
}

// closeBrackets patches the brackets that are open at the end of a logical line.
func (r *recovery) closeBrackets(line int) {
	l := r.lines[line]
	end := l.End
	if r.header(line) && r.text(l.last) == ":" {
		end = r.toks[l.last].Start
	}
	if closers := r.closersIn(l.first, l.last+1); closers != "" {
		r.patches[line] = r.with(line, patch{emptySpan(end), closers})
	}
}

// closeString returns the patch that closes a string which ends with its line. A backslash at the
// end would escape the quote.
func closeString(text string, span source.Span) patch {
	quote := text[stringPrefix(text):]
	n := 1
	if isLong(quote) {
		n = 3
	}
	if strings.HasSuffix(text, `\`) {
		return patch{span, `""`}
	}
	return patch{emptySpan(span.End), quote[:n]}
}

func emptySpan(off int) source.Span { return source.Span{Start: off, End: off} }

// closersIn returns the closing brackets that the tokens of [first, end) lack at their end. One
// bracket within another of a different shape that is closed does not count.
func (r *recovery) closersIn(first, end int) string {
	var b brackets
	for i := first; i < end; i++ {
		switch t := r.toks[i]; t.Kind {
		case Open:
			b.push(r.src[t.Start], i)
		case Close:
			b.pop(r.src[t.Start])
		}
	}
	return b.closers()
}

// maxPatches bounds the patches of one logical line. Beyond it the line is given up.
const maxPatches = 4

// mend patches the logical line of a point until it parses, and reports whether that succeeded.
// A line that parses already is at fault for its indentation.
func (r *recovery) mend(at point) bool {
	line := at.line
	if r.blockMissing(at) && !r.deeper(line) {
		r.patches[line] = r.with(line, patch{emptySpan(r.toks[at.tok].End), " pass"})
		return true
	}
	if r.erased[line] || r.tryLine(line, r.patches[line]) == nil {
		return false
	}
	for range maxPatches {
		if !r.advance(at) {
			return false
		}
		err := r.tryLine(line, r.patches[line])
		if err == nil {
			return true
		}
		at = r.locateIn(line, err)
	}
	return false
}

// advance adds the patch with which the line parses, or that brings the parser furthest beyond the
// point, and reports whether there is one. What only inserts is as good as what goes further and
// blanks something out, also if the parser then misses something else at the point.
func (r *recovery) advance(at point) bool {
	reach, gentle := r.reach(at), false
	var best []patch
	for _, candidate := range r.candidates(at) {
		patches := r.with(at.line, candidate...)
		err := r.tryLine(at.line, patches)
		if err == nil {
			best = patches
			break
		}
		next := r.locateIn(at.line, err)
		got := r.reach(next)
		switch inserts := candidate[0].Start == candidate[0].End; {
		case gentle && !inserts:
		case got > reach, inserts && best == nil && got == reach && next.msg != at.msg:
			best, reach, gentle = patches, got, inserts
		}
	}
	if best != nil {
		r.patches[at.line] = best
	}
	return best != nil
}

// reach returns the offset of a point.
func (r *recovery) reach(at point) int {
	if at.end {
		return r.toks[at.tok].End
	}
	return r.toks[at.tok].Start
}

// candidates returns what may mend the error at a point, the gentlest first.
func (r *recovery) candidates(at point) [][]patch {
	t := r.toks[at.tok].Span
	here := emptySpan(t.Start)
	if at.end {
		here = emptySpan(t.End)
	}
	switch {
	case strings.HasSuffix(at.msg, "want ':'"):
		return [][]patch{{{here, r.colon(at.line)}}, {{here, " : " + Hole + " "}}, {{t, "=="}},
			r.cut(at, ""), r.cut(at, Hole)}
	case strings.HasSuffix(at.msg, "want in"):
		return [][]patch{{{here, " in " + Hole + " "}}, r.cut(at, ""), r.cut(at, Hole)}
	case at.msg == trailingComma:
		return [][]patch{{{emptySpan(t.End), " " + Hole + " "}}, {{Span: t}}}
	case at.msg == noElse:
		return [][]patch{{{here, " else " + Hole + " "}}, r.cut(at, ""), r.cut(at, Hole)}
	case r.adjacentStrings(at):
		return [][]patch{{{here, " + "}}}
	}
	list := [][]patch{{{here, " " + Hole + " "}}}
	if _, want, ok := strings.Cut(at.msg, ", want '"); ok && strings.Contains(")']'}'", want) {
		list = append(list, []patch{{here, want[:1]}})
	}
	if !at.end {
		list = append(list, []patch{{here, ", "}}, []patch{{Span: t}})
	}
	return append(list, r.cut(at, ""), r.cut(at, Hole), r.cut(at, Hole+" = "+Hole))
}

// colon returns what ends the header of a block, with a body when no block follows.
func (r *recovery) colon(line int) string {
	if r.deeper(line) {
		return ":"
	}
	return ": pass"
}

// cut returns the patch that ends a logical line at the point: what follows is blanked out, filler
// stands in for it, brackets are closed, and a header gets its colon.
func (r *recovery) cut(at point, filler string) []patch {
	l := r.lines[at.line]
	end := at.tok
	if at.end {
		end++
	}
	start := l.Start
	if end > l.first {
		start = r.toks[end-1].End
	}
	insert := " " + filler + r.closersIn(l.first, end)
	if r.header(at.line) {
		insert += r.colon(at.line)
	}
	return []patch{{source.Span{Start: start, End: max(start, l.End)}, insert}}
}

// header reports whether a logical line begins with a word that heads a block, or is written as if
// it did.
func (r *recovery) header(line int) bool {
	switch l := r.lines[line]; r.text(l.first) {
	case "def", "if", "elif", "else", "for", "while":
		return true
	default:
		return r.deeper(line) && r.text(l.last) == ":"
	}
}

// erase gives a logical line up. The header of a block is replaced by one without names; when that
// was done before, nothing is left of it.
func (r *recovery) erase(line int) {
	insert := ""
	if !r.erased[line] && r.deeper(line) {
		switch r.text(r.lines[line].first) {
		case "def":
			insert = "def " + Hole + "():"
		case "elif", "else":
			insert = "else:"
		default:
			insert = "if " + Hole + ":"
		}
	}
	r.erased[line] = true
	r.patches[line] = []patch{{r.lines[line].Span, insert}}
}
