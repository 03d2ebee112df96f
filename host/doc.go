// Package host carries full-duplex JSON-RPC sessions between peers and plug-ins.
//
// A [Host] serves any number of sessions at a time. A [Session] is one conversation with one peer,
// over any stream: [Host.Attach] starts one on a stream that exists, [Host.Serve] one for each
// connection that a listener accepts. Both sides may send requests and notifications at any time.
//
// A [MethodSet] is a plug-in: the methods of one protocol. The host opens it once for each session,
// so what it has to remember of a session lives in the [Handler] it returns. A method set that
// stands in [Host.Mounts] is a mount. With one mount every session is for it; with several, the
// first message that is decisive for one of them binds the session. [FromHandler] makes a method
// set of a handler that was written for a jsonrpc2.Conn.
//
// A [Dialect] is what a session must know of a protocol to carry it: how messages are written, the
// order they are handled in, how a request is cancelled, what may be said when, and what the end
// of input means. The package knows no protocol by name; [Plain] is JSON-RPC 2.0 alone.
//
// # Writing a plug-in
//
// Handlers speak the vocabulary of [github.com/sourcegraph/jsonrpc2]: they get a *jsonrpc2.Request
// and return a result or an error, and a *Session is a jsonrpc2.JSONRPC2. Most plug-ins do not
// write a Handler by hand but fill a table of typed methods ([Request], [Notification], [Mux]),
// whose values serve both directions: Handle registers the handler, Call sends the request to the
// peer. Protocol packages declare these values for all their methods.
//
// A handler may call its peer, to any depth, since answers are routed as they are read. It need
// not guard against its peer: a panic costs its request an error, and so does a result that cannot
// be encoded. It should heed its context, which ends when the peer cancels the request and when
// the session ends.
//
// # Order
//
// Every message of a session is handled in one of three lanes. Unless its dialect says otherwise,
// requests are on the lane Concurrent and notifications on the lane Ordered.
//
//   - Ordered messages are handled one at a time, in the order they arrived.
//   - A Concurrent message starts when every Ordered one that arrived before it has been handled,
//     and then runs beside everything.
//   - An Immediate message starts as it is read.
//
// So a request sees the effect of every earlier notification, and a slow request holds up nothing.
// [Release] lets a handler give up its place in the order early. [AfterReply] runs a function once
// the answer to the request in hand is queued, for what has to follow it on the wire.
//
// Cancellation acts as it is read, ahead of every queue: a request that has not started is
// answered without being handled. Every request gets exactly one answer, unless its dialect wants
// none after a cancellation.
//
// # Bytes
//
// What a session does not need to understand leaves as the bytes it came in. Ids are echoed token
// for token ([RawID] has them where a [jsonrpc2.ID] cannot), a json.RawMessage is not encoded
// again, and an error of the peer that a handler returns as its own keeps its bytes.
//
// # Life and end
//
// A session ends when its peer ends its output, when its life cycle says so, when it is told to,
// or when it breaks a limit. An orderly end ([Session.End], the end of input, [Host.Shutdown])
// stops reading, lets what is in flight finish within the drain timeout, cancels what is left,
// answers for handlers that do not return, closes the Handler if it has a method
// Close(cause error), writes what is queued, and closes the stream. [Session.Close] skips to the
// cancellation. [Session.Done] is closed when nothing of the session is left; [Session.Err] says
// why it ended, and is nil if the end was orderly. A bad frame costs one error answer, and the
// session only if there is no telling where the next message begins; a session never costs the
// host.
//
// [Limits] bounds everything that a peer can make a session keep or wait for.
//
// # The reader's role
//
// Reading never waits for a handler or for a write, and yet a message that is handled at once
// wakes no goroutine. The goroutine that reads a message also handles it: before it does, it gives
// up the role of the reader, and makes sure that one successor is runnable. If the handler parks,
// the scheduler runs the successor, which reads on; if it returns, its goroutine takes the role
// back before the successor has run. Answers gather meanwhile, and whoever writes, writes all.
//
// # Why not jsonrpc2.Conn
//
// The engine is our own because a jsonrpc2.Conn (v0.2.3) cannot be one for this job. It closes on
// malformed JSON, on any batch, and on ids such as 1.5; it writes -1 as 18446744073709551615 and
// takes a null id for a notification, or for the answer to its own call 0; it handles messages on
// its read loop, so that a handler that calls its peer waits for ever, or else without any order;
// it drops answers in hand at the end of input; and it encodes params anew, through a map. All of
// that can be mended around a Conn by giving it small envelopes and keeping the payloads beside
// it, except the cost of its own encoding: with 64 requests pipelined over TCP, that arrangement
// reached 32,000 requests a second in one run (42,000 with the answers written past the Conn), the
// best Go peer 83,000, and a plain single-pass session with a goroutine for each request 150,000.
// Hence its vocabulary and its handlers, and not its engine.
package host
