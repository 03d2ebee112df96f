// Package mcp serves the Model Context Protocol on sessions of a host. A plug-in author writes a
// server with the official SDK, github.com/modelcontextprotocol/go-sdk, and mounts it:
//
//	server := sdk.NewServer(&sdk.Implementation{Name: "mine", Version: "1"}, nil)
//	sdk.AddTool(server, &sdk.Tool{Name: "greet"}, greet)
//	set := mcp.Mount(server, nil)
//
// Framing, limits, the end of a session, recording and detection are the host's. The same [Set]
// serves HTTP with [Set.HTTPHandler].
//
// # Both eras
//
// A session may speak the legacy era (`initialize`, 2024-11-05 to 2025-11-25), the modern one
// (2026-07-28, requests that name their version), or both at once: each message is of the era that
// it shows itself to be of. The server sees two clients then.
//
// # What the mount adds to the SDK
//
// [Dialect] keeps the order of messages. Middleware that [Mount] adds to the server does the rest,
// over HTTP as well:
//
//   - a handler that panics, or ends its goroutine, costs its request an error -32603
//   - so many requests of a session run at one time, see [Options]; the others wait
//   - an error without a code is -32603; a missing resource is -32002 in the legacy era and -32602
//     in the modern one, and no code leaves that its era does not have
//   - -32602 is the answer to a missing name or URI, to a prompt without its required arguments,
//     and to a level of logging that there is not
//   - a result that is nil, or cannot be encoded, is an error; lists are never null, and a
//     completion has at most 100 values
//   - a client that does not answer a question in time, or with an error, costs the tool that asked
//     an error, which is its result
//   - the requests of an HTTP session end when its client deletes it, and one that stands alone
//     when its client goes
//
// Over HTTP an answer is all that ends the response to a request, so that a cancelled one is
// answered there. Ids that the SDK cannot keep, and batches with such ids, are refused.
//
// # Errors
//
// What its user, or the model, can mend is the result of a tool, with isError set: a file that is
// not there, a script that fails, arguments against the schema. A handler of [sdk.AddTool] returns
// such an error as any other error, and may set structuredContent in a result of its own to name
// it. An error of the protocol says that the request itself was wrong: an unknown tool, malformed
// params. For that, a handler returns a *jsonrpc.Error of the SDK.
//
// The SDK's environment variable MCPGODEBUG undoes corrections of the SDK. This package does not
// depend on its setting, but does not hide what it does either.
package mcp
