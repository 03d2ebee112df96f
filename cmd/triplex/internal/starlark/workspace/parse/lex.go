package parse

import (
	"slices"
	"strings"
	"unicode/utf8"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Newline  Kind = iota // the end of a logical line: a line end outside brackets
	Comment              // # to the end of the line
	Name                 // an identifier
	Keyword              // a keyword or a word reserved by the language
	Number               // an int or float literal
	String               // a string or bytes literal with its prefix and quotes
	Operator             // punctuation other than brackets
	Open                 // ( [ {
	Close                // ) ] }
	Bad                  // a character that begins no token
)

// A Token is a word of a file. White space lies between tokens.
type Token struct {
	Kind Kind
	source.Span
}

// A flaw is something a parser cannot read past, which the lexer mended.
type flaw struct {
	tok  int // index of the token
	kind flawKind
}

type flawKind uint8

const (
	badCharacter flawKind = iota
	unclosedString
	unclosedBracket
	strayBracket
)

// maxResumes bounds how often a file is read again from a line inside a bracket that is never
// closed. Beyond it a bracket ends at the first line that may begin a statement.
const maxResumes = 20

// A lexer splits a file into tokens and never fails. Where a bracket is not closed before a line
// that only a statement can begin, or before the end of the file, it ends the logical line early.
type lexer struct {
	src   string
	pos   int
	toks  []Token
	flaws []flaw
	brackets
	first   int  // index of the first token of the logical line that is no comment
	lambda  bool // the logical line has that word
	resumes int
	endless [2]bool // no more """ or ''' is closed
}

// Tokens returns the tokens of a text in order. A byte order mark is skipped.
func Tokens(text *source.Text) []Token { return lex(text.String()).toks }

func lex(src string) *lexer {
	l := &lexer{src: src, toks: make([]Token, 0, len(src)/4)}
	if strings.HasPrefix(src, source.BOM) {
		l.pos = len(source.BOM)
	}
	for l.next() {
	}
	return l
}

// next scans one token and reports false at the end of the file.
func (l *lexer) next() bool {
	if l.pos == len(l.src) {
		return l.endOfFile()
	}
	switch c := l.src[l.pos]; {
	case c == ' ' || c == '\t':
		l.pos++
	case c == '\n' || c == '\r':
		l.newline()
	case c == '#':
		end := l.pos + len(firstLine(l.src[l.pos:]))
		l.add(Comment, end)
	case c == '\\' && l.continues(l.pos+1) > 0:
		l.pos = l.continues(l.pos + 1)
	case strings.IndexByte("([{", c) >= 0:
		l.push(c, len(l.toks))
		l.add(Open, l.pos+1)
	case strings.IndexByte(")]}", c) >= 0:
		l.close(c)
	case isDigit(c), c == '.' && l.pos+1 < len(l.src) && isDigit(l.src[l.pos+1]):
		l.add(Number, l.pos+numberLen(l.src[l.pos:]))
	default:
		l.wordOrOperator()
	}
	return true
}

// add appends the token from the current place to end.
func (l *lexer) add(kind Kind, end int) {
	if kind == Comment && l.blank() {
		l.first++
	}
	l.toks = append(l.toks, Token{kind, source.Span{Start: l.pos, End: end}})
	l.pos = end
}

// flawed records that the token added last is flawed.
func (l *lexer) flawed(kind flawKind) {
	l.flaws = append(l.flaws, flaw{len(l.toks) - 1, kind})
}

// continues returns the offset behind the line end at off, or 0 when there is none.
func (l *lexer) continues(off int) int {
	switch rest := l.src[off:]; {
	case strings.HasPrefix(rest, "\r\n"):
		return off + 2
	case strings.HasPrefix(rest, "\n"), strings.HasPrefix(rest, "\r"):
		return off + 1
	}
	return 0
}

func (l *lexer) wordOrOperator() {
	rest := l.src[l.pos:]
	if n := stringPrefix(rest); n >= 0 {
		end, closed := l.stringEnd(l.pos + n)
		l.add(String, end)
		if !closed {
			l.flawed(unclosedString)
		}
		return
	}
	if n := wordLen(rest); n > 0 {
		kind := Name
		if IsKeyword(rest[:n]) {
			kind = Keyword
			l.lambda = l.lambda || rest[:n] == "lambda"
		}
		l.add(kind, l.pos+n)
		return
	}
	if n := operatorLen(rest); n > 0 {
		l.add(Operator, l.pos+n)
		return
	}
	_, size := utf8.DecodeRuneInString(rest)
	l.add(Bad, l.pos+size)
	l.flawed(badCharacter)
}

// stringEnd is the function of that name, which looks to the end of the text for the quotes of a
// long string. It does so in vain once only: what is behind a string that is not closed has no such
// quotes either, unless a backslash hides them from the one and not from the other.
func (l *lexer) stringEnd(off int) (end int, closed bool) {
	long := isLong(l.src[off:])
	endless := &l.endless[0]
	if l.src[off] == '\'' {
		endless = &l.endless[1]
	}
	if long && *endless {
		return off + len(firstLine(l.src[off:])), false
	}
	end, closed = stringEnd(l.src, off)
	*endless = *endless || long && !closed
	return end, closed
}

// close ends the innermost bracket of the same shape. Brackets of other shapes left open within it
// are flaws, and so is a closing bracket without any partner.
func (l *lexer) close(c byte) {
	within, ok := l.pop(c)
	l.add(Close, l.pos+1)
	if !ok {
		l.flawed(strayBracket)
	}
	for _, b := range within {
		l.flaws = append(l.flaws, flaw{b.tok, unclosedBracket})
	}
}

// newline ends the logical line, unless the line is blank or a bracket is open. In a bracket it
// looks whether the next line can only be a statement.
func (l *lexer) newline() {
	end := l.continues(l.pos)
	if len(l.open) > 0 {
		l.pos = end
		if l.headerEnded() || l.statementAhead() {
			l.abandon()
		}
		return
	}
	if l.blank() {
		l.pos = end
		return
	}
	l.endLine(end)
}

// endLine ends the logical line.
func (l *lexer) endLine(end int) {
	l.add(Newline, end)
	l.first, l.lambda = len(l.toks), false
}

// blank reports whether the logical line holds nothing but comments.
func (l *lexer) blank() bool { return l.first == len(l.toks) }

func (l *lexer) endOfFile() bool {
	if len(l.open) > 0 {
		l.abandon()
		return true
	}
	if !l.blank() {
		l.endLine(l.pos)
	}
	return false
}

// headerEnded reports whether the line that just ended closes the header of a function with a colon
// though its list of parameters is open.
func (l *lexer) headerEnded() bool {
	colon := l.toks[len(l.toks)-1]
	return len(l.open) == 1 && !l.lambda && l.text(colon) == ":" &&
		l.text(l.toks[l.first]) == "def"
}

func (l *lexer) text(t Token) string { return l.src[t.Start:t.End] }

// statementAhead reports whether the line at the current place begins with a word that never begins
// a line within brackets, or, when the file was resumed too often, merely may begin a statement.
func (l *lexer) statementAhead() bool {
	rest := strings.TrimLeft(l.src[l.pos:], " \t")
	switch word := rest[:wordLen(rest)]; word {
	case "def", "load", "return", "pass", "break", "continue", "while":
		return true
	case "":
		return false
	default:
		return l.resumes >= maxResumes && !IsKeyword(word) && l.indentAt(l.pos) <= l.indent()
	}
}

// indent returns the column of the logical line.
func (l *lexer) indent() int { return l.indentAt(l.lineStart(l.toks[l.first].Start)) }

func (l *lexer) lineStart(off int) int {
	return strings.LastIndexAny(l.src[:off], "\r\n") + 1
}

// indentAt returns the width of the white space at off, where a line begins.
func (l *lexer) indentAt(off int) int {
	return len(l.src[off:]) - len(strings.TrimLeft(l.src[off:], " \t"))
}

// abandon gives up the open brackets. The logical line ends before the first line behind the
// outermost of them that looks like a statement, or else here.
func (l *lexer) abandon() {
	if resume := l.plausible(l.open[0].tok); resume > 0 {
		l.resumes++
		l.pos = l.lineStart(l.toks[resume].Start)
		l.toks = l.toks[:resume]
		l.flaws = slices.DeleteFunc(l.flaws, func(f flaw) bool { return f.tok >= resume })
	}
	for _, b := range l.open {
		if b.tok < len(l.toks) {
			l.flaws = append(l.flaws, flaw{b.tok, unclosedBracket})
		}
	}
	l.brackets = brackets{}
	l.endLine(l.pos)
}

// plausible returns the index of the first token behind the bracket that begins a line no deeper
// than the statement and is a name followed by "=", "(" or ".", or 0.
func (l *lexer) plausible(bracket int) int {
	if l.resumes >= maxResumes {
		return 0
	}
	limit := l.indent()
	for i := bracket + 1; i+1 < len(l.toks); i++ {
		t, next := l.toks[i], l.toks[i+1]
		if t.Kind == Name && strings.Contains("=(.", l.text(next)) && l.beginsLine(i) &&
			t.Start-l.lineStart(t.Start) <= limit {
			return i
		}
	}
	return 0
}

// beginsLine reports whether a line of the text begins between a token and the one before it.
func (l *lexer) beginsLine(tok int) bool {
	return strings.ContainsAny(l.src[l.toks[tok-1].End:l.toks[tok].Start], "\r\n")
}
