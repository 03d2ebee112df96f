// Package lspface is the face of the Starlark plug-in that editors see: a language server over a
// [workspace.Workspace]. It is written against the public packages only, and so is a worked example
// of a plug-in: [New] fills an [lsp.Server] with handlers, each of which asks the workspace and
// translates the answer.
//
// A request is answered for the documents as they were when it was read, whatever the client types
// meanwhile. Problems are found in the background by one goroutine of a session, which runs only
// while there is something to do.
//
// # Settings
//
// They come in the initializationOptions, with workspace/didChangeConfiguration, or are asked for
// with workspace/configuration, in the section starlark:
//
//	starlark.predeclared  names that the application predeclares, each as "name",
//	                      "name(parameters)" or "name(parameters) -> type"; a name with dots is
//	                      an attribute of the name before the last dot
//	starlark.options      optional features of the language, all off unless set to true: set,
//	                      while, topLevelControl, globalReassign, recursion
//	starlark.roots        more folders from which load finds files: absolute, or within the first
//	                      workspace folder
//
// # Commands
//
//	starlark.run URI            runs the document as it is in the editor
//	starlark.debug URI          starts it, stopped before its first statement, for a debugger
//	                            to attach to
//	starlark.organizeLoads URI  sorts and merges its load statements
package lspface
