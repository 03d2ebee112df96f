package host

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// incoming is a request or notification on its way from the reader to its answer. It is the
// context its handler gets as well: a message costs one allocation, and one that never looks at
// its context nothing more.
type incoming struct {
	s   *Session
	msg Message // as it came; later, for a request, the answer
	req jsonrpc2.Request
	key string // the id's key in the table of requests in flight

	lane    Lane
	control bool          // it is for the host itself
	last    bool          // the session ends after it
	batch   *batch        // nil for a message that came alone
	action  func()        // what the session does in this place of the order, instead of a handler
	size    int           // bytes of memory it takes while it waits
	began   time.Duration // when it was read, in the session's time; set for an Observer only

	// state and cancelled are guarded by Session.mu.
	state     progress
	cancelled bool // by the peer

	mu        sync.Mutex // guards the fields below
	holds     bool       // owns the session's order
	replied   bool
	err       error
	done      chan struct{}
	unlink    func() bool // forgets the link to the session's context
	callbacks map[*func()]struct{}
	after     []func()
}

// progress is how far a request has come.
type progress uint8

const (
	waiting   progress = iota
	withdrawn          // its answer is on its way, though it was never handled
	running
	answered
)

// prepare makes what the handler gets of the decoded message.
func (in *incoming) prepare() {
	m := &in.msg
	in.req.Method = m.Method
	in.req.Notif = m.Kind == KindNotification
	if m.Params != nil {
		in.req.Params = &m.Params
	}
	if !in.req.Notif {
		in.key = idKey(m.ID)
		in.req.ID = decodeID(m.ID)
	}
	if in.s.host.Observer != nil {
		in.began = time.Since(in.s.started)
	}
}

// messageOverhead is about what a waiting message costs beside its own bytes.
const messageOverhead = 512

// Deadline implements context.Context. A message has none.
func (in *incoming) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done implements context.Context. The channel is closed when the peer cancels the request, when
// it has been answered, and when the session ends.
func (in *incoming) Done() <-chan struct{} {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.done == nil {
		in.done = make(chan struct{})
		if in.err != nil {
			close(in.done)
		} else {
			in.link()
		}
	}
	return in.done
}

// link makes the end of the session cancel the message. It is called with mu held, and only once
// somebody wants to know.
func (in *incoming) link() {
	if in.unlink == nil {
		in.unlink = context.AfterFunc(in.s.ctx, func() { in.cancel(in.s.ctx.Err()) })
	}
}

// Err implements context.Context.
func (in *incoming) Err() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err == nil {
		return in.s.ctx.Err()
	}
	return in.err
}

type incomingKey struct{}

// Value implements context.Context.
func (in *incoming) Value(key any) any {
	if key == (incomingKey{}) {
		return in
	}
	return in.s.ctx.Value(key)
}

// AfterFunc is what package context looks for in contexts of other makes, to spare them a
// goroutine for each derived context.
func (in *incoming) AfterFunc(f func()) func() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err != nil {
		go f()
		return func() bool { return false }
	}
	in.link()
	if in.callbacks == nil {
		in.callbacks = map[*func()]struct{}{}
	}
	in.callbacks[&f] = struct{}{}
	return func() bool {
		in.mu.Lock()
		defer in.mu.Unlock()
		_, waiting := in.callbacks[&f]
		delete(in.callbacks, &f)
		return waiting
	}
}

// cancel ends the context.
func (in *incoming) cancel(err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.err != nil {
		return
	}
	in.err = err
	if in.unlink != nil {
		in.unlink()
	}
	if in.done != nil {
		close(in.done)
	}
	for f := range in.callbacks {
		go (*f)()
	}
	in.callbacks = nil
}

// incomingFrom returns the message whose handler runs under ctx, nil if there is none.
func incomingFrom(ctx context.Context) *incoming {
	in, _ := ctx.Value(incomingKey{}).(*incoming)
	return in
}

// SessionFrom returns the session of the message that is handled under ctx, nil if there is none.
func SessionFrom(ctx context.Context) *Session {
	if in := incomingFrom(ctx); in != nil {
		return in.s
	}
	return nil
}

// RawID returns the id of the request that is handled under ctx as its peer wrote it, nil for a
// notification. It is exact where [jsonrpc2.ID] cannot be: -1, 1.50, 2^64, "", and escapes.
func RawID(ctx context.Context) json.RawMessage {
	if in := incomingFrom(ctx); in != nil {
		return in.msg.ID
	}
	return nil
}

// AfterReply runs f once the answer to the request that is handled under ctx has been queued, and
// before the next ordered message starts. For a notification that is after its handler returned;
// if the answer is out already, or ctx belongs to no message, f runs at once.
func AfterReply(ctx context.Context, f func()) {
	in := incomingFrom(ctx)
	if in == nil || !in.defers(f) {
		f()
	}
}

// defers keeps f until the answer is queued. It returns false if that has happened.
func (in *incoming) defers(f func()) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if !in.replied {
		in.after = append(in.after, f)
	}
	return !in.replied
}

// reply runs what waited for the answer, in order.
func (in *incoming) reply() {
	in.mu.Lock()
	after := in.after
	in.after, in.replied = nil, true
	in.mu.Unlock()
	for _, f := range after {
		in.s.guard("the work after the reply", f)
	}
}

// Release gives up the place in its session's order that the message handled under ctx holds: the
// messages behind it start now. Calling it again, or without such a place, does nothing.
func Release(ctx context.Context) {
	if in := incomingFrom(ctx); in != nil && in.letGo() {
		in.s.spawnNext()
	}
}

// letGo reports whether the message held the order, and takes it away.
func (in *incoming) letGo() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	held := in.holds
	in.holds = false
	return held
}
