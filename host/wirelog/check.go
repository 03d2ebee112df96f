package wirelog

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Finding is a rule that a log breaks, for people.
type Finding struct {
	Line    int // where, from 1
	Session string
	Peer    string
	Text    string // what
}

// String returns the finding in one line.
func (f Finding) String() string {
	where := fmt.Sprintf("line %d", f.Line)
	if who := strings.TrimSpace(f.Session + " " + f.Peer); who != "" {
		where += " (" + clean(who) + ")"
	}
	return where + ": " + clean(f.Text)
}

// Checker finds broken rules in events: those of any protocol with requests and answers (each is
// answered once, an answer has its request, an id is not used twice at a time, a frame holds a
// message), and each protocol's own. It is for one goroutine.
type Checker struct {
	tracker *Tracker
	peers   map[connection]*peerRules
}

type connection struct{ session, peer, protocol string }

// peerRules are a protocol's own rules at work on one connection.
type peerRules struct {
	rules []Rule
	last  Record // without its message
}

// NewChecker returns a Checker of the events of tracker.
func NewChecker(tracker *Tracker) *Checker {
	return &Checker{tracker: tracker, peers: make(map[connection]*peerRules)}
}

// Event takes the next event of the tracker and returns the rules that it breaks.
func (c *Checker) Event(ev Event) []Finding {
	var found []Finding
	if text := c.general(ev); text != "" {
		found = append(found, finding(ev.Record, text))
	}
	if ev.Dropped > 0 {
		clear(c.peers) // their rules would miss what was dropped
	}
	if ev.Msg == nil {
		return found
	}
	peer := c.peer(ev.Record)
	for _, rule := range peer.rules {
		if err := rule.Event(ev); err != nil {
			found = append(found, finding(ev.Record, err.Error()))
		}
	}
	return found
}

// general checks the rules of any protocol.
func (c *Checker) general(ev Event) string {
	switch {
	case ev.Dropped > 0:
		return fmt.Sprintf("messages missing from the log: %d", ev.Dropped)
	case ev.Raw != nil:
		return fmt.Sprintf("a frame of %d bytes that is not a message", ev.Size)
	case ev.Continues:
		return ""
	case ev.Kind == Other:
		return "neither a request nor a notification nor an answer"
	case ev.Duplicate:
		return fmt.Sprintf("request %s %s uses an id that is in flight", ev.ID, ev.Method)
	case ev.Kind == Answer && ev.Request == nil && !c.excused(ev):
		return fmt.Sprintf("answer to %s, which no request in flight has as its id", ev.ID)
	}
	return ""
}

// excused tells whether an answer may be without a request: it is an error about a message whose
// id could not be read, or the request may have been among what the log misses.
func (c *Checker) excused(ev Event) bool {
	return c.tracker.Gaps() || ev.ID == "null" && ev.Err != ""
}

// peer returns the rules at work on the connection of r.
func (c *Checker) peer(r Record) *peerRules {
	key := connection{r.Session, r.Peer, r.Protocol}
	peer := c.peers[key]
	if peer == nil {
		peer = &peerRules{}
		if rules := c.tracker.protocols[r.Protocol].Rules; rules != nil {
			peer.rules = rules()
		}
		c.peers[key] = peer
	}
	r.Msg = nil
	peer.last = r
	return peer
}

// End returns the rules that are broken by what had not come when the log ended, by line.
func (c *Checker) End() []Finding {
	var found []Finding
	for _, call := range c.tracker.Open() {
		if call.Cancelled && c.tracker.protocols[call.Protocol].SilentCancel {
			continue
		}
		text := fmt.Sprintf("request %s %s was never answered", call.ID, call.Method)
		found = append(found, finding(call.Record, text))
	}
	for _, peer := range c.peers {
		for _, rule := range peer.rules {
			if err := rule.End(); err != nil {
				found = append(found, finding(peer.last, err.Error()))
			}
		}
	}
	slices.SortFunc(found, func(a, b Finding) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.String(), b.String())
	})
	return found
}

func finding(r Record, text string) Finding {
	return Finding{Line: r.Line, Session: r.Session, Peer: r.Peer, Text: text}
}

// Check reads a log to its end and returns the rules that it breaks; lines that are not records
// are among them. The error is one of reading.
func Check(r *Reader, protocols Protocols) ([]Finding, error) {
	tracker := NewTracker(protocols)
	checker := NewChecker(tracker)
	var found []Finding
	for {
		record, err := r.Next()
		var lineErr *LineError
		switch {
		case errors.As(err, &lineErr):
			found = append(found, Finding{Line: lineErr.Line, Text: lineErr.Err.Error()})
			continue
		case err == io.EOF:
			return append(found, checker.End()...), nil
		case err != nil:
			return found, err
		}
		for _, ev := range tracker.Add(record) {
			found = append(found, checker.Event(ev)...)
		}
	}
}
