// Package mcpface is the agents' face of the Starlark plug-in: an MCP server whose tools look at
// the texts that editors of the same host have open, and at the programs that others debug.
//
//	starlark_run          run a file, or source text, under limits
//	starlark_eval         evaluate an expression, with the names of a file if wanted
//	starlark_check        the problems of a file or source text, as editors show them
//	starlark_format       the text of a file, or source text, laid out by the rules
//	starlark_symbols      what a file defines, or a search of the workspace
//	starlark_definition   where a name is defined, and what is known of it
//	starlark_references   where a name is used, in all files
//	starlark_rename       a new name everywhere: in the editor, or on disk if told so
//	debug_start           run a file until a breakpoint, or stop before its first line
//	debug_breakpoints     replace the breakpoints of a file
//	debug_continue        go on to the next stop, or wait for it
//	debug_step            one statement further: over, in or out
//	debug_pause           stop a program that runs, to see where it is
//	debug_evaluate        evaluate an expression where the program stands
//	debug_stop            end the program
//	debug_sessions        the programs that run, and who drives them
//
// Lines and columns count from 1, columns in characters. Lists and texts are cut at limits, and say
// so. The resources are the texts that are open and the Starlark files of the workspace; prompts
// help to explain a failure and to write a test.
//
// # Errors
//
// What the user or the model can mend is the result of a tool, with isError set and a member error
// in its structured content: a code such as "not_found", a message, and for a program that fails
// its place and backtrace. See [Failure].
//
// # Confinement
//
// No tool reads or writes outside of the folders that the user of the host named, or else its
// working directory, and those of the editors that are attached. Symbolic links are resolved first.
// What a program loads is confined in the same way, but for the folders that an editor was
// configured to load from. Texts that have no file, such as untitled buffers, can be read.
//
// # Debugging together
//
// A program that an agent debugs is in the registry of runs: a debug client of the host can attach
// to it, and an agent can use the session that a debug client started. All see the same stops. The
// session outlives the connection of its agent; a bound of steps ends it that runs on.
package mcpface
