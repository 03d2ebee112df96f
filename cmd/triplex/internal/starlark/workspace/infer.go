package workspace

import (
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/builtin"
	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/signature"
)

// A value is what is known of a value before the program runs. The zero value is unknown.
type value struct {
	typ    string // as the function type gives it; empty when unknown
	sig    *signature.Signature
	doc    string
	fields []field                    // of a struct
	attrs  map[string]*builtin.Symbol // of a predeclared value
	result *value                     // of a call, if more is known of it than its type
}

// A field is a field of a struct, where the struct is made.
type field struct {
	name *syntax.Ident
	expr syntax.Expr
	file *File
}

// maxSteps bounds the length of a chain of definitions that is followed to find a value.
const maxSteps = 12

// infer finds out what an expression evaluates to. Steps is how far definitions are followed.
func (f *File) infer(e syntax.Expr, steps int) value {
	if steps <= 0 {
		return value{}
	}
	switch x := e.(type) {
	case *syntax.Literal:
		return value{typ: literalType(x)}
	case *syntax.ParenExpr:
		return f.infer(x.X, steps)
	case *syntax.Ident:
		if ref := f.names.RefOf(x); ref != nil && ref.Binding != nil {
			return f.valueOf(ref.Binding, steps-1)
		}
	case *syntax.ListExpr:
		return value{typ: "list"}
	case *syntax.TupleExpr:
		return value{typ: "tuple"}
	case *syntax.DictExpr:
		return value{typ: "dict"}
	case *syntax.Comprehension:
		if x.Curly {
			return value{typ: "dict"}
		}
		return value{typ: "list"}
	case *syntax.LambdaExpr:
		return value{typ: "function", sig: f.signature("lambda", x.Params, nil)}
	case *syntax.CondExpr:
		return common(f.infer(x.True, steps-1), f.infer(x.False, steps-1))
	case *syntax.UnaryExpr:
		if x.Op == syntax.NOT {
			return value{typ: "bool"}
		}
		return value{typ: f.infer(x.X, steps-1).typ}
	case *syntax.BinaryExpr:
		return f.inferBinary(x, steps-1)
	case *syntax.SliceExpr:
		return value{typ: f.infer(x.X, steps-1).typ}
	case *syntax.IndexExpr:
		if typ := f.infer(x.X, steps-1).typ; typ == "string" {
			return value{typ: typ}
		}
	case *syntax.DotExpr:
		return f.attribute(f.infer(x.X, steps-1), x.Name.Name, steps-1)
	case *syntax.CallExpr:
		return f.inferCall(x, steps-1)
	}
	return value{}
}

func literalType(x *syntax.Literal) string {
	switch x.Token {
	case syntax.STRING:
		return "string"
	case syntax.BYTES:
		return "bytes"
	case syntax.FLOAT:
		return "float"
	}
	return "int"
}

// common returns what two values have in common: their type.
func common(a, b value) value {
	if a.typ == b.typ {
		return value{typ: a.typ}
	}
	return value{}
}

func (f *File) inferBinary(x *syntax.BinaryExpr, steps int) value {
	switch x.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE,
		syntax.IN, syntax.NOT_IN:
		return value{typ: "bool"}
	case syntax.SLASH:
		return value{typ: "float"}
	case syntax.EQ:
		return value{}
	}
	a, b := f.infer(x.X, steps), f.infer(x.Y, steps)
	switch x.Op {
	case syntax.AND, syntax.OR:
		return common(a, b)
	case syntax.PERCENT:
		if a.typ == "string" {
			return value{typ: "string"}
		}
	case syntax.STAR:
		if repeated[a.typ] && b.typ == "int" {
			return value{typ: a.typ}
		}
		if repeated[b.typ] && a.typ == "int" {
			return value{typ: b.typ}
		}
	}
	if a.typ == "int" && b.typ == "float" || a.typ == "float" && b.typ == "int" {
		return value{typ: "float"}
	}
	return common(a, b)
}

// repeated holds the types of what can be multiplied by an integer.
var repeated = map[string]bool{"string": true, "bytes": true, "list": true, "tuple": true}

func (f *File) inferCall(x *syntax.CallExpr, steps int) value {
	if id, ok := x.Fn.(*syntax.Ident); ok && id.Name == "struct" {
		if ref := f.names.RefOf(id); ref != nil && f.predeclared(ref.Binding) {
			return f.structOf(x)
		}
	}
	switch fn := f.infer(x.Fn, steps); {
	case fn.result != nil:
		return *fn.result
	case fn.sig != nil:
		return value{typ: fn.sig.Result}
	}
	return value{}
}

// predeclared reports whether a binding is one of the application's, or missing.
func (f *File) predeclared(b *scope.Binding) bool {
	return b == nil || b.Kind == scope.Predeclared
}

// structOf returns the value of a call of struct.
func (f *File) structOf(x *syntax.CallExpr) value {
	v := value{typ: "struct"}
	for _, arg := range x.Args {
		if a, ok := arg.(*syntax.BinaryExpr); ok && a.Op == syntax.EQ {
			v.fields = append(v.fields, field{a.X.(*syntax.Ident), a.Y, f})
		}
	}
	return v
}

// attribute returns the value of an attribute.
func (f *File) attribute(of value, name string, steps int) value {
	for _, fd := range of.fields {
		if fd.name.Name == name {
			return fd.file.infer(fd.expr, steps)
		}
	}
	if s := of.attrs[name]; s != nil {
		return symbolValue(s, f.set.env)
	}
	if s := builtin.Method(of.typ, name); s != nil {
		return symbolValue(s, f.set.env)
	}
	return value{}
}

// symbolValue returns the value of a predeclared symbol.
func symbolValue(s *builtin.Symbol, env *environment) value {
	return value{typ: s.Type, sig: s.Sig, doc: s.Doc, attrs: env.attributes[s.Name]}
}

// valueOf returns the value of a binding, unless it is assigned more than once.
func (f *File) valueOf(b *scope.Binding, steps int) value {
	if b.Kind == scope.Predeclared {
		if s := f.set.env.lookup(b.Name); s != nil {
			return symbolValue(s, f.set.env)
		}
		return value{}
	}
	if steps <= 0 || b.Writes() != 1 {
		return value{}
	}
	switch x := b.Node.(type) {
	case *syntax.LoadStmt:
		if to, def := f.origin(b); def != nil && def != b {
			return to.valueOf(def, steps-1)
		}
	case *syntax.AssignStmt:
		if b.Value == nil {
			return value{}
		}
		v := f.infer(b.Value, steps-1)
		if v.sig == nil {
			v.doc = "" // it is about the name that the value comes from
		}
		return v
	case *syntax.ForStmt:
		return f.element(x.X, steps-1)
	case *syntax.ForClause:
		return f.element(x.X, steps-1)
	case *syntax.DefStmt:
		if b.Kind == scope.Function {
			return f.function(x, steps-1)
		}
	}
	return value{}
}

// maxElements is how many elements of a sequence are looked at to find their type.
const maxElements = 8

// element returns the value of a loop variable over a sequence: what all elements of one that is
// written there have in common.
func (f *File) element(seq syntax.Expr, steps int) value {
	var list []syntax.Expr
	switch x := seq.(type) {
	case *syntax.ParenExpr:
		return f.element(x.X, steps)
	case *syntax.ListExpr:
		list = x.List
	case *syntax.TupleExpr:
		list = x.List
	default:
		if f.infer(seq, steps).typ == "range" {
			return value{typ: "int"}
		}
	}
	if len(list) == 0 || len(list) > maxElements {
		return value{}
	}
	v := f.infer(list[0], steps)
	for _, e := range list[1:] {
		v = common(v, f.infer(e, steps))
	}
	return v
}

// origin follows a loaded name to the file that defines it. It returns the file and the binding
// there, which is nil if the file or the name is missing. Other bindings are their own origin.
func (f *File) origin(b *scope.Binding) (*File, *scope.Binding) {
	for range maxSteps {
		if b == nil || b.Kind != scope.Loaded || b.Item == nil {
			return f, b
		}
		to, err := f.loaded(b.Item.Load.Module)
		if err != nil {
			return f, nil
		}
		f, b = to, to.exported(b.Item.Name)
	}
	return f, nil
}

// exported returns the binding of a name that other files may load, or nil.
func (f *File) exported(name string) *scope.Binding {
	switch {
	case name == parse.Hole:
		return nil
	case f.set.env.dialect.LoadBindsGlobally:
		return f.names.Block.Lookup(name)
	}
	return f.names.Block.Exported(name)
}
