package debugger

import (
	"fmt"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// elements are the indexed variables inside a value.
type elements interface {
	len() int
	// slice returns the elements from up to but not including to, which are in range. Their paths
	// begin with path, unless that is empty.
	slice(from, to int, path string) []member
	// set assigns an element by the name that slice gave it.
	set(name string, v starlark.Value) error
}

// inside returns what there is inside a value.
func inside(v starlark.Value) *variables {
	vs := &variables{owner: v}
	switch v := v.(type) {
	case starlark.String:
	case *starlark.Function:
		vs.named = insideFunction(v)
	case *starlark.Builtin:
		if recv := v.Receiver(); recv != nil {
			vs.named = []member{{name: "(receiver)", value: recv}}
		}
	case *starlark.List, starlark.Tuple, starlark.Bytes:
		vs.indexed = sequence{v.(starlark.Indexable)}
	case *starlark.Dict:
		vs.indexed = entries{v}
	case *starlark.Set:
		vs.indexed = items{v}
	default:
		vs.named = fields(v)
		vs.indexed = insideOther(v)
	}
	return vs
}

// insideOther returns the elements of a value whose type an embedder defined, or of a range.
func insideOther(v starlark.Value) elements {
	switch v := v.(type) {
	case starlark.Indexable:
		return sequence{v}
	case starlark.Sequence:
		return items{v}
	}
	return nil
}

// fields returns the attributes of a value.
func fields(v starlark.Value) []member {
	attrs, ok := v.(starlark.HasAttrs)
	if !ok {
		return nil
	}
	var members []member
	for _, name := range attrs.AttrNames() {
		value, err := attrs.Attr(name)
		if value == nil && err == nil {
			continue
		}
		members = append(members, member{name: name, value: value, err: err})
	}
	return members
}

// insideFunction returns what a function remembers.
func insideFunction(fn *starlark.Function) []member {
	var members []member
	for i := range fn.NumParams() {
		if v := fn.ParamDefault(i); v != nil {
			name, _ := fn.Param(i)
			members = append(members, member{name: "(default) " + name, value: v})
		}
	}
	for i := range fn.NumFreeVars() {
		if b, v := fn.FreeVar(i); v != nil && !hidden(b.Name) {
			members = append(members, member{name: b.Name, value: v})
		}
	}
	return members
}

// extend gives the variables paths, which begin with that of their owner. An empty path is not
// known, and so are those of what it holds.
func (vs *variables) extend(path string) {
	if path == "" {
		return
	}
	vs.path = operand(path)
	if _, ok := vs.owner.(starlark.HasAttrs); !ok {
		return // what a function remembers has no path
	}
	for i, m := range vs.named {
		if !strings.HasPrefix(m.name, "(") {
			vs.named[i].path = vs.path + "." + m.name
		}
	}
}

// operand returns an expression in parentheses, unless it needs none before an index or a dot.
func operand(expr string) string {
	simple := !strings.ContainsFunc(expr, func(c rune) bool {
		return !(c == '_' || c == '.' || c == '[' || c == ']' || c == '"' ||
			'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	})
	if simple {
		return expr
	}
	return "(" + expr + ")"
}

// A sequence is the elements of a list, a tuple, bytes, a range, or a like value.
type sequence struct{ value starlark.Indexable }

func (s sequence) len() int { return s.value.Len() }

func (s sequence) slice(from, to int, path string) []member {
	members := make([]member, 0, to-from)
	for i := from; i < to; i++ {
		m := member{name: fmt.Sprintf("[%d]", i), value: s.value.Index(i)}
		if path != "" {
			m.path = path + m.name
		}
		members = append(members, m)
	}
	return members
}

func (s sequence) set(name string, v starlark.Value) error {
	i, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	if err != nil || i < 0 || i >= s.value.Len() {
		return fmt.Errorf("no element %s, want [0] to [%d]", name, s.value.Len()-1)
	}
	return setIndex(s.value, starlark.MakeInt(i), v)
}

// An entries is the values of a dict, named by their keys.
type entries struct{ value *starlark.Dict }

func (e entries) len() int { return e.value.Len() }

func (e entries) slice(from, to int, path string) []member {
	members := make([]member, 0, to-from)
	i := 0
	for k, v := range e.value.Entries() {
		if i == to {
			break
		}
		if i >= from {
			members = append(members, entry(k, v, path))
		}
		i++
	}
	return members
}

// entry shows the value of a key.
func entry(k, v starlark.Value, path string) member {
	m := member{name: preview(k, maxValue), value: v}
	switch k.(type) {
	case starlark.String, starlark.Bytes, starlark.Int, starlark.Bool, starlark.NoneType:
		if path != "" && !strings.HasSuffix(m.name, "…") {
			m.path = path + "[" + m.name + "]"
		}
	}
	return m
}

func (e entries) set(name string, v starlark.Value) error {
	key, err := e.key(name)
	if err != nil {
		return err
	}
	return e.value.SetKey(key, v)
}

// key returns the key of a name. While keys are looked through nothing can be set. Keys that are
// long have names that are shortened, and so may have the same.
func (e entries) key(name string) (key starlark.Value, err error) {
	for k := range e.value.Entries() {
		switch {
		case preview(k, maxValue) != name:
		case key != nil:
			return nil, fmt.Errorf("%s stands for more than one key of the dict", name)
		default:
			key = k
		}
	}
	if key == nil {
		err = fmt.Errorf("no key %s in the dict", name)
	}
	return key, err
}

// An items is the elements of a set, or of a like value.
type items struct{ value starlark.Sequence }

func (s items) len() int { return s.value.Len() }

func (s items) slice(from, to int, _ string) []member {
	members := make([]member, 0, to-from)
	iter := s.value.Iterate()
	defer iter.Done()
	var v starlark.Value
	for i := 0; i < to && iter.Next(&v); i++ {
		if i >= from {
			members = append(members, member{name: fmt.Sprintf("[%d]", i), value: v})
		}
	}
	return members
}

func (s items) set(string, starlark.Value) error {
	return fmt.Errorf("the elements of a %s cannot be assigned", s.value.Type())
}
