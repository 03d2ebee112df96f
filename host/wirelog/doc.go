// Package wirelog keeps and examines the log of what a session said: one JSON object a line, with
// every message as it was on the wire.
//
//	{"time":"2026-03-01T10:00:00.000001Z","session":"s1","protocol":"lsp","dir":"in","msg":{…}}
//	{"time":"2026-03-01T10:00:00.000002Z","session":"s1","protocol":"lsp","dir":"in","raw":"eyJ4"}
//	{"time":"2026-03-01T10:00:00.000003Z","dropped":12}
//	{"time":"2026-03-01T10:00:00.000004Z","continues":true}
//
// A line holds a message (msg), a frame that was none (raw, in base64), or a remark of the log
// itself: that messages are missing here because the disk was too slow or full (dropped), or that
// the file goes on where the one before it ended (continues). The directions are the recording
// host's: "in" was read from the peer, "out" written to it. Members with nothing to say are left
// out.
//
// A [Writer] records without ever holding up a session. A [Reader] reads a log, and also
// recordings of the form {"us":…,"dir":"c2s","body":"…"}. A [Tracker] turns records into events:
// which answer belongs to which request, and how long it took. From events a [Printer] makes lines
// for people, [Stats] a table of the methods, and a [Checker] a list of broken rules.
//
// The package knows no protocol but JSON-RPC 2.0. Everything else is in a [Protocol], which the
// caller has for every name in the log.
package wirelog
