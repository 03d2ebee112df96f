package scope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// An Env is what a file is resolved in.
type Env struct {
	Options     syntax.FileOptions
	Predeclared func(name string) bool // by the application
	Universal   func(name string) bool // by the language
}

// Resolve resolves the names of a file.
func Resolve(tree *parse.Tree, env Env) *File {
	file := &Block{
		Span:  source.Span{Start: 0, End: tree.Text.Len()},
		names: make(map[string]*Binding),
	}
	r := &resolver{
		f:           &File{Tree: tree, Block: file},
		env:         env,
		tree:        tree,
		block:       file,
		predeclared: make(map[string]*Binding),
	}
	r.stmts(tree.File.Stmts)
	for _, ref := range r.f.Refs {
		r.resolve(ref)
	}
	slices.SortStableFunc(r.f.Refs, func(a, b *Ref) int { return a.Start - b.Start })
	slices.SortStableFunc(r.f.Problems, func(a, b Problem) int { return a.Span.Start - b.Span.Start })
	return r.f
}

// A resolver walks a file once, in the order of evaluation, and notes bindings and uses. Uses are
// resolved when all bindings are known, for a use may come first.
type resolver struct {
	f           *File
	env         Env
	tree        *parse.Tree
	block       *Block
	predeclared map[string]*Binding
	loops       int // loops around the current statement within its function
	ifs         int // conditionals likewise
	compared    int // names that undefined ones were compared with
}

func (r *resolver) problem(code string, span source.Span, format string, args ...any) {
	r.f.Problems = append(r.f.Problems, Problem{
		Code: code, Span: span, Msg: fmt.Sprintf(format, args...),
	})
}

// word returns the span of a word at a position.
func (r *resolver) word(pos syntax.Position, word string) source.Span {
	start := r.tree.Offset(pos)
	return source.Span{Start: start, End: min(start+len(word), r.tree.Text.Len())}
}

// push enters a block and returns a function that leaves it.
func (r *resolver) push(node syntax.Node, span source.Span) (pop func()) {
	outer := r.block
	r.block = &Block{Node: node, Span: span, Parent: outer, names: make(map[string]*Binding)}
	outer.Children = append(outer.Children, r.block)
	return func() { r.block = outer }
}

// use notes an occurrence of a name that reads it.
func (r *resolver) use(id *syntax.Ident, call *syntax.CallExpr) {
	if id.Name == parse.Hole {
		return
	}
	ref := &Ref{
		Span: r.word(id.NamePos, id.Name), Name: id.Name, Access: Read,
		Block: r.block, Call: call,
	}
	known := r.block.Container().names[id.Name]
	ref.early = known == nil && r.loops == 0
	if r.env.Options.GlobalReassign && r.block.Parent == nil {
		// The statements of a file see the names of those before them.
		if ref.Binding = known; known == nil {
			ref.Binding = r.lookupPredeclared(ref)
		}
		ref.unknown = ref.Binding == nil
	}
	r.f.Refs = append(r.f.Refs, ref)
}

// bind notes an occurrence that writes a name, and returns its binding and whether the block bound
// the name before. A name that is loaded hides a global of the file, which others may still load.
func (r *resolver) bind(id *syntax.Ident, kind Kind, node syntax.Node) (b *Binding, again bool) {
	if id.Name == parse.Hole || id.Name == "" {
		return nil, false
	}
	b, again = r.block.names[id.Name]
	loads := kind == Loaded && r.block.Parent == nil && !r.env.Options.LoadBindsGlobally
	if again && loads && b.Kind != Loaded {
		r.block.hide(b)
		again = false
	}
	if !again {
		b = &Binding{Name: id.Name, Kind: kind, Block: r.block, Node: node}
		r.block.names[id.Name] = b
		r.block.Bindings = append(r.block.Bindings, b)
	}
	r.f.Refs = append(r.f.Refs, &Ref{
		Span: r.word(id.NamePos, id.Name), Name: id.Name, Access: Write, Block: r.block, Binding: b,
	})
	b.Refs = append(b.Refs, r.f.Refs[len(r.f.Refs)-1])
	return b, again
}

// assignName binds a name in an assignment, loop or def and reports a second binding at top level.
func (r *resolver) assignName(id *syntax.Ident, kind Kind, node syntax.Node) *Binding {
	b, again := r.bind(id, kind, node)
	if again && r.block.Parent == nil && !r.env.Options.GlobalReassign {
		r.reassigned(r.word(id.NamePos, id.Name), b)
	}
	return b
}

func (r *resolver) reassigned(span source.Span, b *Binding) {
	first := b.Declaration().Span
	r.problem("reassigned", span, "cannot assign to %s again: it was declared at line %d",
		b.Name, r.tree.Text.Position(first.Start).Line+1)
	r.f.Problems[len(r.f.Problems)-1].Related = first
}

// resolve finds the binding of an occurrence.
func (r *resolver) resolve(ref *Ref) {
	if ref.Binding != nil {
		if ref.Access == Read {
			ref.Binding.Refs = append(ref.Binding.Refs, ref)
		}
		return
	}
	for block := ref.Block; block != nil && ref.Binding == nil; block = block.Parent {
		ref.Binding = block.names[ref.Name]
	}
	if ref.Binding == nil {
		ref.Binding = r.lookupPredeclared(ref)
	}
	b := ref.Binding
	if b == nil {
		r.undefined(ref)
		return
	}
	b.Refs = append(b.Refs, ref)
	switch {
	case r.tree.Lost[ref.Name]:
	case ref.unknown:
		r.problem("undefined-yet", ref.Span, "undefined: %s, which gets its value later", ref.Name)
	case ref.early && b.Block == ref.Block.Container():
		r.problem("used-before-assignment", ref.Span, "%s is used before it has a value", ref.Name)
	}
}

func (r *resolver) lookupPredeclared(ref *Ref) *Binding {
	if b := r.predeclared[ref.Name]; b != nil {
		return b
	}
	configured := r.env.Predeclared(ref.Name)
	if !configured && !r.env.Universal(ref.Name) {
		return nil
	}
	if ref.Name == "set" && !configured && !r.env.Options.Set {
		r.problem("dialect", ref.Span, "this dialect of Starlark has no sets")
	}
	b := &Binding{Name: ref.Name, Kind: Predeclared}
	r.predeclared[ref.Name] = b
	return b
}

// undefined reports a name without binding, unless a part of the file that could not be parsed may
// bind it.
func (r *resolver) undefined(ref *Ref) {
	if r.tree.Lost[ref.Name] {
		return
	}
	if near := r.nearest(ref); near != "" {
		r.problem("undefined", ref.Span, "undefined: %s (did you mean %s?)", ref.Name, near)
		return
	}
	r.problem("undefined", ref.Span, "undefined: %s", ref.Name)
}

// maxName is how many bytes a name may have that is compared with others, maxCompared how many
// names are compared in a file: some tenths of a second.
const (
	maxName     = 64
	maxCompared = 1_000_000
)

// nearest returns the visible name that is the most like an undefined one, or "". A file whose
// undefined names are many gets no such hints in the end, which would take long.
func (r *resolver) nearest(ref *Ref) string {
	if len(ref.Name) > maxName {
		return ""
	}
	name := strings.ToLower(ref.Name)
	best, limit := "", 1+(len(name)+1)/4
	bounded := levenshtein.NewParams().MaxCost(limit)
	for block := ref.Block; block != nil && r.compared < maxCompared; block = block.Parent {
		r.compared += len(block.Bindings)
		for _, b := range block.Bindings {
			d := levenshtein.Distance(name, strings.ToLower(b.Name), bounded)
			if d < limit {
				best, limit = b.Name, d
			}
		}
	}
	return best
}
