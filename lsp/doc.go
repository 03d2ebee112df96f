// Package lsp is the language server protocol, version 3.18, for plug-ins of the host.
//
// # Servers
//
// A [Server] is a method set that an author fills with handlers. Each request and notification of
// the protocol is a variable, such as [Hover], that serves both directions and lets the compiler
// check them: its Handle serves the method, its Call or Send uses it on the client. The types are
// those of go.lsp.dev/protocol. Methods of one's own are further variables of type [Request] and
// [Notification].
//
// What the protocol asks of every server is done here: the life cycle, whatever a handler does;
// the capabilities, which follow from the handlers; the documents; cancellation, tracing, and the
// end of the client's process. A [Session] is what a handler knows of its client, and has the
// things a server asks of one: progress, settings, edits, registrations, messages.
//
// # Documents
//
// [Documents] mirrors what a client has open. It hands out a [Document] as it is at that moment:
// an immutable [Text] under the URI the client spelled, with positions in the encoding that
// [ChooseEncoding] agreed on. [KeyOf], [Path] and [FileURI] compare and convert URIs. A URI in
// params may be spelled in another way than the client did; [Documents.Get] takes any, and answers
// should use the URI of the document it returns.
package lsp
