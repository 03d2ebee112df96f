package host

import (
	"encoding/json"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

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

func (s *Session) isBatch(frame []byte) bool {
	for _, c := range frame {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c == '[' && isJSONRPC(s.envelope)
		}
	}
	return false
}

// acceptBatch takes in the elements of a batch one by one.
func (s *Session) acceptBatch(frame []byte) *incoming {
	elements, err := SplitBatch(frame, s.limits.Depth, s.limits.InFlight)
	if err = s.namingDepth(frame, err); err != nil && elements != nil { // there are too many
		err.Message += " (--max-in-flight)"
	}
	judge := s.judge
	if s.bound.Load() == nil {
		if set := s.claimantOfBatch(elements); set != nil {
			return s.bindWith(set, frame)
		}
		judge = s.host.early(s.in.Framing())
	}
	s.recordIn(frame, true)
	if err == nil && judge != nil && !judge.AcceptsBatch() {
		err = &jsonrpc2.Error{
			Code: jsonrpc2.CodeInvalidRequest, Message: "batches are not part of this protocol",
		}
	}
	if err != nil {
		s.refuse(new(incoming), err)
		return nil
	}
	b := &batch{open: len(elements) + 1}
	var first *incoming
	for _, element := range elements {
		in := s.acceptElement(element, b)
		if first == nil {
			first = in
		} else if in != nil {
			s.spawn(in)
		}
	}
	s.settle(b, nil)
	return first
}

func (s *Session) acceptElement(element json.RawMessage, b *batch) *incoming {
	in := &incoming{s: s, batch: b}
	err := s.envelope.Decode(element, &in.msg)
	switch {
	case err != nil:
		s.refuse(in, err)
		return nil
	case s.bound.Load() == nil:
		return s.acceptUndecided(in)
	}
	return s.acceptMessage(in)
}

// settle counts one element of a batch as done, and sends the batch's answers after the last.
// Without a batch it does nothing.
func (s *Session) settle(b *batch, answer *Message) {
	if b == nil {
		return
	}
	answers, complete := b.settle(answer)
	if !complete {
		return
	}
	s.mu.Lock()
	s.held -= b.held
	s.mu.Unlock()
	if len(answers) > 0 {
		s.afterQueuing(s.out.sendBatch(answers))
	}
}
