package parse

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A recovery parses a file with errors unit by unit. A line that does not parse is patched until it
// does, each patch being chosen by how far the parser gets with it.
type recovery struct {
	tree   *Tree
	src    []byte
	toks   []Token
	lines  []line
	units  []unit
	flaws  []flaw // of the lexer, in the order of their tokens
	sound  []int  // for each unit, the first from it on that has a flaw
	budget int    // bytes that may still be parsed to try patches

	// The fields below belong to the unit in hand.
	unit     unit
	patches  map[int][]patch // by logical line, each in the order of the text
	reported map[int]bool    // logical lines with an error
	erased   map[int]bool    // logical lines given up
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
	r := &recovery{tree: t, src: []byte(src), toks: l.toks, flaws: l.flaws}
	r.lines = splitLines(src, l.toks)
	r.units = splitUnits(src, l.toks, r.lines, start)
	r.sound = make([]int, len(r.units))
	for i, next := len(r.units)-1, len(r.units); i >= 0; i-- {
		if r.flawed(r.units[i]) {
			next = i
		}
		r.sound[i] = next
	}
	r.budget = 8*len(src) + 1<<16
	t.shifts = make(map[int32][]shift)
	return r
}

// run parses all units, as many at once as have no error. The error is that of the whole file; it
// stands if no unit has one, as the parser also minds what lies between them, such as a line that
// holds nothing but a blank and a backslash.
func (r *recovery) run(err error) {
	defer r.keep(err)
	for next := 0; next < len(r.units); {
		lo := next
		if next, err = r.parseRun(lo, err); err != nil || next == lo {
			r.parseUnit(r.units[next], err)
			next, err = next+1, nil
		}
	}
}

// keep reports err if nothing has been reported.
func (r *recovery) keep(err error) {
	var se syntax.Error
	if len(r.tree.Errors) > 0 || !errors.As(err, &se) {
		return
	}
	off := min(r.offset(err), r.tree.Text.Len())
	r.tree.Errors = append(r.tree.Errors, Error{source.Span{Start: off, End: off}, se.Msg})
}

// parseRun parses the units from lo up to the first that has an error or a flaw. It returns that
// unit and its error. Known, if not nil, is the error of all units together.
func (r *recovery) parseRun(lo int, known error) (int, error) {
	hi := r.sound[lo]
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

// text returns the text of a token.
func (r *recovery) text(tok int) string {
	return string(r.src[r.toks[tok].Start:r.toks[tok].End])
}

// portion returns where the text at an offset is.
func (r *recovery) portion(off int) portion {
	pos := r.tree.Text.Position(off)
	return portion{line: pos.Line, col: utf8.RuneCount(r.src[off-pos.Col : off])}
}

// offset returns where in the text the parser stopped: behind all tokens if that is the end.
func (r *recovery) offset(err error) int {
	var se syntax.Error
	if !errors.As(err, &se) || int(se.Pos.Line) > r.tree.Text.Lines() {
		return len(r.src)
	}
	return r.tree.Offset(se.Pos)
}

// minCost is what a parse takes from the budget at least, in bytes.
const minCost = 64

// parseUnit parses a unit that has the error err, or flaws if that is nil.
func (r *recovery) parseUnit(u unit, err error) {
	r.unit = u
	r.patches = make(map[int][]patch)
	r.reported, r.erased = make(map[int]bool), make(map[int]bool)
	r.mendFlaws()
	first := u.first
	if err != nil {
		at := r.locate(err)
		first = at.line
		r.report(at)
	}
	for line := first; line <= u.last && r.budget > 0; line++ {
		if err := r.tryLine(line, r.patches[line]); err != nil {
			r.settle(r.locateIn(line, err))
		}
	}
	for r.budget > 0 {
		f, err := r.try()
		if err == nil {
			r.tree.File.Stmts = append(r.tree.File.Stmts, f.Stmts...)
			r.lose()
			return
		}
		r.settle(r.locate(err))
	}
	r.patches = map[int][]patch{u.first: {{Span: u.Span}}}
	r.setShifts(u.Span, nil)
	r.lose()
}

// settle reports the error at a point and mends its logical line or gives it up.
func (r *recovery) settle(at point) {
	r.report(at)
	if !r.mend(at) {
		r.erase(at.line)
	}
}

// try parses the unit with all patches and leaves their shifts set.
func (r *recovery) try() (*syntax.File, error) {
	var patches []patch
	for line := r.unit.first; line <= r.unit.last; line++ {
		patches = append(patches, r.patches[line]...)
	}
	text := r.apply(r.unit.Span, patches)
	r.budget -= len(text) + minCost
	r.setShifts(r.unit.Span, patches)
	return r.portion(r.unit.Start).parse(text)
}

// tryLine parses one logical line with the given patches as if it were alone, and leaves their
// shifts set.
func (r *recovery) tryLine(line int, patches []patch) error {
	l := r.lines[line]
	before, indent, p := r.before(l)
	text := append([]byte(before), r.apply(l.Span, patches)...)
	text = append(text, '\n')
	if r.header(line) && r.deeper(line) {
		text = append(text, indent+" pass\n"...)
	}
	r.budget -= len(text) + minCost
	r.setShifts(l.Span, patches)
	_, err := p.parse(text)
	return err
}

// before returns what has to stand before a logical line that is parsed alone, the indentation that
// the line gets by that, and where the parser is to begin. An elif or else needs an if statement,
// which is in a block if the line is indented, as errors tell its column.
func (r *recovery) before(l line) (before, indent string, p portion) {
	p = r.portion(l.Start)
	if word := r.text(l.first); word != "elif" && word != "else" {
		return "", "", p
	}
	before = "if 0: pass\n"
	p.line--
	if l.indent > 0 {
		indent = string(r.src[l.Start-r.tree.Text.Position(l.Start).Col : l.Start])
		indent = strings.TrimPrefix(indent, source.BOM)
		before = "if 0:\n" + indent + before + indent
		p = portion{line: p.line - 1}
	}
	return before, indent, p
}

// apply returns the text of a span with the patches made, whose spans must lie in it.
func (r *recovery) apply(span source.Span, patches []patch) []byte {
	text := make([]byte, 0, span.End-span.Start+len(patches)*8)
	done := span.Start
	for _, p := range patches {
		text = append(text, r.src[done:p.Start]...)
		text = append(text, p.insert...)
		for _, c := range string(r.src[p.Start:p.End]) {
			if c != '\n' && c != '\r' {
				c = ' '
			}
			text = append(text, byte(c))
		}
		done = p.End
	}
	return append(text, r.src[done:span.End]...)
}

// setShifts replaces the shifts of the lines of a span by those of the patches.
func (r *recovery) setShifts(span source.Span, patches []patch) {
	text := r.tree.Text
	for line := text.LineOf(span.Start); line <= text.LineOf(span.End); line++ {
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

// with returns the patches of a logical line with more of them, in order. A patch inside the span
// of a new one goes; a new one that begins or ends within what is blanked out already is left out.
func (r *recovery) with(line int, more ...patch) []patch {
	old := r.patches[line]
	more = slices.DeleteFunc(more, func(m patch) bool {
		return slices.ContainsFunc(old, func(p patch) bool {
			within := func(off int) bool { return p.Start < off && off < p.End }
			return within(m.Start) || within(m.End)
		})
	})
	kept := slices.DeleteFunc(slices.Clone(old), func(p patch) bool {
		return slices.ContainsFunc(more, func(m patch) bool {
			return m.End > m.Start && m.Covers(p.Span)
		})
	})
	kept = append(kept, more...)
	slices.SortStableFunc(kept, func(a, b patch) int {
		// An insertion goes before what is blanked out.
		return cmp.Or(a.Start-b.Start, a.End-b.End, a.rank()-b.rank())
	})
	return kept
}

// rank orders patches of the same span: those that close brackets come behind what is missing
// within, and before the colon of a header.
func (p patch) rank() int {
	switch {
	case strings.HasPrefix(p.insert, ":"):
		return 2
	case strings.Trim(p.insert, ")]}") == "":
		return 1
	}
	return 0
}

// lose records which lines of the unit are patched, and the identifiers that are blanked out.
func (r *recovery) lose() {
	for line := r.unit.first; line <= r.unit.last; line++ {
		if len(r.patches[line]) > 0 {
			r.tree.Mended = append(r.tree.Mended, r.lines[line].Span)
		}
	}
	for _, patches := range r.patches {
		for _, p := range patches {
			i := sort.Search(len(r.toks), func(i int) bool { return r.toks[i].Start >= p.Start })
			for ; i < len(r.toks) && r.toks[i].Start < p.End; i++ {
				if r.toks[i].Kind == Name {
					r.tree.lose(r.text(i))
				}
			}
		}
	}
}
