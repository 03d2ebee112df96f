package lspface

import (
	"context"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"triplex/lsp"
)

const (
	// quiet is how long a document must have been left alone for its next change to be looked at at
	// once. While changes follow one another faster, they are looked at together.
	quiet = 60 * time.Millisecond
	// patience is how long a change waits while others follow it.
	patience = 500 * time.Millisecond
	// settle is how long after a change what costs more, or is seen less, is looked at: lint, and
	// the files that load the changed one.
	settle = 400 * time.Millisecond
)

// A checker finds the problems of a session's documents in the background. One goroutine does so,
// which runs only while something is due. It alone publishes, so what the client hears of a
// document is in order. Lint runs beside it, on one document at a time.
type checker struct {
	session *session
	wake    chan struct{} // holds a value when something may be due sooner

	mu      sync.Mutex // guards the fields below, and all of the documents
	running bool       // the goroutine is there
	linting bool
	docs    map[lsp.Key]*checked
}

// checked is a document that is open, or whose problems are still to be taken back.
type checked struct {
	uri     uri.URI
	due     time.Time // when to look for problems, zero for never
	lintDue time.Time
	changed time.Time // when it was last changed
	waiting time.Time // when the oldest change came that was not looked at, zero if there is none
	edited  bool      // it was changed, which those that load it have not been told
	opened  bool      // it was opened: what its client was told before, that may have dropped

	stopLint context.CancelFunc // nil if lint does not run
	lint     []protocol.Diagnostic
	linted   string // the text that lint belongs to

	loads   map[string]bool // real names of the files it loads
	missing bool            // a file or a name that it loads is missing
	told    *protocol.PublishDiagnosticsParams
}

func newChecker(s *session) *checker {
	return &checker{session: s, wake: make(chan struct{}, 1), docs: make(map[lsp.Key]*checked)}
}

// changed notes that a document was opened, or else edited or closed.
func (c *checker) changed(u uri.URI, opened bool) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.docs[lsp.KeyOf(u)]
	if d == nil {
		d = new(checked)
		c.docs[lsp.KeyOf(u)] = d
	}
	d.uri, d.edited, d.lintDue = u, true, time.Time{}
	d.opened = d.opened || opened
	if d.stopLint != nil {
		d.stopLint()
	}
	if d.waiting.IsZero() {
		d.waiting = now
	}
	d.due = now
	if now.Sub(d.changed) < quiet {
		d.due = sooner(now.Add(quiet), d.waiting.Add(patience))
	}
	d.changed = now
	c.kick()
}

// recheck looks at all documents again, as what they depend on may have changed.
func (c *checker) recheck() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.docs {
		d.due = sooner(d.due, time.Now())
	}
	c.kick()
}

// depend looks again at the documents that load the file of that real name, or might if it is new.
func (c *checker) depend(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.docs {
		if d.loads[name] || d.missing {
			d.due = sooner(d.due, time.Now().Add(settle))
		}
	}
	c.kick()
}

// kick makes the goroutine look for what is due, and starts it if need be. It is called with mu
// held.
func (c *checker) kick() {
	if c.running {
		select {
		case c.wake <- struct{}{}:
		default:
		}
		return
	}
	if d, _ := c.next(); d != nil {
		c.running = c.session.client.Core().Go(c.run)
	}
}

// run does what is due until nothing is.
func (c *checker) run(ctx context.Context) {
	finished := false
	defer func() {
		if !finished { // a panic costs one look at one document
			c.mu.Lock()
			defer c.mu.Unlock()
			c.running = false
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-timer.C:
		}
		wait, more := c.step(ctx)
		if !more {
			finished = true
			return
		}
		timer.Reset(wait)
	}
}

// step does what is due first, if its time has come. It returns how long to wait for the next step;
// more is false if nothing is left to do, and the goroutine no longer counts as running.
func (c *checker) step(ctx context.Context) (wait time.Duration, more bool) {
	c.mu.Lock()
	d, at := c.next()
	if d == nil {
		c.running = false
		c.mu.Unlock()
		return 0, false
	}
	if wait := time.Until(at); wait > 0 {
		c.mu.Unlock()
		return wait, true
	}
	if d.due != at {
		c.startLint(d)
		c.mu.Unlock()
		return 0, true
	}
	edited := d.edited
	d.due, d.waiting, d.edited = time.Time{}, time.Time{}, false
	u := d.uri
	c.mu.Unlock()
	c.look(ctx, u, edited)
	return 0, true
}

// next returns the document that something is due for first, and when, or nil. It is called with
// mu held.
func (c *checker) next() (first *checked, at time.Time) {
	for _, d := range c.docs {
		due := d.due
		if !c.linting {
			due = sooner(due, d.lintDue)
		}
		if !due.IsZero() && (first == nil || due.Before(at)) {
			first, at = d, due
		}
	}
	return first, at
}

// sooner returns the earlier of two times, of which zero means never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
