package debugger

import (
	"reflect"
	"slices"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// freeze makes the globals of a file that has run immutable, and all that can be reached from them,
// as [starlark.StringDict.Freeze] does. That recurses without end into a function that refers to
// itself, such as f in
//
//	def make():
//	    def f():
//	        return f
//	    return f
//
// which exhausts the stack and so ends the process. And it freezes a tuple once for each way to it,
// of which x = (x, x) makes twice as many each time.
func freeze(globals starlark.StringDict) {
	f := freezer{seen: make(map[any]bool)}
	for _, v := range globals {
		f.add(v)
	}
	for len(f.todo) > 0 {
		v := f.todo[len(f.todo)-1]
		f.todo = f.todo[:len(f.todo)-1]
		f.visit(v)
	}
}

// A freezer freezes values once each.
type freezer struct {
	todo []starlark.Value
	seen map[any]bool // functions, and tuples by the addresses of their first elements
}

// add has a value frozen.
func (f *freezer) add(v starlark.Value) {
	if mutable(v) {
		f.todo = append(f.todo, v)
	}
}

// mutable reports whether a value, or something that it refers to, may change.
func mutable(v starlark.Value) bool {
	switch v.(type) {
	case nil, starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String,
		starlark.Bytes:
		return false
	}
	return true
}

// visit freezes a value but for what it refers to, and adds that.
func (f *freezer) visit(v starlark.Value) {
	switch v := v.(type) {
	case *starlark.List:
		if setFrozen(v) {
			for elem := range v.Elements() {
				f.add(elem)
			}
		}
	case *starlark.Dict:
		if setFrozen(v) {
			for key, value := range v.Entries() {
				f.add(key)
				f.add(value)
			}
		}
	case *starlark.Set:
		if setFrozen(v) {
			for elem := range v.Elements() {
				f.add(elem)
			}
		}
	case *starlarkstruct.Struct:
		if setFrozen(v) {
			for _, value := range v.Entries() {
				f.add(value)
			}
		}
	case starlark.Tuple:
		if slices.ContainsFunc(v, mutable) && f.first(&v[0]) {
			for _, elem := range v {
				f.add(elem)
			}
		}
	case *starlark.Function:
		if f.first(v) {
			f.function(v)
		}
	case *starlark.Builtin:
		f.add(v.Receiver())
	default:
		v.Freeze()
	}
}

// first reports whether something is met for the first time.
func (f *freezer) first(key any) bool {
	again := f.seen[key]
	f.seen[key] = true
	return !again
}

// function adds what a function refers to.
func (f *freezer) function(fn *starlark.Function) {
	for i := range fn.NumParams() {
		f.add(fn.ParamDefault(i))
	}
	for i := range fn.NumFreeVars() {
		_, v := fn.FreeVar(i)
		f.add(v)
	}
}

// setFrozen marks a list, dict, set or struct as frozen, and reports whether it was not. Their own
// methods cannot do so without freezing all within. One that is frozen may be in use elsewhere, and
// is not written to.
func setFrozen(v starlark.Value) bool {
	x := reflect.ValueOf(v).Elem()
	if table := x.FieldByName("ht"); table.IsValid() {
		x = table
	}
	frozen := (*bool)(x.FieldByName("frozen").Addr().UnsafePointer())
	if *frozen {
		return false
	}
	*frozen = true
	return true
}
