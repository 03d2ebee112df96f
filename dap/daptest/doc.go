// Package daptest is a debug client for the tests of debug adapters: what triplex/host/hosttest has
// for all protocols, with the messages of this one.
//
//	h := &host.Host{Mounts: []host.MethodSet{server}}
//	c := daptest.NewClient(t, hosttest.Start(t, h, framing.ContentLength), nil)
//	seq := c.Request("initialize", `{"adapterID":"x"}`)
//	m := c.Next() // the response to seq
//
// The client numbers its requests, and checks of each message that it gets that the adapter numbers
// its own without a gap. With a [Schema] it also checks that they are what the protocol says.
package daptest
