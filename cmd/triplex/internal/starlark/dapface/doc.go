// Package dapface is the debug face of the Starlark plug-in: it lets debug clients run, stop and
// look into programs (DAP). What runs is the workspace's text, with the files that editors have
// open and unsaved; and a program that one session of the host started can be joined by another.
//
// # Configuration
//
// The arguments of launch are
//
//	program      the file to run: a path, a file URI, or the name of an open text that has no file
//	args         a list of strings, the program's predeclared list args
//	stopOnEntry  stop before the first statement
//	noDebug      run only: nothing stops the program but its end
//	console      internalConsole (default), integratedTerminal or externalTerminal
//	maxSteps     end the program after so many steps of the interpreter; none is the default
//	maxMemory    end the program when the host's memory grows by more than so many MiB while it
//	             runs; 1024 is the default
//	predeclared  an object: more predeclared names, with their values as JSON
//	options      an object of booleans: the optional features of the language that the files use,
//	             set, while, topLevelControl, globalReassign, loadBindsGlobally and recursion
//	roots        a list of folders in which modules are looked for, after that of the file
//
// and the one of attach is
//
//	session      the id of a program that another session of this host started; it may be left out
//	             if there is only one, and the error lists those there are
//
// # Limits
//
// Comprehensions and lambdas have no statements to step through. A variable cannot be assigned,
// elements and fields of values can. After an uncaught error the frames can be seen, but their
// local variables are gone, except for a call of fail. Only the outermost frame of the program can
// be restarted, which begins it anew. There is no goto. Of clients that share a program each has
// its own breakpoints, and the program stops at all of them.
package dapface
