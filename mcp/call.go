package mcp

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"triplex/host"
)

// calls are the requests of a link that the server has not answered. The zero value is empty.
type calls struct {
	mu   sync.Mutex // guards the fields below
	last int64
	open map[int64]*call
}

// call is a request that the server has been given.
type call struct {
	id     int64
	method string
	answer chan outcome // with room for its one answer
}

// outcome is the answer to a call.
type outcome struct {
	result json.RawMessage
	err    error
}

func (t *calls) add(method string) *call {
	c := &call{method: method, answer: make(chan outcome, 1)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		t.open = map[int64]*call{}
	}
	t.last++
	c.id = t.last
	t.open[c.id] = c
	return c
}

// take removes a call and returns it, nil if it is not, or no longer, in the table.
func (t *calls) take(id int64) *call {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.open[id]
	delete(t.open, id)
	return c
}

// serverID returns n as an id of the server's. No link lives to see 2^53 of them.
func serverID(n int64) jsonrpc.ID {
	id, _ := jsonrpc.MakeID(float64(n)) // a number always makes an id
	return id
}

// asked are the requests of the server that the client has not answered: what ends the wait for
// their answers. The zero value is empty.
type asked struct {
	mu      sync.Mutex // guards the fields below
	cancels map[jsonrpc.ID]context.CancelFunc
}

// add enters a request. Its context ends with ctx, when the server cancels it, and with the
// function, which removes it.
func (a *asked) add(ctx context.Context, id jsonrpc.ID) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancels == nil {
		a.cancels = map[jsonrpc.ID]context.CancelFunc{}
	}
	a.cancels[id] = cancel
	return ctx, func() {
		a.mu.Lock()
		delete(a.cancels, id)
		a.mu.Unlock()
		cancel()
	}
}

// cancel ends the wait for the answer to the request that params name.
func (a *asked) cancel(params json.RawMessage) {
	raw, _ := host.Member(params, "requestId")
	var n float64
	if json.Unmarshal(raw, &n) != nil {
		return
	}
	id, _ := jsonrpc.MakeID(n) // a number always makes an id
	a.mu.Lock()
	defer a.mu.Unlock()
	if cancel := a.cancels[id]; cancel != nil {
		cancel()
	}
}
