package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// maxErrors is how many errors of a file are kept.
const maxErrors = 250

// Parse parses a text. It always returns a tree; what was wrong is in its Errors.
func Parse(text *source.Text) *Tree {
	t := &Tree{Text: text, File: &syntax.File{}}
	if text.Len() > MaxSize {
		msg := fmt.Sprintf("the file has %d bytes, more than the %d that are analysed",
			text.Len(), MaxSize)
		t.Errors = []Error{{source.Span{}, msg}}
		return t
	}
	src := t.clean()
	var p portion
	program, ok := strings.CutPrefix(src, source.BOM)
	if ok {
		p.col = 1
	}
	f, err := p.parse([]byte(program))
	if err == nil {
		t.File = f
	} else {
		newRecovery(t, src).run(err)
	}
	t.prune()
	t.Errors = t.Errors[:min(len(t.Errors), maxErrors)]
	slices.SortStableFunc(t.Errors, func(a, b Error) int {
		return cmp.Compare(a.Span.Start, b.Span.Start)
	})
	return t
}

// clean returns the content as it is parsed. It ends with a newline, so that the parser tells an
// error at the end from one at the last token, unless that would mend a backslash. NUL characters,
// which are reported, are blanks: the scanner takes the first for the end of the file.
func (t *Tree) clean() string {
	src := t.Text.String()
	if !strings.HasSuffix(src, "\n") && !strings.HasSuffix(src, "\\") {
		src += "\n"
	}
	off := strings.IndexByte(src, 0)
	if off < 0 {
		return src
	}
	span := source.Span{Start: off, End: off + 1}
	t.Errors = append(t.Errors, Error{span, "unexpected NUL character"})
	return strings.ReplaceAll(src, "\x00", " ")
}

// A portion tells the parser where in a file the text to parse begins: line and column from 0, the
// column in code points.
type portion struct{ line, col int }

// parse parses text, which the parser does not change.
func (p portion) parse(text []byte) (*syntax.File, error) {
	return new(syntax.FileOptions).Parse("", syntax.FilePortion{
		Content:   text,
		FirstLine: int32(p.line) + 1,
		FirstCol:  int32(p.col) + 1,
	}, 0)
}

// maxDepth is the depth of the deepest statement that is analysed. The parser itself bounds the
// depth of everything but chains of operators, calls and elif branches. To lay such a chain out
// takes the formatter a time that grows with the square of its length.
const maxDepth = 1000

// prune drops the statements that are too deep for what walks the tree recursively.
func (t *Tree) prune() {
	t.File.Stmts = slices.DeleteFunc(t.File.Stmts, func(stmt syntax.Stmt) bool {
		if !tooDeep(stmt) {
			return false
		}
		start, end := stmt.Span()
		span := source.Span{Start: t.Offset(start), End: t.Offset(end)}
		t.Errors = append(t.Errors, Error{span, "the statement is nested too deeply to be analysed"})
		for _, tok := range lex(t.Text.Slice(span)).toks {
			if tok.Kind == Name {
				t.lose(t.Text.String()[span.Start+tok.Start : span.Start+tok.End])
			}
		}
		return true
	})
}

func tooDeep(stmt syntax.Stmt) bool {
	depth, deepest := 0, 0
	syntax.Walk(stmt, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return false
		}
		deepest = max(deepest, depth)
		if depth == maxDepth {
			return false
		}
		depth++
		return true
	})
	return deepest == maxDepth
}

// lose records an identifier of a part of the text that the tree leaves out.
func (t *Tree) lose(name string) {
	if t.Lost == nil {
		t.Lost = make(map[string]bool)
	}
	t.Lost[name] = true
}
