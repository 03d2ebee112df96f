// Package framing finds where a message ends on a byte stream, and nothing more: it knows
// neither JSON nor sessions.
//
// Two framings are in use among JSON-RPC peers. [ContentLength] is the base protocol of LSP and
// DAP: header lines, a blank line, and as many bytes as the Content-Length field says. [Newline] is
// the one of MCP over stdio: one message a line. [Auto] reads the first byte that is not white
// space and settles for one of them.
//
// A [Reader] takes messages off a stream. It is lenient about what cannot be misread (the case of
// header names, white space, line ends, blank lines, a byte order mark at the start) and strict
// about the rest. What is wrong with a stream is told as an [*Error]. Where the next message begins
// is still known after most of them, so the Reader steps over the damage and goes on; an Error that
// is Fatal says that the boundary is lost.
//
// Input is taken to be hostile. Nothing is allocated because of a declared length alone, a message
// over the limit is skipped without being kept, and the first line of an HTTP request ends the
// stream before anything is read from it: a web page can make a browser connect to a local port.
//
// [Framing.Append] frames a whole message; [Framing.Begin] and [Framing.End] frame one that is
// built in place. [NewObjectStream] gives any jsonrpc2.Conn these framings.
package framing
