package workspace

import (
	"sort"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A cursor is what surrounds a place where something may be written. It is taken from the tokens,
// for the file rarely has valid syntax while one writes.
type cursor struct {
	word     source.Span // around the place; what is completed is in front of the place
	silent   bool        // in a comment, a number or a string: nothing to offer
	dot      int         // offset of the dot before the word, or -1
	argument bool        // the word may begin an argument
	module   *string     // the word is in the path of a load, behind this part of it
	item     *string     // the word is a name in the load of this module
}

// context returns what surrounds the offset.
func (f *File) context(off int) cursor {
	tokens := parse.Tokens(f.text)
	i := sort.Search(len(tokens), func(i int) bool { return tokens[i].End >= off })
	c := cursor{word: source.Span{Start: off, End: off}, dot: -1}
	if i < len(tokens) && tokens[i].Start < off {
		switch t := tokens[i]; t.Kind {
		case parse.Name, parse.Keyword:
			c.word = t.Span
		case parse.String:
			if t.End > off || !f.closed(t) {
				return f.stringContext(c, tokens[:i+1], off)
			}
			i++
		case parse.Comment, parse.Number:
			c.silent = true
			return c
		default:
			i++
		}
	}
	f.behind(&c, tokens[:i])
	return c
}

// behind fills in what the tokens in front of the word say about it.
func (f *File) behind(c *cursor, tokens []parse.Token) {
	for len(tokens) > 0 && tokens[len(tokens)-1].Kind == parse.Comment {
		tokens = tokens[:len(tokens)-1]
	}
	if len(tokens) == 0 {
		return
	}
	text := func(i int) string { return f.text.Slice(tokens[i].Span) }
	last := len(tokens) - 1
	before := text(last)
	if before == "." {
		c.dot = tokens[last].Start
		return
	}
	c.silent = before == "def" || before == "for" || before == "lambda" // a new name follows
	open := openBracket(tokens)
	if open < 1 || text(open) != "(" {
		return
	}
	begins := before == "(" || before == ","
	switch callee := tokens[open-1]; {
	case text(open-1) == "load":
		c.silent = true // only strings can be loaded
	case open > 1 && text(open-2) == "def":
		c.silent = begins || before == "*" || before == "**"
	case callee.Kind == parse.Name || callee.Kind == parse.Close:
		c.argument = begins
	}
}

// openBracket returns the index of the innermost bracket that is open at the end of tokens, or -1.
func openBracket(tokens []parse.Token) int {
	depth := 0
	for i := len(tokens) - 1; i >= 0 && tokens[i].Kind != parse.Newline; i-- {
		switch tokens[i].Kind {
		case parse.Close:
			depth++
		case parse.Open:
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// closed reports whether a string token ends with its quote.
func (f *File) closed(t parse.Token) bool {
	text := f.text.Slice(t.Span)
	quote := strings.TrimLeft(text, "rb")
	return len(quote) > 1 && text[len(text)-1] == quote[0]
}

// stringContext fills in the surroundings of a place within the last token, a string.
func (f *File) stringContext(c cursor, tokens []parse.Token, off int) cursor {
	lit := tokens[len(tokens)-1]
	first := len(tokens) - 1
	for first > 0 && tokens[first].Kind != parse.Newline {
		if f.text.Slice(tokens[first].Span) == "load" && tokens[first].Kind == parse.Keyword {
			break
		}
		first--
	}
	if f.text.Slice(tokens[first].Span) != "load" || first+2 >= len(tokens) {
		c.silent = true
		return c
	}
	start := lit.Start + strings.IndexAny(f.text.Slice(lit.Span), `"'`) + 1
	end := lit.End
	if f.closed(lit) {
		end--
	}
	c.word = source.Span{Start: min(start, off), End: max(end, off)}
	if first+2 == len(tokens)-1 {
		typed := f.text.Slice(source.Span{Start: start, End: off})
		typed = typed[:strings.LastIndexAny(typed, "/:")+1]
		c.word.Start += len(typed)
		c.module = &typed
		return c
	}
	module := strings.Trim(f.text.Slice(tokens[first+2].Span), `"'`)
	c.item = &module
	return c
}

// scopeAt returns the block whose names may be used at a place. That is not the function in whose
// parentheses the place is: default values are evaluated outside of it.
func (f *File) scopeAt(off int) *scope.Block {
	block := f.blockAround(off)
	if def, ok := block.Node.(*syntax.DefStmt); ok && f.trimmed(off) <= f.tree.Offset(def.Rparen) {
		return block.Parent
	}
	return block
}

// trimmed returns the end of what is written before an offset, without blanks.
func (f *File) trimmed(off int) int {
	return len(strings.TrimRight(f.text.String()[:off], " \t\r\n"))
}

// written returns the end of what is written before an offset, without blanks and comments.
func (f *File) written(off int) int {
	tokens := parse.Tokens(f.text)
	i := sort.Search(len(tokens), func(i int) bool { return tokens[i].End >= off })
	if i < len(tokens) && tokens[i].Start < off && tokens[i].Kind != parse.Comment &&
		tokens[i].Kind != parse.Newline {
		return off
	}
	for i--; i >= 0; i-- {
		if t := tokens[i]; t.Kind != parse.Comment && t.Kind != parse.Newline {
			return t.End
		}
	}
	return 0
}

// blockAround returns the block that a place is part of: the innermost whose text is around the
// place, the lambda whose body is missing there, or a function that ends before it when the place
// is indented like the function's body.
func (f *File) blockAround(off int) *scope.Block {
	block := f.names.BlockAt(off)
	content := f.text.String()
	line := f.text.LineSpan(f.text.LineOf(off))
	around := f.names.BlockAt(max(f.trimmed(off), line.Start))
	if _, ok := around.Node.(*syntax.LambdaExpr); ok && around.Within(block) {
		return around
	}
	indent := len(content[line.Start:off]) - len(strings.TrimLeft(content[line.Start:off], " \t"))
	for {
		var inner *scope.Block
		for _, child := range block.Children {
			def, ok := child.Node.(*syntax.DefStmt)
			if !ok || child.Span.Start > off || child.Span.End > off && !child.Span.Touches(off) {
				continue
			}
			gap := content[min(child.Span.End, off):off]
			if strings.TrimSpace(gap[:max(strings.LastIndexAny(gap, "\r\n"), 0)]) == "" &&
				indent > f.text.Position(f.tree.Offset(def.Def)).Col {
				inner = child
			}
		}
		if inner == nil {
			return block
		}
		block = inner
	}
}
