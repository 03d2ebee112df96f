// Package scope resolves the names of a parsed Starlark file: which blocks it has, what they bind,
// and what each identifier refers to. It follows the rules of go.starlark.net/resolve, and unlike
// that package it keeps every occurrence of a name and goes on after an error.
package scope

import (
	"sort"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Kind says what gave a binding its first value.
type Kind uint8

// The kinds of bindings.
const (
	Predeclared  Kind = iota // by the language or the application
	Variable                 // by an assignment
	LoopVariable             // by a for loop or a comprehension
	Function                 // by a def statement
	Parameter                // by a call
	Loaded                   // by a load statement
)

// A Binding is a variable, in the sense of the language, with all its occurrences.
type Binding struct {
	Name  string
	Kind  Kind
	Block *Block // nil for a predeclared name
	Refs  []*Ref // those that write come first; the first of them declares it

	// Node is what binds the name first: an *AssignStmt, *ForStmt, *ForClause, *DefStmt,
	// *LoadStmt, or for a parameter the *DefStmt or *LambdaExpr; nil for a predeclared name.
	Node syntax.Node
	// Value is the expression assigned by the first binding when that is a plain assignment.
	Value syntax.Expr
	// Item is where a loaded name comes from; nil for others.
	Item *Item
}

// Declaration returns the first occurrence that writes, or nil for a predeclared name.
func (b *Binding) Declaration() *Ref {
	if len(b.Refs) > 0 && b.Refs[0].Access&Write != 0 {
		return b.Refs[0]
	}
	return nil
}

// Writes returns how many occurrences write the binding.
func (b *Binding) Writes() int {
	n := 0
	for n < len(b.Refs) && b.Refs[n].Access&Write != 0 {
		n++
	}
	return n
}

// Used reports whether any occurrence reads the binding.
func (b *Binding) Used() bool {
	for _, ref := range b.Refs {
		if ref.Access&Read != 0 {
			return true
		}
	}
	return false
}

// Global reports whether other files can load the name.
func (b *Binding) Global() bool {
	return b.Block != nil && b.Block.Parent == nil && b.Kind != Loaded && b.Name[0] != '_'
}

// An Access says what an occurrence does with its binding.
type Access uint8

// An augmented assignment both reads and writes.
const (
	Read Access = 1 << iota
	Write
)

// A Ref is an occurrence of a name.
type Ref struct {
	source.Span
	Name    string
	Access  Access
	Block   *Block           // innermost block around it
	Binding *Binding         // nil when the name is undefined
	Call    *syntax.CallExpr // the call whose function it is, or nil

	early   bool // evaluated before its container binds the name, if that does
	unknown bool // it has to be bound by then, and is not
}

// A Block is a lexical block: the file, a function or a comprehension.
type Block struct {
	Node     syntax.Node // *DefStmt, *LambdaExpr or *Comprehension; nil for the file
	Span     source.Span
	Parent   *Block // nil for the file
	Children []*Block
	Bindings []*Binding // in the order of their first binding

	names  map[string]*Binding
	hidden map[string]*Binding // globals of the file that loads hide; nil if there are none
}

// Lookup returns the binding of a name in this very block, or nil.
func (b *Block) Lookup(name string) *Binding { return b.names[name] }

// hide notes a global that a load hides.
func (b *Block) hide(global *Binding) {
	if b.hidden == nil {
		b.hidden = make(map[string]*Binding)
	}
	b.hidden[global.Name] = global
}

// Exported returns the binding of a name of a file that others may load, or nil.
func (b *Block) Exported(name string) *Binding {
	if found := b.names[name]; found == nil || found.Kind != Loaded {
		return found
	}
	return b.hidden[name]
}

// Container returns the function or file that the block belongs to: itself or one around it.
func (b *Block) Container() *Block {
	for {
		if _, ok := b.Node.(*syntax.Comprehension); !ok {
			return b
		}
		b = b.Parent
	}
}

// Within reports whether the block is outer or lies in it.
func (b *Block) Within(outer *Block) bool {
	for ; b != nil; b = b.Parent {
		if b == outer {
			return true
		}
	}
	return false
}

// A Load is a load statement.
type Load struct {
	Stmt       *syntax.LoadStmt
	Module     string
	ModuleSpan source.Span // what is between the quotes
	Items      []*Item
}

// An Item is a name that a load statement takes from a file.
type Item struct {
	Load    *Load
	Name    string      // in the loaded file
	Span    source.Span // of that name, what is between the quotes
	Whole   source.Span // with the quotes and the name it is given in this file
	Binding *Binding    // in this file; nil when the item is in error
}

// Aliased reports whether the item gives the name another one in this file.
func (it *Item) Aliased() bool {
	return it.Binding != nil && it.Binding.Declaration().Span != it.Span
}

// A Problem is a mistake found while names are resolved.
type Problem struct {
	Code    string // such as "undefined"
	Span    source.Span
	Msg     string
	Related source.Span // an earlier place the message speaks of; empty if none
}

// A File is a resolved file. It is immutable and safe for concurrent use.
type File struct {
	Tree     *parse.Tree
	Block    *Block
	Refs     []*Ref // all occurrences, in the order of the text
	Loads    []*Load
	Calls    []*syntax.CallExpr
	Problems []Problem
}

// RefAt returns the occurrence whose span touches the offset, or nil. Of two that touch there it
// returns the one that begins at the offset.
func (f *File) RefAt(off int) *Ref {
	i := sort.Search(len(f.Refs), func(i int) bool { return f.Refs[i].Start > off }) - 1
	if i >= 0 && f.Refs[i].Touches(off) {
		return f.Refs[i]
	}
	return nil
}

// RefOf returns the occurrence that an identifier of the tree is, or nil.
func (f *File) RefOf(id *syntax.Ident) *Ref {
	start := f.Tree.Offset(id.NamePos)
	i := sort.Search(len(f.Refs), func(i int) bool { return f.Refs[i].Start >= start })
	if i < len(f.Refs) && f.Refs[i].Start == start && f.Refs[i].Name == id.Name {
		return f.Refs[i]
	}
	return nil
}

// ItemAt returns the load item whose quoted name touches the offset, or nil.
func (f *File) ItemAt(off int) *Item {
	for _, load := range f.Loads {
		for _, item := range load.Items {
			if item.Span.Touches(off) {
				return item
			}
		}
	}
	return nil
}

// BlockAt returns the innermost block around the offset.
func (f *File) BlockAt(off int) *Block {
	b := f.Block
	for {
		var inner *Block
		for _, child := range b.Children {
			if child.Span.Touches(off) {
				inner = child
			}
		}
		if inner == nil {
			return b
		}
		b = inner
	}
}
