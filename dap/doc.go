// Package dap is the Debug Adapter Protocol, schema 1.71, for plug-ins of the host: its types, a
// typed descriptor for each request and event, the dialect that carries them, and the [Server] a
// debugger's author fills in.
//
// # Types
//
// The types follow the schema's definitions and keep their names; the body of a response or an
// event is called after it ([StackTraceResponseBody], [StoppedEventBody]). Optional members are
// pointers or slices and are left out while nil, so that a member that is absent, false and true
// are three things; new(true) and new("text") make them, [Or] reads them. Enumerations are string
// types: the protocol lets peers use values of their own in most of them.
//
// Every type embeds [Extra], which holds the members that this version of the schema does not
// know, so nothing is lost when a message is read, changed and sent on. The types are made for
// the codec of [Dialect]; encoding/json reads them, but writes Unknown as a member of its own and
// an absent list as null.
//
// # Wire
//
// The wire is not JSON-RPC: messages are numbered with seq and told apart by type. The envelope
// of the dialect maps request, response and event to the session's request, response and
// notification, so the session and its handlers never notice:
//
//	request   {"seq", "type", "command", "arguments"}            id, method, params
//	event     {"seq", "type", "event", "body"}                   method, params
//	response  {"seq", "type", "request_seq", "success",
//	           "command", "message", "body"}                     id, result or error
//
// A failed response maps to an error whose data is the response's body and whose code is the id
// of the error in that body; [Errorf] makes such errors. The reverse is done for errors that know
// nothing of this protocol.
//
// # Tests
//
// Package [triplex/dap/daptest] is a debug client for the tests of an adapter.
package dap
