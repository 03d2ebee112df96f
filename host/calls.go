package host

import (
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"
)

// ErrClosed is what a call or notification gets on a session that has ended. The error that says
// why the session ended wraps it.
var ErrClosed = errors.New("session closed")

// calls are the requests that a session has sent and not seen answered. Ids are the integers
// from 1: some clients take an id of 0 for none.
type calls struct {
	timeout time.Duration // of calls that have no deadline of their own

	mu     sync.Mutex // guards the fields below
	last   uint64
	open   map[uint64]*call
	closed error
	// watch runs expire when the call that has been open for longest is late. One timer serves all
	// calls, for to start one wakes the thread that waits for the network, each time.
	watch *time.Timer
}

// call is a request that somebody waits for.
type call struct {
	answer chan *Message   // gets its one answer, or nil if that is late; closed if none can come
	late   time.Time       // zero if the caller sees to that
	origin json.RawMessage // the id, at its own session, of the request it was sent for, if any
	method string          // of that request
	place  *place          // of a forwarded request's answer, else nil
}

func newCall() *call { return &call{answer: make(chan *Message, 1)} }

// add enters a call; timed says whether it is late some time.
func (c *calls) add(added *call, timed bool) (uint64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed != nil {
		return 0, c.closed
	}
	if c.open == nil {
		c.open = map[uint64]*call{}
	}
	c.last++
	c.open[c.last] = added
	if timed {
		added.late = time.Now().Add(c.timeout)
		if c.watch == nil {
			c.watch = time.AfterFunc(c.timeout, c.expire)
		}
	}
	return c.last, nil
}

// expire tells those whose answers are late, and sets the watch for the next.
func (c *calls) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = nil
	now := time.Now()
	var next time.Time
	for id, open := range c.open {
		switch {
		case open.late.IsZero():
		case !open.late.After(now):
			delete(c.open, id)
			open.answer <- nil
		case next.IsZero() || open.late.Before(next):
			next = open.late
		}
	}
	if !next.IsZero() {
		c.watch = time.AfterFunc(next.Sub(now), c.expire)
	}
}

// take removes a call, and returns it if somebody waits for its answer, else nil.
func (c *calls) take(id uint64) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.open[id]
	delete(c.open, id)
	return taken
}

func (c *calls) origin(id uint64) (origin json.RawMessage, method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if open := c.open[id]; open != nil {
		return open.origin, open.method
	}
	return nil, ""
}

// close ends all calls, present and future: err is why. Those that were forwarded go on until
// closeForwarded.
func (c *calls) close(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed == nil {
		c.closed = err
	}
	c.drop(func(open *call) bool { return open.place == nil })
	if c.watch != nil {
		c.watch.Stop()
	}
}

// closeForwarded ends the forwarded calls that close left.
func (c *calls) closeForwarded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(func(open *call) bool { return open.place != nil })
}

// drop ends the calls that are meant. It is called with mu held.
func (c *calls) drop(meant func(*call) bool) {
	for id, open := range c.open {
		if meant(open) {
			delete(c.open, id)
			close(open.answer)
		}
	}
}

func (c *calls) cause() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// answered removes the call that a response belongs to and returns it, nil if there is none.
func (c *calls) answered(m *Message) *call {
	id, err := strconv.ParseUint(string(m.ID), 10, 64)
	if err != nil || m.ID[0] == '0' || m.ID[0] == '+' {
		return nil
	}
	return c.take(id)
}
