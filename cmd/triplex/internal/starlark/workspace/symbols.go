package workspace

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A SymbolKind says what a symbol is.
type SymbolKind uint8

// The kinds of symbols.
const (
	VariableSymbol SymbolKind = iota
	ConstantSymbol            // a global in upper case
	FunctionSymbol
	LoadedSymbol // a function or value of another file; only in completions
	ParameterSymbol
	FieldSymbol
	MethodSymbol
	KeywordSymbol
	FileSymbol
	FolderSymbol
)

// A Symbol is a name that a file or a function defines.
type Symbol struct {
	Name     string
	Kind     SymbolKind
	Detail   string      // the signature of a function
	Span     source.Span // of the whole definition
	NameSpan source.Span // within Span
	Children []Symbol
}

// Symbols returns what the file defines: its globals, and within each function the functions
// defined there. Names taken over by load are not among them.
func (f *File) Symbols() []Symbol { return f.symbols(f.tree.File.Stmts, f.names.Block) }

// symbols returns the symbols that statements define in a block.
func (f *File) symbols(stmts []syntax.Stmt, block *scope.Block) []Symbol {
	var list []Symbol
	for _, stmt := range stmts {
		switch x := stmt.(type) {
		case *syntax.DefStmt:
			if x.Name.Name != parse.Hole {
				list = append(list, f.functionSymbol(x))
			}
		case *syntax.AssignStmt:
			list = append(list, f.assigned(x.LHS, x, block)...)
		case *syntax.ForStmt:
			list = append(list, f.assigned(x.Vars, x, block)...)
			list = append(list, f.symbols(x.Body, block)...)
		case *syntax.WhileStmt:
			list = append(list, f.symbols(x.Body, block)...)
		case *syntax.IfStmt:
			list = append(list, f.symbols(x.True, block)...)
			list = append(list, f.symbols(x.False, block)...)
		}
	}
	return list
}

func (f *File) functionSymbol(x *syntax.DefStmt) Symbol {
	s := Symbol{
		Name:     x.Name.Name,
		Kind:     FunctionSymbol,
		Detail:   f.signature(x.Name.Name, x.Params, nil).String(),
		Span:     f.tree.Span(x),
		NameSpan: f.tree.Span(x.Name),
	}
	for _, child := range f.symbols(x.Body, nil) {
		if child.Kind == FunctionSymbol {
			s.Children = append(s.Children, child)
		}
	}
	return s
}

// assigned returns the symbols of the names that a statement is the first to assign. A name has no
// symbol where the block is nil: in a function.
func (f *File) assigned(lhs syntax.Expr, stmt syntax.Stmt, block *scope.Block) []Symbol {
	if block == nil {
		return nil
	}
	var list []Symbol
	syntax.Walk(lhs, func(n syntax.Node) bool {
		id, ok := n.(*syntax.Ident)
		if !ok {
			_, dot := n.(*syntax.DotExpr)
			_, index := n.(*syntax.IndexExpr)
			return !dot && !index
		}
		ref := f.names.RefOf(id)
		if ref == nil || ref.Binding == nil || ref.Binding.Node != syntax.Node(stmt) {
			return true
		}
		span := f.tree.Span(id)
		s := Symbol{Name: id.Name, Span: f.tree.Span(stmt), NameSpan: span}
		if isConstant(id.Name) {
			s.Kind = ConstantSymbol
		}
		if _, loop := stmt.(*syntax.ForStmt); loop || ref.Binding.Value == nil {
			s.Span = span
		}
		list = append(list, s)
		return true
	})
	return list
}

func isConstant(name string) bool {
	return strings.ContainsFunc(name, unicode.IsUpper) && !strings.ContainsFunc(name, unicode.IsLower)
}

// A FoundSymbol is a symbol of some file of the workspace.
type FoundSymbol struct {
	Symbol
	Location Location // of the name
}

// maxSymbols is how many symbols a query returns.
const maxSymbols = 1000

// Symbols returns the top-level symbols of all files the view knows whose names hold the letters of
// the query in order, whatever their case: the best matches first, at most 1,000.
func (v *View) Symbols(ctx context.Context, query string) ([]FoundSymbol, error) {
	type match struct {
		FoundSymbol
		rank int
	}
	var matches []match
	set := v.settings()
	for _, key := range v.known(set) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := v.summary(set, key)
		if s == nil {
			continue
		}
		name := v.spell(set, key)
		for _, symbol := range s.symbols {
			if rank := matchRank(symbol.Name, query); rank >= 0 {
				at := Location{Name: name, Text: s.text, Span: symbol.NameSpan}
				matches = append(matches, match{FoundSymbol{symbol, at}, rank})
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.Name, b.Name))
	})
	var found []FoundSymbol
	for _, m := range matches[:min(len(matches), maxSymbols)] {
		found = append(found, m.FoundSymbol)
	}
	return found, nil
}

// matchRank says how well a name matches a query: 0 is best, -1 not at all.
func matchRank(name, query string) int {
	lower, q := strings.ToLower(name), strings.ToLower(query)
	switch {
	case lower == q:
		return 0
	case strings.HasPrefix(lower, q):
		return 1
	case strings.Contains(lower, q):
		return 2
	}
	for _, c := range q {
		_, rest, ok := strings.Cut(lower, string(c))
		if !ok {
			return -1
		}
		lower = rest
	}
	return 3
}
