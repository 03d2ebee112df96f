package debugger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
)

// Filters say which errors stop the program.
type Filters struct {
	// Uncaught stops at the error that ends the program.
	Uncaught bool
	// Raised stops at every call of fail.
	Raised bool
}

// SetFilters replaces the filters of a client. What any client wants to see stops the program.
func (r *Run) SetFilters(by string, f Filters) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.points.filters == nil {
		r.points.filters = make(map[string]Filters)
	}
	if r.points.filters[by] = f; f == (Filters{}) {
		delete(r.points.filters, by)
	}
}

// wanted returns the filters of all clients together.
func (r *Run) wanted() (all Filters) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.points.filters {
		all.Uncaught = all.Uncaught || f.Uncaught
		all.Raised = all.Raised || f.Raised
	}
	return all
}

// An Exception describes the error at which the program is stopped.
type Exception struct {
	// Message says what went wrong, without where.
	Message string
	// Raised tells that a call of fail raised it; the frames are still alive then.
	Raised bool
	// Backtrace is the message after the calls and loads that led to it.
	Backtrace string
}

// Exception returns the error at which the program is stopped.
func (r *Run) Exception(ctx context.Context) (Exception, error) {
	var x Exception
	err := r.inspect(ctx, func(s *stopped) error {
		if s.err == nil {
			return errors.New("the program is not stopped at an error")
		}
		x = Exception{Message: s.info.Text, Raised: s.trace == nil}
		if x.Raised {
			stack := ownFrames(s.exec.thread.CallStack())
			x.Backtrace = shortened(stack.String()+"Error: "+x.Message, len(stack))
		} else {
			x.Backtrace = backtrace(s.err)
		}
		return nil
	})
	return x, err
}

// innermost returns the error at the bottom of a chain of failed loads. Modules run on the thread
// of the program, so its stack shows the whole chain.
func innermost(err *starlark.EvalError) *starlark.EvalError {
	for {
		var inner *starlark.EvalError
		if !errors.As(err.Unwrap(), &inner) {
			return err
		}
		err = inner
	}
}

// backtrace returns the error with the calls and loads that led to it.
func backtrace(err error) string {
	var failed *starlark.EvalError
	if errors.As(err, &failed) {
		root := innermost(failed)
		return shortened(root.Backtrace(), len(root.CallStack))
	}
	return err.Error()
}

// maxTraced is how many calls at each end of a stack a backtrace shows: a recursion without end has
// a hundred thousand.
const maxTraced = 50

// shortened leaves the calls in the middle of a backtrace out, which has a line for each call.
func shortened(text string, calls int) string {
	if calls <= 2*maxTraced+1 {
		return text
	}
	lines := strings.SplitAfterN(text, "\n", calls)
	outer, inner := lines[:1+maxTraced], lines[calls-maxTraced:]
	return fmt.Sprintf("%s  ... %d calls more\n%s", strings.Join(outer, ""),
		calls-2*maxTraced-1, strings.Join(inner, ""))
}

// ownFrames drops the built-in functions at the top of the stack.
func ownFrames(stack starlark.CallStack) starlark.CallStack {
	for len(stack) > 0 && stack.At(0).Pos.Line == 0 {
		stack.Pop()
	}
	return stack
}

// failure returns the function fail, of the language or the embedder, that stops before it fails.
// It is nil if the embedder means something else by the name.
func (e *execution) failure() *starlark.Builtin {
	name, ok := e.run.cfg.Predeclared["fail"]
	if !ok {
		name = starlark.Universe["fail"]
	}
	fail, ok := name.(*starlark.Builtin)
	if !ok {
		return nil
	}
	stopping := func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
		kwargs []starlark.Tuple,
	) (starlark.Value, error) {
		v, err := fail.CallInternal(thread, args, kwargs)
		if err != nil && thread == e.thread {
			e.failing(err)
		}
		return v, err
	}
	return starlark.NewBuiltin(fail.Name(), stopping)
}

// failing stops at a call of fail, if the client wants to see it.
func (e *execution) failing(err error) {
	filters := e.run.wanted()
	if filters.Raised || filters.Uncaught && !e.catchable() {
		e.raised = err
		s := e.newStop(ReasonException, 1, e.thread.CallFrame(1).Pos)
		s.err = err
		s.info.Text = err.Error()
		e.halt(s)
	}
}

// catchable reports whether a built-in function among the callers might catch an error. Starlark
// itself cannot.
func (e *execution) catchable() bool {
	for i := 1; i < e.thread.CallStackDepth(); i++ {
		if _, ok := e.thread.DebugFrame(i).Callable().(*starlark.Function); !ok {
			return true
		}
	}
	return false
}

// unwound stops after the program has failed, if the client wants to see that and has not yet.
func (e *execution) unwound(err error) {
	var failed *starlark.EvalError
	wanted := e.run.wanted().Uncaught && !e.run.cfg.NoDebug
	if !wanted || !errors.As(err, &failed) || e.raised != nil && errors.Is(err, e.raised) {
		return
	}
	root := innermost(failed)
	trace := ownFrames(root.CallStack)
	if len(trace) == 0 {
		return
	}
	s := e.newStop(ReasonException, 0, trace.At(0).Pos)
	s.err, s.trace = err, trace
	s.info.Text = root.Msg
	e.halt(s)
}
