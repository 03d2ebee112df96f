package host

import (
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
)

// accept takes in one frame, on the goroutine that read it, and returns the message that is to be
// handled now. Nil means that nothing is left to do here: it was an answer to a call of ours, or
// was refused, or has to wait for its turn.
func (s *Session) accept(frame []byte) *incoming {
	s.counters.frames.Add(1)
	s.settleFraming()
	if s.isBatch(frame) {
		return s.acceptBatch(frame)
	}
	in := &incoming{s: s}
	err := s.envelope.Decode(frame, &in.msg)
	if s.bound.Load() == nil {
		return s.acceptUnbound(frame, in, err)
	}
	s.recordIn(frame, err == nil)
	if err != nil {
		s.counters.damaged.Add(1)
		s.refuse(&in.msg, err)
		return nil
	}
	return s.acceptMessage(in)
}

// acceptMessage takes in one message.
func (s *Session) acceptMessage(in *incoming) *incoming {
	m := &in.msg
	if m.Kind == KindResponse {
		return s.acceptResponse(in)
	}
	if s.host.controls(m) {
		return s.acceptControl(in)
	}
	var v Verdict
	if s.judge != nil {
		v = s.judge.Incoming(m)
	}
	if v.Cancel != nil {
		s.cancelRequest(v.Cancel)
	}
	in.prepare()
	in.lane = s.lane(m)
	switch {
	case v.End:
		in.lane, in.last = Ordered, true
	case v.Action == Drop:
		s.settle(in.batch, nil)
		return nil
	case v.Action == Answer:
		s.answerVerdict(m, in.batch, v)
		return nil
	}
	return s.admit(in)
}

// controls reports whether the host itself answers m.
func (h *Host) controls(m *Message) bool {
	return h.Control != nil && m.Kind != KindResponse && h.Control.Has(m.Method)
}

// acceptControl takes in a message for the host itself.
func (s *Session) acceptControl(in *incoming) *incoming {
	in.prepare()
	in.lane, in.control = Immediate, true
	return s.admit(in)
}

// admit registers a message and queues it. It returns the message if it may start now.
func (s *Session) admit(in *incoming) *incoming {
	in.size = len(in.msg.Raw) + messageOverhead
	if err := s.register(in); err != nil {
		s.reject(in, err)
		return nil
	}
	start, fits := s.order.admit(in, s.limits.QueuedIn)
	switch {
	case start:
		in.holds = in.lane == Ordered
		return in
	case fits:
		return nil
	}
	s.overflow(in)
	return nil
}

// overflow deals with a message for which the queue has no room.
func (s *Session) overflow(in *incoming) {
	text := fmt.Sprintf("more than %d bytes wait to be handled (--max-queued-in)", s.limits.QueuedIn)
	s.withdraw(in, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: text})
	if in.req.Notif {
		s.fail(fmt.Errorf("input queue is full: %s", text))
	}
}

// register enters a message in the table of what is in flight.
func (s *Session) register(in *incoming) *jsonrpc2.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !in.req.Notif {
		if s.inFlight[in.key] != nil {
			return &jsonrpc2.Error{
				Code:    jsonrpc2.CodeInvalidRequest,
				Message: fmt.Sprintf("id %.80s is in use by a request not yet answered", in.msg.ID),
			}
		}
		if full := s.full(in); full != "" {
			return &jsonrpc2.Error{
				Code: jsonrpc2.CodeInternalError, Message: full + ": try again later",
			}
		}
		s.hold(in)
	}
	s.active++
	return nil
}

// full says why there is no room for one more request, if there is none. What an answer takes that
// waits for room in the output queue counts as its request did: its peer may never read it. It is
// called with mu held.
func (s *Session) full(in *incoming) string {
	requests := len(s.inFlight) + int(s.out.waiters.Load())
	held := s.held + int(s.out.waiting.Load())
	switch {
	case requests >= s.limits.InFlight:
		return fmt.Sprintf("%d requests are in flight (--max-in-flight)", s.limits.InFlight)
	case held > 0 && held+in.size > s.limits.QueuedIn:
		return fmt.Sprintf("the requests in flight take %d bytes, and there is room for %d "+
			"(--max-queued-in)", held, s.limits.QueuedIn)
	}
	return ""
}

// hold enters a request in the table. It is called with mu held.
func (s *Session) hold(in *incoming) {
	if s.inFlight == nil {
		s.inFlight = map[string]*incoming{}
	}
	s.inFlight[in.key] = in
	s.requests++
	s.held += in.size
	if in.batch != nil {
		in.batch.held += in.size
	}
}

// reject answers a request that was never registered.
func (s *Session) reject(in *incoming, err *jsonrpc2.Error) {
	m := &Message{
		Kind: KindResponse, ID: in.msg.ID, Method: in.req.Method, Error: errorJSON(err),
	}
	if in.batch != nil {
		s.settle(in.batch, m)
		return
	}
	s.answerNow(m)
}

// answerVerdict gives the answer that the life cycle has for a request.
func (s *Session) answerVerdict(m *Message, b *batch, v Verdict) {
	if m.Kind == KindNotification {
		s.settle(b, nil)
		return
	}
	answer := &Message{Kind: KindResponse, ID: m.ID, Method: m.Method, Result: v.Result}
	if v.Err != nil {
		answer.Error = errorJSON(v.Err)
	}
	if b != nil {
		s.settle(b, answer)
		return
	}
	s.answerNow(answer)
}

// acceptResponse routes an answer to the call it belongs to.
func (s *Session) acceptResponse(in *incoming) *incoming {
	c := s.calls.answered(&in.msg)
	switch {
	case c == nil:
		s.counters.strays.Add(1)
		s.log.Debug("dropped an answer nobody waits for", "id", string(in.msg.ID))
	case c.settled != nil:
		return s.acceptForwarded(in, c)
	default:
		c.answer <- &in.msg
	}
	s.settle(in.batch, nil)
	return nil
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
	s.recordIn(frame, true)
	elements, err := splitBatch(frame, s.limits.Depth, s.limits.InFlight)
	if err == nil && s.judge != nil && !s.judge.AcceptsBatch() {
		err = &jsonrpc2.Error{
			Code: jsonrpc2.CodeInvalidRequest, Message: "batches are not part of this protocol",
		}
	}
	if err != nil {
		s.refuse(new(Message), err)
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
	if err := s.envelope.Decode(element, &in.msg); err != nil {
		s.settle(b, &Message{Kind: KindResponse, ID: in.msg.ID, Error: errorJSON(err)})
		return nil
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

// lane returns the lane of a message.
func (s *Session) lane(m *Message) Lane {
	if lane := s.dialect().Lane; lane != nil {
		return lane(m)
	}
	if m.Kind == KindNotification {
		return Ordered
	}
	return Concurrent
}

// damaged answers what the framing could not read, as far as that is possible.
func (s *Session) damaged(err *framing.Error) {
	s.settleFraming()
	s.log.Warn("damaged input", "error", err, "fatal", err.Fatal)
	s.refuse(new(Message), &jsonrpc2.Error{
		Code: jsonrpc2.CodeParseError, Message: err.Error() + limitFlag(err.Reason),
	})
	if err.Skip > 0 {
		s.watchSkip(s.in.Offset() + err.Skip)
	}
}

// limitFlag names the flag that moves the limit which was exceeded, if it was one.
func limitFlag(r framing.Reason) string {
	switch r {
	case framing.FrameTooLong:
		return " (--max-frame)"
	case framing.HeaderTooLong:
		return " (--max-header)"
	}
	return ""
}
