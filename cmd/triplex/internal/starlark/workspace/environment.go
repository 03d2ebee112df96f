package workspace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/builtin"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/signature"
)

// An environment is the part of a view's options that a file's analysis depends on.
type environment struct {
	key         string
	dialect     syntax.FileOptions
	predeclared map[string]*builtin.Symbol            // by name
	attributes  map[string]map[string]*builtin.Symbol // by dotted name, then attribute
}

// newEnvironment returns the environment of the options, without the malformed entries that the
// error names.
func newEnvironment(opts Options) (*environment, error) {
	e := &environment{
		dialect:     opts.Dialect,
		predeclared: make(map[string]*builtin.Symbol),
		attributes:  make(map[string]map[string]*builtin.Symbol),
	}
	var errs []error
	entries := slices.Clone(opts.Predeclared)
	slices.Sort(entries)
	e.key = fmt.Sprintf("%+v %q", opts.Dialect, entries)
	for _, entry := range entries {
		name, sig, err := signature.Parse(entry)
		if err != nil {
			errs = append(errs, fmt.Errorf("predeclared name: %w", err))
			continue
		}
		s := &builtin.Symbol{Name: name, Sig: sig}
		if sig != nil {
			s.Type = "function"
		}
		e.declare(name, s)
	}
	return e, errors.Join(errs...)
}

// declare enters a symbol and, as values of unknown type, the names before its dots.
func (e *environment) declare(name string, s *builtin.Symbol) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		if e.predeclared[name] == nil || s.Sig != nil {
			e.predeclared[name] = s
		}
		return
	}
	owner, attr := name[:dot], name[dot+1:]
	if e.attributes[owner] == nil {
		e.attributes[owner] = make(map[string]*builtin.Symbol)
		e.declare(owner, &builtin.Symbol{Name: owner})
	}
	if e.attributes[owner][attr] == nil || s.Sig != nil {
		e.attributes[owner][attr] = s
	}
}

// lookup returns what a predeclared name denotes, or nil.
func (e *environment) lookup(name string) *builtin.Symbol {
	if s := e.predeclared[name]; s != nil {
		return s
	}
	return builtin.Lookup(name)
}

// scope returns the environment in which names are resolved.
func (e *environment) scope() scope.Env {
	return scope.Env{
		Options:     e.dialect,
		Predeclared: func(name string) bool { return e.predeclared[name] != nil },
		Universal:   func(name string) bool { return builtin.Lookup(name) != nil },
	}
}
