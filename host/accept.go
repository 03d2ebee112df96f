package host

import (
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
	return s.acceptFrame(frame)
}

// acceptFrame is accept for a frame that has been counted.
func (s *Session) acceptFrame(frame []byte) *incoming {
	if s.isBatch(frame) {
		return s.acceptBatch(frame)
	}
	in := &incoming{s: s}
	err := s.namingDepth(frame, s.envelope.Decode(frame, &in.msg))
	if s.bound.Load() == nil {
		return s.acceptUnbound(frame, in, err)
	}
	s.recordIn(frame, err == nil)
	if err != nil {
		s.counters.damaged.Add(1)
		s.refuse(in, err)
		return nil
	}
	return s.acceptMessage(in)
}

// acceptMessage takes in one message.
func (s *Session) acceptMessage(in *incoming) *incoming {
	m := &in.msg
	if m.Kind == KindResponse {
		s.acceptResponse(in)
		return nil
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
	return s.admitWithin(in, s.limits.QueuedIn)
}

// admitWithin is admit with a limit of its own on the bytes that are queued.
func (s *Session) admitWithin(in *incoming, limit int) *incoming {
	in.size = len(in.msg.Raw) + len(in.msg.Extra) + messageOverhead
	if err := s.register(in); err != nil {
		s.refuse(in, err)
		return nil
	}
	start, fits := s.order.admit(in, limit)
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

// refuse answers a message, which was never registered, with an error and without a handler.
func (s *Session) refuse(in *incoming, err *jsonrpc2.Error) {
	m := &in.msg
	s.respond(in.batch, &Message{
		Kind: KindResponse, ID: m.ID, Method: m.Method, Error: errorJSON(err),
	})
}

// respond sends an answer, with those of the batch if there is one, without waiting for room.
func (s *Session) respond(b *batch, answer *Message) {
	if b != nil {
		s.settle(b, answer)
		return
	}
	s.answerNow(answer)
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
	s.respond(b, answer)
}

// acceptResponse routes an answer to the call it belongs to.
func (s *Session) acceptResponse(in *incoming) {
	c := s.calls.answered(&in.msg)
	switch {
	case c == nil:
		s.counters.strays.Add(1)
		s.log.Debug("dropped an answer nobody waits for", "id", string(in.msg.ID))
	case c.place != nil:
		s.acceptForwarded(in, c)
		return
	default:
		c.answer <- &in.msg
	}
	s.settle(in.batch, nil)
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
	s.refuse(new(incoming), &jsonrpc2.Error{
		Code: jsonrpc2.CodeParseError, Message: err.Error() + limitFlag(err.Reason),
	})
	if err.Skip > 0 {
		s.watchSkip(s.in.Offset() + err.Skip)
	}
}

// namingDepth returns what is wrong with a frame, with the flag that moves the limit of its depth
// if that is what was exceeded.
func (s *Session) namingDepth(frame []byte, err *jsonrpc2.Error) *jsonrpc2.Error {
	if err == nil || !isTooDeep(frame, s.limits.Depth) {
		return err
	}
	named := *err
	named.Message += " (--max-depth)"
	return &named
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
