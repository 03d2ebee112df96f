package workspace

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A TokenKind says what a word is, for its color.
type TokenKind uint8

// The kinds of tokens.
const (
	CommentToken TokenKind = iota
	KeywordToken
	StringToken
	NumberToken
	OperatorToken
	VariableToken
	ParameterToken
	FunctionToken
	MethodToken
	PropertyToken
)

// TokenMods are properties of a token; they are combined by or.
type TokenMods uint8

// The properties of tokens.
const (
	DeclarationMod TokenMods = 1 << iota
	ReadonlyMod              // a constant
	DefaultLibraryMod
	DocumentationMod
)

// A Token is a colored word. It lies within one line.
type Token struct {
	Span source.Span
	Kind TokenKind
	Mods TokenMods
}

// Tokens returns the words of the file that overlap a span, in order.
func (f *File) Tokens(span source.Span) []Token {
	attributes := f.attributes()
	docs := f.docstrings()
	var list []Token
	for _, t := range parse.Tokens(f.text) {
		if !t.Span.Overlaps(span) {
			continue
		}
		tok := Token{Span: t.Span}
		switch t.Kind {
		case parse.Comment:
			tok.Kind = CommentToken
		case parse.Keyword:
			tok.Kind = KeywordToken
		case parse.Number:
			tok.Kind = NumberToken
		case parse.Operator:
			tok.Kind = OperatorToken
		case parse.String:
			tok.Kind = StringToken
			if docs[t.Start] {
				tok.Mods = DocumentationMod
			}
		case parse.Name:
			tok.Kind, tok.Mods = f.nameToken(t.Span, attributes)
		default:
			continue
		}
		list = f.appendLines(list, tok)
	}
	return list
}

// appendLines appends a token, cut where lines end.
func (f *File) appendLines(list []Token, tok Token) []Token {
	last := f.text.LineOf(max(tok.Span.End-1, tok.Span.Start))
	for line := f.text.LineOf(tok.Span.Start); line <= last; line++ {
		part := tok
		of := f.text.LineSpan(line)
		part.Span.Start = max(tok.Span.Start, of.Start)
		part.Span.End = min(tok.Span.End, of.End)
		if part.Span.Start < part.Span.End {
			list = append(list, part)
		}
	}
	return list
}

func (f *File) nameToken(span source.Span, attributes map[int]TokenKind) (TokenKind, TokenMods) {
	if kind, ok := attributes[span.Start]; ok {
		return kind, 0
	}
	ref := f.names.RefAt(span.Start)
	if ref == nil || ref.Span != span || ref.Binding == nil {
		return VariableToken, 0
	}
	var mods TokenMods
	if ref == ref.Binding.Declaration() {
		mods = DeclarationMod
	}
	switch b := ref.Binding; {
	case b.Kind == scope.Predeclared:
		mods |= DefaultLibraryMod
		if s := f.set.env.lookup(b.Name); s != nil && s.Sig != nil {
			return FunctionToken, mods
		}
		return VariableToken, mods | ReadonlyMod
	case b.Kind == scope.Parameter:
		return ParameterToken, mods
	case b.Kind == scope.Function || ref.Call != nil:
		return FunctionToken, mods
	case isConstant(b.Name):
		return VariableToken, mods | ReadonlyMod
	}
	return VariableToken, mods
}

// attributes returns the kinds of the names that are no occurrences of bindings: attributes of
// values and arguments given by name, by their offsets.
func (f *File) attributes() map[int]TokenKind {
	kinds := make(map[int]TokenKind)
	syntax.Walk(f.tree.File, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.DotExpr:
			if at := f.tree.Offset(x.Name.NamePos); kinds[at] == 0 {
				kinds[at] = PropertyToken
			}
		case *syntax.CallExpr:
			if fn, ok := x.Fn.(*syntax.DotExpr); ok {
				kinds[f.tree.Offset(fn.Name.NamePos)] = MethodToken
			}
			for _, arg := range x.Args {
				if a, ok := arg.(*syntax.BinaryExpr); ok && a.Op == syntax.EQ {
					kinds[f.tree.Offset(a.X.(*syntax.Ident).NamePos)] = ParameterToken
				}
			}
		}
		return true
	})
	return kinds
}

// docstrings returns the offsets of the strings that document the file and its functions.
func (f *File) docstrings() map[int]bool {
	docs := make(map[int]bool)
	note := func(body []syntax.Stmt) {
		if docstring(body) != "" {
			docs[f.tree.Span(body[0]).Start] = true
		}
	}
	note(f.tree.File.Stmts)
	syntax.Walk(f.tree.File, func(n syntax.Node) bool {
		if def, ok := n.(*syntax.DefStmt); ok {
			note(def.Body)
		}
		return true
	})
	return docs
}
