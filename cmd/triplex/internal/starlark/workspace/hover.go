package workspace

import (
	"path/filepath"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/builtin"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Hover tells what is at a place.
type Hover struct {
	Span source.Span
	Code string // Starlark, one line: a signature such as "def f(x)", or a name with its type
	Kind string // such as "function", "parameter" or "built-in function"
	Doc  string // plain text or Markdown, as the author wrote it; may be empty
	From string // name of the file that defines it, when that is another one
}

// Hover returns what is known of what is at the offset, or nil.
func (f *File) Hover(off int) *Hover {
	p := f.place(off)
	if p == nil {
		return nil
	}
	h := &Hover{Span: p.span}
	switch {
	case p.load != nil:
		return f.hoverLoad(h, p.load)
	case p.dot != nil:
		return f.hoverAttribute(h, p.dot)
	}
	to, b := f.originAt(p)
	if b == nil && p.ref != nil {
		to, b = f, p.ref.Binding
	}
	if b == nil {
		return nil
	}
	if to.key != f.key {
		h.From = to.Name()
	}
	to.describe(h, b)
	return h
}

func (f *File) hoverLoad(h *Hover, load *scope.Load) *Hover {
	to, err := f.loaded(load.Module)
	if err != nil {
		return nil
	}
	h.Kind, h.Code, h.From = "file", filepath.Base(to.key), to.Name()
	h.Doc = docstring(to.tree.File.Stmts)
	return h
}

func (f *File) hoverAttribute(h *Hover, x *syntax.DotExpr) *Hover {
	of := f.infer(x.X, maxSteps)
	v := f.attribute(of, x.Name.Name, maxSteps)
	switch {
	case v.sig != nil && builtin.Method(of.typ, x.Name.Name) != nil:
		h.Kind, h.Code = of.typ+" method", of.typ+"."+v.sig.String()
	case v.sig != nil:
		h.Kind, h.Code = "function", v.sig.String()
	case v.typ != "" || of.has(x.Name.Name):
		h.Kind, h.Code = "field", typed(x.Name.Name, v.typ)
	default:
		return nil
	}
	h.Doc = v.doc
	return h
}

// has reports whether a value is a struct with the field.
func (v value) has(name string) bool {
	return slices.ContainsFunc(v.fields, func(fd field) bool { return fd.name.Name == name })
}

// typed returns a name with its type.
func typed(name, typ string) string {
	if typ == "" {
		return name
	}
	return name + ": " + typ
}

// describe fills in what is known of a binding of the file.
func (f *File) describe(h *Hover, b *scope.Binding) {
	v := f.valueOf(b, maxSteps)
	h.Doc = v.doc
	switch {
	case b.Kind == scope.Predeclared && v.sig != nil:
		h.Kind, h.Code = "built-in function", v.sig.String()
	case b.Kind == scope.Predeclared:
		h.Kind, h.Code = "built-in", typed(b.Name, v.typ)
	case b.Kind == scope.Parameter:
		f.describeParameter(h, b)
	case v.sig != nil:
		sig := *v.sig
		sig.Name = b.Name
		h.Kind, h.Code = "function", "def "+sig.String()
	case b.Kind == scope.Function:
		h.Kind, h.Code = "function", "def "+b.Name
	case isConstant(b.Name):
		h.Kind, h.Code = "constant", f.assignment(b, v.typ)
	default:
		h.Kind, h.Code = "variable", f.assignment(b, v.typ)
	}
	if h.Doc == "" && (b.Kind == scope.Variable || b.Kind == scope.Function) {
		h.Doc = f.commentAbove(f.text.LineOf(b.Declaration().Start))
	}
}

// commentAbove returns the comment in the lines right above a line, as far as they are indented
// like it.
func (f *File) commentAbove(line int) string {
	indent := f.text.Indent(line)
	var lines []string
	for line > 0 {
		line--
		text, ok := strings.CutPrefix(strings.TrimPrefix(f.text.Line(line), source.BOM), indent+"#")
		if !ok || strings.HasPrefix(text, "!") {
			break
		}
		lines = append(lines, text)
	}
	slices.Reverse(lines)
	return dedent("\n" + strings.Join(lines, "\n"))
}

// maxShown is the length of the longest value that is shown.
const maxShown = 80

// assignment returns a name with its type, and its value when that is a short literal.
func (f *File) assignment(b *scope.Binding, typ string) string {
	text := typed(b.Name, typ)
	switch b.Value.(type) {
	case *syntax.Literal, *syntax.ListExpr, *syntax.TupleExpr, *syntax.DictExpr, *syntax.UnaryExpr:
		shown := f.text.Slice(f.tree.Span(b.Value))
		if b.Writes() == 1 && len(shown) <= maxShown && !strings.ContainsAny(shown, "\r\n") {
			text += " = " + shown
		}
	}
	return text
}

// describeParameter takes the documentation of a parameter from that of its function.
func (f *File) describeParameter(h *Hover, b *scope.Binding) {
	h.Kind, h.Code = "parameter", b.Name
	var params []syntax.Expr
	var body []syntax.Stmt
	switch fn := b.Node.(type) {
	case *syntax.DefStmt:
		params, body = fn.Params, fn.Body
	case *syntax.LambdaExpr:
		params = fn.Params
	}
	for _, p := range f.signature("", params, body).Params {
		if p.Name == b.Name {
			h.Code, h.Doc = p.String(), p.Doc
		}
	}
}
