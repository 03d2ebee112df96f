package lsp

import "triplex/host"

// Request describes a request with params P and result R. The requests of the protocol are the
// variables of this package; a plug-in makes its own ones the same way:
//
//	var RunTest = lsp.Request[*RunTestParams, *RunTestResult]{Method: "acme/runTest"}
//
// Handle serves it on a [Server], Call sends it to a client. A result of type protocol.LSPAny
// stands for null where the protocol has nothing to return: return nil.
type Request[P, R any] = host.Request[*Session, P, R]

// Notification describes a notification with params P. Handle serves it on a [Server], Send sends
// it to a client.
type Notification[P any] = host.Notification[*Session, P]
