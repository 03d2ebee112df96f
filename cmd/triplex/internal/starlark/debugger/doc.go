// Package debugger runs Starlark programs under control: breakpoints, steps, a pause at any moment,
// and a look at (and into) every value while the program stands still. It knows no protocol. The
// debug adapter and the agents' tools are clients of one and the same Run, at the same time if they
// like.
//
// # How it works
//
// The interpreter of go.starlark.net has no hook to stop at, so the program is given one: the
// syntax tree is parsed as usual, and before every statement goes
//
//	if not PROBE: PROBE()
//
// where PROBE is a variable of the file whose name no source text can spell. Asking a probe for its
// truth costs a few nanoseconds: two instructions, one of which reads an atomic flag of this one
// statement. Only where a breakpoint is set, or while the program is stepped or about to pause, the
// probe is also called, and may block there: that is a stop. Docstrings stay first, positions stay
// as they were, and the steps of the hooks are given back to a program that has a step limit.
//
// # What cannot be done
//
// A comprehension and a lambda have no statements, so they are not stepped into (a pause works
// inside them). The head of a loop is reached once for each run of the loop. Starlark-go lets
// nobody assign a variable from outside; elements of lists and dicts and attributes can be set. An
// error unwinds the stack before anyone hears of it: a stop on an uncaught error shows the frames
// of the error and the globals, but no locals, except for a call of fail, which stops before it
// unwinds.
//
// Limits act between the steps of the interpreter, which offers no hook inside of them. A single
// step that takes all the memory there is, such as list(range(1 << 40)), or that writes out a tuple
// nested more than a million levels deep, ends the process. One that takes long, such as to write
// out a list as deep, is not interrupted.
//
// A Run debugs one Starlark thread. If a built-in function of the embedder calls the program's
// functions on threads of its own, they run without stopping.
package debugger
