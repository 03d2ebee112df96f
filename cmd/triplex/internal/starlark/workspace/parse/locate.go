package parse

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A point is where a unit went wrong: at a token, or behind the last token of a logical line.
type point struct {
	line int    // index of the logical line
	tok  int    // index of the token; of the line's last one when atEnd
	end  bool   // behind tok
	msg  string // the parser's
}

// locate finds the cause of an error. The parser reports most errors at the end of the token it did
// not expect, that of a line end at the start of the next line, and that of a missing block at the
// end of the first token of the next line. Where it did not expect what was inserted, something is
// missing in front of that.
func (r *recovery) locate(err error) point {
	at := point{msg: err.Error()}
	var se syntax.Error
	if errors.As(err, &se) {
		at.msg = se.Msg
	}
	off := r.offset(err)
	if at.tok = r.tokenAt(off, at.msg); at.tok < 0 || inserted(r.tree.shifts, se.Pos) {
		at.tok, at.end = r.tokenBefore(off), true
	}
	at.line = r.lineOf(at.tok)
	if at.msg == noElse {
		at.tok, at.end = r.lastOperand(at), true
	}
	if strings.HasSuffix(at.msg, "want indent") && at.line > r.unit.first {
		if !at.end {
			at.line--
		}
		at.tok, at.end = r.lines[at.line].last, true
	}
	return at
}

// What the parser says at the beginning of the token that it is about, other than where it stopped.
const (
	noElse        = "conditional expression without else clause" // at the if
	trailingComma = "unparenthesized tuple with trailing comma"  // at the comma
)

// lastOperand returns the index of the last token of the expression that goes on from the token at
// a point to the end of its element, its brackets or its line.
func (r *recovery) lastOperand(at point) int {
	depth, operand := 0, at.tok
	for i := at.tok + 1; i <= r.lines[at.line].last; i++ {
		switch r.toks[i].Kind {
		case Open:
			depth++
		case Close:
			depth--
		case Comment:
			continue
		}
		if text := r.text(i); depth < 0 || depth == 0 && (text == "," || text == ":") {
			break
		}
		operand = i
	}
	return operand
}

// locateIn finds the cause of an error of a logical line that was parsed alone.
func (r *recovery) locateIn(line int, err error) point {
	at := r.locate(err)
	if l := r.lines[line]; at.line != line {
		at.line, at.tok, at.end = line, l.last, true
	}
	return at
}

// tokenAt returns the index of the token that an error at an offset is about, or -1 for the end of
// a line.
func (r *recovery) tokenAt(off int, msg string) int {
	got, _, isGot := strings.Cut(strings.TrimPrefix(msg, "got "), ", want ")
	isGot = isGot && strings.HasPrefix(msg, "got ")
	if isGot && (got == "newline" || got == "end of file" || got == "outdent") {
		return -1
	}
	first, last := r.lines[r.unit.first].first, r.lines[r.unit.last].last
	for i := first + sort.Search(last+1-first, func(i int) bool {
		return r.toks[first+i].End >= off
	}); i <= last; i++ {
		t := r.toks[i]
		if t.Kind == Comment || t.Kind == Newline {
			continue
		}
		if t.Start > off {
			return -1
		}
		if t.Start < off && (msg == noElse || msg == trailingComma) {
			continue
		}
		if t.Start == off || t.End > off || !isGot || describes(got, t.Kind, r.text(i)) {
			return i
		}
	}
	return -1
}

// describes reports whether the parser's word for a token fits the token.
func describes(got string, kind Kind, text string) bool {
	switch got {
	case "identifier":
		return kind == Name
	case "string literal", "":
		return kind == String
	case "int literal", "float literal":
		return kind == Number
	}
	return strings.Trim(got, "'") == text
}

// tokenBefore returns the index of the last token of the unit that ends at or before the offset.
func (r *recovery) tokenBefore(off int) int {
	first, last := r.lines[r.unit.first].first, r.lines[r.unit.last].last
	i := first + sort.Search(last+1-first, func(i int) bool { return r.toks[first+i].End > off }) - 1
	for i > first && (r.toks[i].Kind == Comment || r.toks[i].Kind == Newline) {
		i--
	}
	return max(i, first)
}

// lineOf returns the index of the unit's logical line that holds the token.
func (r *recovery) lineOf(tok int) int {
	n := r.unit.last + 1 - r.unit.first
	i := sort.Search(n, func(i int) bool { return r.lines[r.unit.first+i].last >= tok })
	return min(r.unit.first+i, r.unit.last)
}

// report records the error at a point, unless the logical line has one already or was left without
// its block by a patch.
func (r *recovery) report(at point) {
	blockLost := r.blockMissing(at) && r.deeper(at.line)
	sameBlock := r.erased[at.line-1] && strings.HasPrefix(at.msg, "got indent")
	if r.erased[at.line] || blockLost || sameBlock {
		return
	}
	span := r.toks[at.tok].Span
	if at.end {
		span.Start = span.End
	}
	r.reportAt(at.line, span, r.message(at))
}

// blockMissing reports whether the parser looks for the block of the line at the point. At the end
// of the file it says that it wants an expression.
func (r *recovery) blockMissing(at point) bool {
	return strings.HasSuffix(at.msg, "want indent") || at.end && r.header(at.line) &&
		r.text(at.tok) == ":" &&
		strings.HasSuffix(at.msg, "want primary expression")
}

func (r *recovery) reportAt(line int, span source.Span, msg string) {
	if !r.reported[line] {
		r.reported[line] = true
		r.tree.Errors = append(r.tree.Errors, Error{span, msg})
	}
}

// deeper reports whether the line after a logical line is indented deeper.
func (r *recovery) deeper(line int) bool {
	return line < r.unit.last && r.lines[line+1].indent > r.lines[line].indent
}

// message says what is wrong at a point, in words that do not need the grammar.
func (r *recovery) message(at point) string {
	text := r.text(at.tok)
	if hint, ok := reserved[text]; ok && !at.end {
		if hint == "" {
			return fmt.Sprintf("%s is a reserved word", text)
		}
		return fmt.Sprintf("Starlark has no %s: %s", text, hint)
	}
	if r.blockMissing(at) {
		return "expected an indented block after this line"
	}
	if r.adjacentStrings(at) {
		return "adjacent strings are not joined: write + between them"
	}
	switch got, want, ok := strings.Cut(strings.TrimPrefix(at.msg, "got "), ", want "); {
	case ok && got == "indent":
		return "unexpected indentation"
	case ok && got == "'='" && want == "':'":
		return "unexpected '=': compare with =="
	case ok:
		return fmt.Sprintf("unexpected %s, expected %s", readable(got), readable(want))
	case at.msg == "not an identifier" && at.end:
		return "unexpected end of line, expected a name"
	case at.msg == "not an identifier":
		return fmt.Sprintf("unexpected %s, expected a name", text)
	}
	return at.msg
}

// readable turns the parser's word for a token into ours.
func readable(tok string) string {
	switch tok {
	case "newline", "end of file", "outdent", "indent":
		return "end of line"
	case "primary expression":
		return "an expression"
	case "":
		return "bytes literal"
	}
	return tok
}

// adjacentStrings reports whether a string directly follows another in an expression.
func (r *recovery) adjacentStrings(at point) bool {
	first := r.lines[at.line].first
	if at.end || r.toks[at.tok].Kind != String || r.text(first) == "load" {
		return false
	}
	before := at.tok - 1
	for before >= first && r.toks[before].Kind == Comment {
		before--
	}
	return before >= first && r.toks[before].Kind == String
}
