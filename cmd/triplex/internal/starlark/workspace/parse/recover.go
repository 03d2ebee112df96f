package parse

import (
	"errors"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A recovery parses a file with errors unit by unit. A unit that does not parse is patched until it
// does, each patch being chosen by how far the parser gets with it.
type recovery struct {
	tree   *Tree
	src    string
	toks   []Token
	lines  []line
	units  []unit
	flaws  []flaw // of the lexer, in the order of their tokens
	budget int    // bytes that may still be parsed to try patches

	// The fields below belong to the unit in hand.
	unit     unit
	patches  []patch
	reported map[int]bool // logical lines with an error
	erased   map[int]bool // logical lines given up
}

// A patch blanks out a span of the text and inserts text where the span begins.
type patch struct {
	source.Span
	insert string
}

func newRecovery(t *Tree, src string) *recovery {
	l := lex(src)
	start := 0
	if strings.HasPrefix(src, source.BOM) {
		start = len(source.BOM)
	}
	slices.SortStableFunc(l.flaws, func(a, b flaw) int { return a.tok - b.tok })
	r := &recovery{tree: t, src: src, toks: l.toks, flaws: l.flaws}
	r.lines = splitLines(src, l.toks)
	r.units = splitUnits(src, l.toks, r.lines, start)
	r.budget = 8*len(src) + 1<<16
	t.shifts = make(map[int32][]shift)
	return r
}

// run parses all units, as many at once as have no error. The error is that of the whole file.
func (r *recovery) run(err error) {
	for next := 0; next < len(r.units); {
		lo := next
		if next, err = r.parseRun(lo, err); err != nil || next == lo {
			r.parseUnit(r.units[next], err)
			next, err = next+1, nil
		}
	}
}

// parseRun parses the units from lo up to the first that has an error or a flaw. It returns that
// unit and its error. Known, if not nil, is the error of all units together.
func (r *recovery) parseRun(lo int, known error) (int, error) {
	hi := lo
	for hi < len(r.units) && !r.flawed(r.units[hi]) {
		hi++
	}
	err := known
	if at := r.unitOf(known, lo); known != nil && at < hi {
		hi = at
	} else {
		err = nil
	}
	for hi > lo {
		span := source.Span{Start: r.units[lo].Start, End: r.units[hi-1].End}
		f, failed := r.portion(span.Start).parse(r.src[span.Start:span.End])
		if failed == nil {
			r.tree.File.Stmts = append(r.tree.File.Stmts, f.Stmts...)
			return hi, err
		}
		hi, err = min(r.unitOf(failed, lo), hi-1), failed
	}
	return lo, err
}

// unitOf returns the index of the unit, not before lo, in which the parser stopped.
func (r *recovery) unitOf(err error, lo int) int {
	off := r.offset(err)
	return lo + sort.Search(len(r.units)-1-lo, func(i int) bool { return r.units[lo+i].End > off })
}

// flawed reports whether the lexer found a flaw in the unit.
func (r *recovery) flawed(u unit) bool {
	first := r.lines[u.first].first
	i := sort.Search(len(r.flaws), func(i int) bool { return r.flaws[i].tok >= first })
	return i < len(r.flaws) && r.flaws[i].tok <= r.lines[u.last].last
}

// portion returns where the text at an offset is.
func (r *recovery) portion(off int) portion {
	pos := r.tree.Text.Position(off)
	return portion{
		src: r.src, start: off, line: pos.Line,
		col: utf8.RuneCountInString(r.src[off-pos.Col : off]),
	}
}

// offset returns where in the text the parser stopped.
func (r *recovery) offset(err error) int {
	var se syntax.Error
	if !errors.As(err, &se) {
		return len(r.src)
	}
	return r.tree.Offset(se.Pos)
}

// minCost is what a parse takes from the budget at least, in bytes.
const minCost = 64

// parseUnit parses a unit that has the error err, or flaws if that is nil.
func (r *recovery) parseUnit(u unit, err error) {
	r.unit, r.patches = u, nil
	r.reported, r.erased = make(map[int]bool), make(map[int]bool)
	mended := make(map[int]bool)
	if r.mendFlaws(); len(r.patches) > 0 {
		err = nil
	}
	for r.budget > 0 {
		if err != nil {
			at := r.locate(err)
			r.report(at)
			if mended[at.line] || !r.mend(at) {
				r.erase(at.line)
			}
			mended[at.line] = true
		}
		f, failed := r.try(r.patches)
		if failed == nil {
			r.tree.File.Stmts = append(r.tree.File.Stmts, f.Stmts...)
			r.lose()
			return
		}
		err = failed
	}
	r.patches = []patch{{Span: u.Span}}
	r.setShifts(nil)
	r.lose()
}

// try parses the unit with the given patches and leaves their shifts set.
func (r *recovery) try(patches []patch) (*syntax.File, error) {
	text := r.apply(r.unit.Span, patches)
	r.budget -= len(text) + minCost
	r.setShifts(patches)
	return r.portion(r.unit.Start).parse(text)
}

// tryLine parses one logical line with the given patches as if it were alone, and leaves their
// shifts set.
func (r *recovery) tryLine(line int, patches []patch) error {
	l := r.lines[line]
	text := r.apply(l.Span, patches)
	if r.deeper(line) {
		text += " pass"
	}
	r.budget -= len(text) + minCost
	r.setShifts(patches)
	p := r.portion(l.Start)
	if word := r.word(line); word == "elif" || word == "else" {
		text = "if 0: pass\n" + text
		p.line--
	}
	_, err := p.parse(text)
	return err
}

// apply returns the text of a span with the patches made that lie in it.
func (r *recovery) apply(span source.Span, patches []patch) string {
	var b strings.Builder
	done := span.Start
	for _, p := range patches {
		if p.Start < done || p.End > span.End {
			continue
		}
		b.WriteString(r.src[done:p.Start])
		b.WriteString(p.insert)
		for _, c := range r.src[p.Start:p.End] {
			if c != '\n' && c != '\r' {
				c = ' '
			}
			b.WriteRune(c)
		}
		done = p.End
	}
	b.WriteString(r.src[done:span.End])
	return b.String()
}

// setShifts replaces the shifts of the unit's lines by those of the patches.
func (r *recovery) setShifts(patches []patch) {
	first := r.tree.Text.LineOf(r.unit.Start)
	for line := first; line <= r.tree.Text.LineOf(r.unit.End); line++ {
		delete(r.tree.shifts, int32(line)+1)
	}
	for _, p := range patches {
		if n := utf8.RuneCountInString(p.insert); n > 0 {
			at := r.portion(p.Start)
			line := int32(at.line) + 1
			r.tree.shifts[line] = append(r.tree.shifts[line], shift{int32(at.col) + 1, int32(n)})
		}
	}
}

// with returns the patches with more of them, in order. Those inside a new span go.
func (r *recovery) with(more ...patch) []patch {
	kept := make([]patch, 0, len(r.patches)+len(more))
	for _, p := range r.patches {
		inside := func(m patch) bool { return m.End > m.Start && m.Covers(p.Span) }
		if !slices.ContainsFunc(more, inside) {
			kept = append(kept, p)
		}
	}
	kept = append(kept, more...)
	slices.SortStableFunc(kept, func(a, b patch) int { return a.Start - b.Start })
	return kept
}

// lose records the identifiers that the patches of the unit blank out.
func (r *recovery) lose() {
	for _, p := range r.patches {
		i := sort.Search(len(r.toks), func(i int) bool { return r.toks[i].Start >= p.Start })
		for ; i < len(r.toks) && r.toks[i].Start < p.End; i++ {
			if t := r.toks[i]; t.Kind == Name {
				r.tree.lose(r.src[t.Start:t.End])
			}
		}
	}
}
