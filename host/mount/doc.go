// Package mount serves method sets that are not Go code: any program that speaks one of the
// protocols, started for each session, or a server at an address, dialled for each session.
//
// A mount relays. Between the client's session and the server stands a second session of the host,
// which speaks the same dialect as a client does. Requests and notifications pass from one to the
// other, both ways, in the order they were read in, with answers in their place among them.
// Params, results, errors, and members of a message that its protocol does not know stay the bytes
// they are, but for the members that the dialect's Relay names. Ids, framings, cancellation and
// life cycle are each session's own, so both peers see a protocol that is kept, whatever the other
// one does.
//
// # When a server ends
//
// A server that ends before its session does fails the requests it had not answered, with its exit
// status and the last it wrote to standard error. Where the dialect knows how one server takes the
// place of another (Replay), the next request starts a new one, within a budget of restarts. Where
// it does not, as with a debugger whose debuggee is lost, the session ends.
package mount
