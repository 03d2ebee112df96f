package host

import "sync"

// order keeps the messages of a session in the order they arrived in: one Ordered message runs
// at a time, and what arrived behind it waits for it. The zero value is ready to use.
//
// Whoever is admitted on the Ordered lane owns the order until it calls next, until next returns
// nil or another Ordered message, to which the order then belongs.
type order struct {
	mu     sync.Mutex // guards the fields below
	owned  bool
	queue  []*incoming
	head   int // index of the first waiting message in queue
	queued int // bytes of the waiting messages
	opened bool
	early  []*incoming // Immediate ones, which wait for the method set to be opened
}

// admit reports whether in may start at once; otherwise it waits. It returns false twice when in
// does not fit into limit bytes, beside others that wait.
func (o *order) admit(in *incoming, limit int) (start, fits bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	immediate := in.lane == Immediate
	switch {
	case immediate && (o.opened || in.control):
		return true, true
	case !immediate && !o.owned:
		o.owned = in.lane == Ordered
		return true, true
	case o.queued > 0 && o.queued+in.size > limit:
		return false, false
	case immediate:
		o.early = append(o.early, in)
	default:
		o.queue = append(o.queue, in)
	}
	o.queued += in.size
	return false, true
}

// open notes that the method set has been opened, and returns what waited for that alone.
func (o *order) open() []*incoming {
	o.mu.Lock()
	defer o.mu.Unlock()
	early := o.early
	o.opened, o.early = true, nil
	for _, in := range early {
		o.queued -= in.size
	}
	return early
}

// next is called by the owner of the order and returns the message that may start next, nil if
// none waits. After a Concurrent message the caller still owns the order.
func (o *order) next() *incoming {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.head == len(o.queue) {
		o.queue, o.head, o.owned = nil, 0, false
		return nil
	}
	in := o.queue[o.head]
	o.queue[o.head] = nil
	o.head++
	o.queued -= in.size
	return in
}
