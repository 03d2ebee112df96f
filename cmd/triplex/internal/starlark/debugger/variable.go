package debugger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// A Scope is a group of the variables of a frame.
type Scope struct {
	// Name is Locals, Free variables, Globals or Predeclared.
	Name string
	// Ref is for Variables, until the program goes on.
	Ref int
	// Named is how many variables there are.
	Named int
}

// A Variable is a named value, or a value by itself.
type Variable struct {
	Name string
	// Value is the value as text, shortened.
	Value string
	Type  string
	// Ref is for Variables, until the program goes on; that of a result of the repl, and of what is
	// inside it, is good at later stops, too. It is zero if there is nothing inside, or if maxRefs
	// have been given out.
	Ref int
	// Named and Indexed are how many fields and elements there are inside.
	Named, Indexed int
	// Path is an expression that has this value in the frame, or empty if none is known.
	Path string
}

// A Kind selects the variables inside another.
type Kind int

// The kinds of variables: All are the named ones, then the indexed ones.
const (
	All Kind = iota
	Named
	Indexed
)

// A Page selects some of the variables inside another.
type Page struct {
	Kind Kind
	// Start is how many to leave out, Count how many to show. Zero shows the rest, up to
	// MaxVariables.
	Start, Count int
}

// MaxVariables is how many variables are shown at once. If there are more, the last one says so.
const MaxVariables = 10_000

// maxValue is how many bytes of a value are shown.
const maxValue = 256

// A member is a named value, before it is shown.
type member struct {
	name  string
	value starlark.Value // nil if not assigned
	path  string
	err   error // instead of a value
}

// A variables is what a reference refers to: the inside of a scope or of a value.
type variables struct {
	named []member
	// indexed are the elements, if any.
	indexed elements
	// owner is the value whose fields are named, or nil: then these are the variables of a scope.
	owner starlark.Value
	path  string // of the owner
	frame int    // of the present stop, from the innermost, that the variables were found in
	// lasting tells that references to the inside of these outlive the stop.
	lasting bool
}

// Scopes returns the variables of a frame in groups. A built-in function has none, a call that is
// gone has no locals.
func (r *Run) Scopes(ctx context.Context, frame int) ([]Scope, error) {
	var scopes []Scope
	err := r.inspect(ctx, func(s *stopped) error {
		f, err := s.frameByID(frame)
		if err != nil || f.fn == nil && f.unit == nil {
			return err
		}
		shadowed := make(map[string]bool) // the names that mean variables of an inner scope
		add := func(name string, members []member) {
			for i, m := range members {
				if !shadowed[m.name] {
					members[i].path = m.name
				}
				shadowed[m.name] = true
			}
			scope := Scope{Name: name, Named: len(members)}
			scope.Ref = s.refer(&variables{named: members, frame: f.index}, false)
			scopes = append(scopes, scope)
		}
		if f.live != nil {
			add("Locals", assigned(f.locals()))
			add("Free variables", assigned(f.free()))
		}
		add("Globals", membersOf(f.globals()))
		add("Predeclared", membersOf(r.cfg.Predeclared))
		return nil
	})
	return scopes, err
}

// assigned drops the variables without a value, and those that a comprehension's variable of the
// same name hides.
func assigned(members []member) []member {
	last := make(map[string]int)
	for i, m := range members {
		last[m.name] = i
	}
	var kept []member
	for i, m := range members {
		if last[m.name] == i && m.value != nil {
			kept = append(kept, m)
		}
	}
	return kept
}

func membersOf(names starlark.StringDict) []member {
	members := make([]member, 0, len(names))
	for _, name := range names.Keys() {
		members = append(members, member{name: name, value: names[name]})
	}
	return members
}

// Variables returns a page of what is inside a scope or a variable.
func (r *Run) Variables(ctx context.Context, ref int, page Page) ([]Variable, error) {
	var shown []Variable
	err := r.inspect(ctx, func(s *stopped) error {
		vs, err := s.referred(ref)
		if err != nil {
			return err
		}
		members, more := vs.page(page)
		for _, m := range members {
			shown = append(shown, s.variable(m, vs.frame, vs.lasting))
		}
		if more > 0 {
			note := fmt.Sprintf("%d more; ask for them in pages", more)
			shown = append(shown, Variable{Name: "…", Value: note})
		}
		return nil
	})
	return shown, err
}

// page returns the members of a page, and how many were left out because there are too many.
func (vs *variables) page(p Page) (members []member, more int) {
	named, indexed := len(vs.named), 0
	if vs.indexed != nil {
		indexed = vs.indexed.len()
	}
	switch p.Kind {
	case Named:
		indexed = 0
	case Indexed:
		named = 0
	}
	from, to := window(p.Start, p.Count, named+indexed)
	if to-from > MaxVariables {
		more, to = to-from-MaxVariables, from+MaxVariables
	}
	members = slices.Clone(vs.named[min(from, named):min(to, named)])
	if to > named {
		elements := vs.indexed.slice(max(from-named, 0), to-named, vs.path)
		members = append(members, elements...)
	}
	return members, more
}

// maxRefs is how many references are given out while the program stands still, and how many
// lasting ones.
const maxRefs = 200_000

// refer returns a reference to vs, for this stop or a lasting one.
func (s *stopped) refer(vs *variables, lasting bool) int {
	list, first := &s.refs, s.base+s.depth()+1
	if lasting {
		vs.lasting, vs.frame = true, 0 // the frame is gone at the next stop
		list, first = &s.exec.run.lasting, firstLasting
	}
	if len(*list) == maxRefs {
		return 0
	}
	*list = append(*list, vs)
	return first + len(*list) - 1
}

func (s *stopped) referred(ref int) (*variables, error) {
	list, i := s.refs, ref-s.base-s.depth()-1
	if ref >= firstLasting {
		list, i = s.exec.run.lasting, ref-firstLasting
	}
	if i < 0 || i >= len(list) {
		return nil, fmt.Errorf("variables reference %d is not one of the present stop", ref)
	}
	return list[i], nil
}

// variable shows a member found in a frame, with a reference for this stop or a lasting one.
func (s *stopped) variable(m member, frame int, lasting bool) Variable {
	if strings.ContainsAny(m.path, "\n;") {
		m.path = "" // statements, or an expression that cannot be part of another
	}
	v := Variable{Name: m.name, Path: m.path}
	if m.err != nil {
		v.Value = "error: " + m.err.Error()
		return v
	}
	v.Value, v.Type = preview(m.value, maxValue), m.value.Type()
	vs := inside(m.value)
	if v.Named = len(vs.named); vs.indexed != nil {
		v.Indexed = vs.indexed.len()
	}
	if v.Named+v.Indexed > 0 {
		vs.extend(m.path)
		vs.frame = frame
		v.Ref = s.refer(vs, lasting)
	}
	return v
}
