package wirelog

import (
	"cmp"
	"slices"
	"time"
)

// Event is a message of a log in its context. For a batch there is one for each element.
type Event struct {
	Record  // with Msg being the element, for a batch
	Message // Other for a record that is not a message

	Size      int           // of the message or the raw frame, in bytes
	Request   *Call         // what an answer answers; nil when there is no such request
	Latency   time.Duration // from that request to this answer
	Duplicate bool          // a request whose id was already in use by one in flight
	Partial   bool          // messages are missing from the log before this one
}

// Call is a request that was or is in flight.
type Call struct {
	Record    // of the request, without its message
	ID        string
	Method    string
	Cancelled bool // its sender has cancelled it
}

// Tracker follows the requests of a log: feed it every record, in order, and get events. It is
// for one goroutine.
type Tracker struct {
	protocols Protocols
	calls     map[callKey][]*Call // in flight; more than one where an id was used twice
	begun     bool                // a record was seen
	gaps      bool                // messages are missing before this point
}

// callKey identifies a request in flight: ids belong to the side that sends them.
type callKey struct {
	session, peer string
	dir           Dir
	id            string
}

// NewTracker returns a Tracker that tells messages apart by protocols, which may be nil.
func NewTracker(protocols Protocols) *Tracker {
	return &Tracker{protocols: protocols, calls: make(map[callKey][]*Call)}
}

// Add takes the next record and returns the events in it.
func (t *Tracker) Add(r Record) []Event {
	if r.Dropped > 0 {
		// What was in flight may have been answered in the gap.
		clear(t.calls)
	}
	t.gaps = t.gaps || r.Dropped > 0 || r.Continues && !t.begun
	t.begun = true
	if r.Msg == nil {
		return []Event{{Record: r, Size: len(r.Raw)}}
	}
	var events []Event
	for _, msg := range elements(r.Msg) {
		r.Msg = msg
		events = append(events, t.event(r))
	}
	return events
}

// Open returns the requests in flight, in the order of the log.
func (t *Tracker) Open() []*Call {
	var open []*Call
	for _, calls := range t.calls {
		open = append(open, calls...)
	}
	slices.SortFunc(open, func(a, b *Call) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
	})
	return open
}

// Gaps tells whether messages are missing from the log before this point, so that an answer may
// be without a request through no fault of its sender.
func (t *Tracker) Gaps() bool { return t.gaps }

func (t *Tracker) event(r Record) Event {
	ev := Event{Record: r, Message: t.protocols.classify(r), Size: len(r.Msg), Partial: t.gaps}
	key := callKey{r.Session, r.Peer, r.Dir, ev.ID}
	switch ev.Kind {
	case Request:
		ev.Duplicate = len(t.calls[key]) > 0
		t.begin(key, ev)
	case Answer:
		key.dir = r.Dir.opposite()
		ev.Request = t.finish(key)
	}
	if ev.Request != nil {
		ev.Latency = r.Time.Sub(ev.Request.Time)
		ev.Method = cmp.Or(ev.Method, ev.Request.Method)
	}
	if ev.Cancels != "" {
		for _, call := range t.calls[callKey{r.Session, r.Peer, r.Dir, ev.Cancels}] {
			call.Cancelled = true
		}
	}
	return ev
}

// begin puts a request in flight. Its message is not kept: a log is larger than memory.
func (t *Tracker) begin(key callKey, ev Event) {
	call := &Call{Record: ev.Record, ID: ev.ID, Method: ev.Method}
	call.Msg = nil
	t.calls[key] = append(t.calls[key], call)
}

// finish takes the oldest request with a key out of flight, or returns nil.
func (t *Tracker) finish(key callKey) *Call {
	calls := t.calls[key]
	switch len(calls) {
	case 0:
		return nil
	case 1:
		delete(t.calls, key)
	default:
		t.calls[key] = calls[1:]
	}
	return calls[0]
}

func (d Dir) opposite() Dir {
	if d == In {
		return Out
	}
	return In
}
