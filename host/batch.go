package host

import "sync"

// batch collects the answers to the requests of one JSON-RPC batch (JSON-RPC 2.0 section 6).
type batch struct {
	held int // bytes of its requests, which its answers may share; guarded by Session.mu

	mu      sync.Mutex // guards the fields below
	open    int        // elements whose fate is not known yet
	answers []*Message
}

// settle notes that one element needs nothing more; m is its answer, nil if it gets none. After
// the last element it returns all answers, once.
func (b *batch) settle(m *Message) (answers []*Message, complete bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if m != nil {
		b.answers = append(b.answers, m)
	}
	b.open--
	return b.answers, b.open == 0
}
