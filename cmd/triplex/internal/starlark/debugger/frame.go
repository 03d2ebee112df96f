package debugger

import (
	"context"
	"fmt"
	"reflect"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A Frame is one call of the stack.
type Frame struct {
	// ID refers to the frame until the program goes on.
	ID   int
	Name string
	// Path, Line and Column are where the frame stands. Path is empty for a built-in function.
	Path         string
	Line, Column int
}

// Frames returns count frames from the start'th on, counted from the innermost frame, and how many
// frames there are. A count of zero returns the rest.
func (r *Run) Frames(ctx context.Context, start, count int) ([]Frame, int, error) {
	var frames []Frame
	var total int
	err := r.inspect(ctx, func(s *stopped) error {
		total = s.depth()
		from, to := window(start, count, total)
		for i := from; i < to; i++ {
			f := s.frame(i)
			shown := Frame{ID: s.base + 1 + i, Name: f.name}
			if f.pos.Line > 0 {
				shown.Path, shown.Line = f.pos.Filename(), int(f.pos.Line)
				shown.Column = int(f.pos.Col)
			}
			frames = append(frames, shown)
		}
		return nil
	})
	return frames, total, err
}

// window returns the part of n items that a page of count items from start on shows.
func window(start, count, n int) (from, to int) {
	from = min(max(start, 0), n)
	if count <= 0 || count > n-from {
		return from, n
	}
	return from, from + count
}

// A frame is a call of the stopped program.
type frame struct {
	stop  *stopped
	index int // counted from the innermost
	name  string
	pos   syntax.Position
	unit  *unit // nil for a built-in function
	// live and fn are nil if the call is gone, and for a built-in function.
	live starlark.DebugFrame
	fn   *starlark.Function
}

// frame returns the i'th frame, counted from the innermost.
func (s *stopped) frame(i int) *frame {
	f := &frame{stop: s, index: i}
	if s.trace != nil {
		f.name, f.pos = s.trace.At(i).Name, s.trace.At(i).Pos
	} else {
		live := s.exec.thread.DebugFrame(s.hidden + i)
		f.name, f.pos = live.Callable().Name(), live.Position()
		if fn, ok := live.Callable().(*starlark.Function); ok {
			f.live, f.fn = live, fn
		}
	}
	if i == 0 {
		f.pos = s.pos
	}
	f.unit = s.unit(f.pos.Filename())
	return f
}

// unit returns the unit of a file, or nil.
func (s *stopped) unit(path string) *unit { return s.exec.units[path] }

// frameByID returns a frame by its id. Zero is the innermost.
func (s *stopped) frameByID(id int) (*frame, error) {
	if id == 0 {
		return s.frame(0), nil
	}
	i := id - s.base - 1
	if i < 0 || i >= s.depth() {
		return nil, fmt.Errorf("frame %d is not one of the present stop", id)
	}
	return s.frame(i), nil
}

// locals returns the local variables that mean something where the frame stands, as they were
// bound. The value of one that has not been assigned is nil.
func (f *frame) locals() []member {
	if f.live == nil {
		return nil
	}
	var found []member
	for i := range f.live.NumLocals() {
		binding, v := f.live.Local(i)
		if f.visible(binding) {
			found = append(found, member{name: binding.Name, value: uncell(v)})
		}
	}
	return found
}

// free returns the variables of enclosing functions that the frame's function uses.
func (f *frame) free() []member {
	if f.fn == nil {
		return nil
	}
	var found []member
	for i := range f.fn.NumFreeVars() {
		binding, v := f.fn.FreeVar(i)
		if f.visible(binding) {
			found = append(found, member{name: binding.Name, value: v})
		}
	}
	return found
}

// visible reports whether a variable is the program's, and means something where the frame stands.
func (f *frame) visible(b starlark.Binding) bool {
	if hidden(b.Name) {
		return false
	}
	if f.unit == nil {
		return true
	}
	within, ok := f.unit.layout.comprehensions[placeOf(b.Pos)]
	return !ok || within.contain(placeOf(f.pos))
}

// globals returns the global variables of the frame's file.
func (f *frame) globals() starlark.StringDict {
	switch {
	case f.fn != nil:
		return shown(f.fn.Globals())
	case f.unit != nil:
		return f.unit.globals
	}
	return nil
}

// lookup returns the value that a name has in the frame.
func (f *frame) lookup(name string) (starlark.Value, bool) {
	for _, scope := range [][]member{f.locals(), f.free()} {
		// Of variables with the same name the one bound last is of the innermost comprehension.
		for i := len(scope) - 1; i >= 0; i-- {
			if scope[i].name == name {
				return scope[i].value, scope[i].value != nil
			}
		}
	}
	if v, ok := f.loaded(name); ok {
		return v, true
	}
	if v, ok := f.globals()[name]; ok {
		return v, true
	}
	if v, ok := f.stop.exec.run.cfg.Predeclared[name]; ok {
		return v, true
	}
	v, ok := starlark.Universe[name]
	return v, ok
}

// loaded returns the value of a name that a load statement of the frame's file binds. It means
// something in the whole file, but only functions that use it have it among their variables.
func (f *frame) loaded(name string) (starlark.Value, bool) {
	if f.unit == nil {
		return nil, false
	}
	from, ok := f.unit.layout.loads[name]
	if !ok {
		return nil, false
	}
	v, ok := f.unit.modules[from.module][from.name]
	return v, ok
}

// uncell returns the value of a local variable. One that inner functions use is handed out by the
// interpreter as the box they share, whose type is not exported and has no methods to open it; if a
// later version boxes them in another way, the box itself is shown.
func uncell(v starlark.Value) starlark.Value {
	box := reflect.ValueOf(v)
	if !box.IsValid() || v.Type() != "cell" || box.Kind() != reflect.Pointer {
		return v
	}
	inner := box.Type().Elem()
	want := reflect.TypeFor[starlark.Value]()
	if inner.Kind() != reflect.Struct || inner.NumField() != 1 || inner.Field(0).Type != want {
		return v
	}
	content, _ := reflect.NewAt(want, box.UnsafePointer()).Elem().Interface().(starlark.Value)
	return content
}
