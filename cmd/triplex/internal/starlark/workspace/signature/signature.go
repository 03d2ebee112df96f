// Package signature describes how a function is called: its parameters, its result, and whether
// a call fits.
package signature

import (
	"fmt"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Kind says how a parameter takes its argument.
type Kind uint8

// The kinds of parameters, in the order in which they appear in a signature.
const (
	Positional  Kind = iota // by position only
	Normal                  // by position or by name
	Args                    // *args: all further positional arguments
	KeywordOnly             // by name only
	Kwargs                  // **kwargs: all further named arguments
)

// A Param is a parameter.
type Param struct {
	Name    string // without stars
	Kind    Kind
	Default string // source text; empty when an argument is required
	Doc     string
}

// Required reports whether a call must give the parameter an argument.
func (p Param) Required() bool { return p.Default == "" && p.Kind != Args && p.Kind != Kwargs }

// String returns the parameter as it is written in a signature.
func (p Param) String() string {
	switch {
	case p.Kind == Args:
		return "*" + p.Name
	case p.Kind == Kwargs:
		return "**" + p.Name
	case p.Default != "":
		return p.Name + " = " + p.Default
	}
	return p.Name
}

// A Signature describes a function. It is not changed once it is made.
type Signature struct {
	Name   string
	Params []Param
	Result string // name of the type of the result; empty when unknown
	Doc    string
}

// String returns the signature as source text, such as copy(src, dst, *, mode = "0644").
func (s *Signature) String() string {
	text, _ := s.Label()
	return text
}

// Label returns the signature as source text and for each parameter its half-open range of byte
// offsets in it.
func (s *Signature) Label() (text string, params [][2]int) {
	var b strings.Builder
	b.WriteString(s.Name + "(")
	sep := ""
	star := false
	for i, p := range s.Params {
		b.WriteString(sep)
		sep = ", "
		if p.Kind == KeywordOnly && !star {
			b.WriteString("*, ")
		}
		star = star || p.Kind == Args || p.Kind == KeywordOnly
		start := b.Len()
		b.WriteString(p.String())
		params = append(params, [2]int{start, b.Len()})
		if p.Kind == Positional && (i+1 == len(s.Params) || s.Params[i+1].Kind != Positional) {
			b.WriteString(", /")
		}
	}
	b.WriteString(")")
	if s.Result != "" {
		b.WriteString(" -> " + s.Result)
	}
	return b.String(), params
}

// Of returns the signature of a function defined in Starlark. The source function returns the
// text of a default value.
func Of(name string, params []syntax.Expr, source func(syntax.Node) string) *Signature {
	s := &Signature{Name: name}
	star := false
	for _, param := range params {
		p := Param{Kind: Normal}
		if star {
			p.Kind = KeywordOnly
		}
		switch x := param.(type) {
		case *syntax.Ident:
			p.Name = x.Name
		case *syntax.BinaryExpr:
			p.Name, p.Default = x.X.(*syntax.Ident).Name, source(x.Y)
		case *syntax.UnaryExpr:
			id, ok := x.X.(*syntax.Ident)
			star = true
			if !ok {
				continue
			}
			p.Name, p.Kind = id.Name, Args
			if x.Op == syntax.STARSTAR {
				p.Kind = Kwargs
			}
		}
		s.Params = append(s.Params, p)
	}
	return s
}

// At returns the index of the parameter that takes the positional argument i, or -1.
func (s *Signature) At(i int) int {
	for n, p := range s.Params {
		switch {
		case p.Kind == Args:
			return n
		case p.Kind > Args:
			return -1
		case n == i:
			return n
		}
	}
	return -1
}

// Named returns the index of the parameter that takes an argument given by name, or -1.
func (s *Signature) Named(name string) int {
	for n, p := range s.Params {
		if p.Kind == Kwargs || p.Name == name && (p.Kind == Normal || p.Kind == KeywordOnly) {
			return n
		}
	}
	return -1
}

// Parse returns the signature written as "name", "name(params)" or "name(params) -> type", where
// the name may have dots and "/" ends the parameters that are given by position only. A lone name
// has no signature: fn is nil.
func Parse(text string) (name string, fn *Signature, err error) {
	head, result, _ := strings.Cut(text, "->")
	name, list, called := strings.Cut(strings.TrimSpace(head), "(")
	for part := range strings.SplitSeq(name, ".") {
		if !parse.IsIdentifier(part) {
			return "", nil, fmt.Errorf("%q is no name or signature such as f or f(x, y = 1)", text)
		}
	}
	if !called {
		return name, nil, nil
	}
	list, ok := strings.CutSuffix(list, ")")
	before, after, slash := strings.Cut(list, "/")
	before = strings.TrimSuffix(strings.TrimSpace(before), ",")
	fn, valid := parseParams(name, before+after)
	if !ok || !valid {
		return "", nil, fmt.Errorf("%q is no signature such as f(x, y = 1)", text)
	}
	if slash {
		positional, _ := parseParams(name, before)
		for i := range positional.Params {
			fn.Params[i].Kind = Positional
		}
	}
	fn.Result = strings.TrimSpace(result)
	return name, fn, nil
}

// parseParams parses a list of parameters and reports whether it is one.
func parseParams(name, list string) (*Signature, bool) {
	tree := parse.Parse(source.New("def " + parse.Hole + "(" + list + "): pass"))
	if len(tree.Errors) > 0 || len(tree.File.Stmts) != 1 {
		return &Signature{Name: name}, false
	}
	def, ok := tree.File.Stmts[0].(*syntax.DefStmt)
	if !ok {
		return &Signature{Name: name}, false
	}
	return Of(name, def.Params, func(n syntax.Node) string {
		return tree.Text.Slice(tree.Span(n))
	}), true
}
