// Package builtin documents what Starlark predeclares in every file: constants, functions, and the
// methods of its types.
package builtin

import (
	"slices"
	"strings"
	"sync"

	"triplex/cmd/triplex/internal/starlark/workspace/signature"
)

// A Symbol is a predeclared name or a method.
type Symbol struct {
	Name string
	Type string               // of a constant; "function" otherwise
	Sig  *signature.Signature // nil for a constant
	Doc  string
}

type tables struct {
	universe map[string]*Symbol
	methods  map[string]map[string]*Symbol
}

var load = sync.OnceValue(func() tables {
	t := tables{make(map[string]*Symbol), make(map[string]map[string]*Symbol)}
	for _, c := range constants {
		t.universe[c[0]] = &Symbol{Name: c[0], Type: c[1], Doc: c[2]}
	}
	for _, row := range functions {
		s := symbol(row)
		t.universe[s.Name] = s
	}
	for typ, rows := range methods {
		t.methods[typ] = make(map[string]*Symbol)
		for _, row := range rows {
			s := symbol(row)
			t.methods[typ][s.Name] = s
		}
	}
	return t
})

// symbol returns the function of a row of the table.
func symbol(row [2]string) *Symbol {
	name, sig, err := signature.Parse(row[0])
	if err != nil {
		panic(err) // the table is wrong: a test parses every row
	}
	sig.Doc = strings.Join(strings.Fields(row[1]), " ")
	return &Symbol{Name: name, Type: "function", Sig: sig, Doc: sig.Doc}
}

// Lookup returns the symbol that a name denotes in every file, or nil.
func Lookup(name string) *Symbol { return load().universe[name] }

// Method returns a method of a type, or nil.
func Method(typ, name string) *Symbol { return load().methods[typ][name] }

// Universe returns the symbols predeclared in every file, by name.
func Universe() []*Symbol { return sorted(load().universe) }

// Methods returns the methods of a type, by name.
func Methods(typ string) []*Symbol { return sorted(load().methods[typ]) }

func sorted(m map[string]*Symbol) []*Symbol {
	list := make([]*Symbol, 0, len(m))
	for _, s := range m {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *Symbol) int { return strings.Compare(a.Name, b.Name) })
	return list
}
