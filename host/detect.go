package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
)

// settleFraming makes the output follow the framing that was detected on the input.
func (s *Session) settleFraming() {
	if s.framed {
		return
	}
	if f := s.in.Framing(); f != framing.Auto {
		s.framed = true
		s.out.setFraming(f)
	}
}

// bind makes set the session's method set. It returns what opens the set: that is the first in
// the session's order, so every message waits for it.
func (s *Session) bind(set MethodSet) *incoming {
	d := set.Dialect()
	b := &binding{set: set, dialect: d}
	s.log.Debug("session bound", "mount", set.Name())
	s.envelope = d.newEnvelope(s.limits)
	if d.NewLifecycle != nil {
		s.judge = d.NewLifecycle()
	}
	s.out.bind(s.envelope, s.judge)
	s.bound.Store(b)
	open := &incoming{s: s, lane: Ordered, action: func() { s.open(b) }}
	open.req = jsonrpc2.Request{Method: "open", Notif: true}
	open.defers(s.startEarly)
	return s.admit(open)
}

// startEarly starts the Immediate messages that arrived before the method set was opened.
func (s *Session) startEarly() {
	for _, in := range s.order.open() {
		s.spawn(in)
	}
}

func (d *Dialect) newEnvelope(l Limits) Envelope {
	if d.NewEnvelope != nil {
		return d.NewEnvelope(l)
	}
	return JSONRPC{Depth: l.Depth}
}

func isJSONRPC(e Envelope) bool {
	_, ok := e.(JSONRPC)
	return ok
}

// errNotOpened is why a session ends whose method set gave neither a Handler nor a reason.
var errNotOpened = errors.New("the method set did not open")

// open opens the method set, however that ends.
func (s *Session) open(b *binding) {
	err := errNotOpened
	defer func() {
		if p := recover(); p != nil {
			err = s.panicked("open", p)
		}
		s.opened(b, err)
	}()
	if b.plugin, err = b.set.Open(s.ctx, s); err == nil && b.plugin == nil {
		err = errNotOpened
	}
	b.handler = b.plugin
	for _, wrap := range s.host.Middleware {
		b.handler = wrap(b.handler)
	}
}

// opened lets the method set serve the session. If err is why it cannot, requests get that error,
// also those that are still on their way, and the session ends with its input or the drain timeout.
func (s *Session) opened(b *binding, err error) {
	if err != nil {
		err = fmt.Errorf("mount %s: %w", b.set.Name(), err)
		s.log.Error("cannot serve the session", "error", err)
		b.handler = HandlerFunc(func(context.Context, *jsonrpc2.Request) (any, error) {
			return nil, err
		})
		s.blame(err)
		time.AfterFunc(s.limits.DrainTimeout, s.End)
		return
	}
	if !b.stage.CompareAndSwap(stageOpening, stageOpen) {
		s.tellEnd(b.plugin)
	}
}

// acceptUnbound takes in a frame of a session that has not yet shown what it speaks; in and err
// are what it is as JSON-RPC. The mount whose dialect makes the strongest claim to it binds the
// session, the first of equals.
func (s *Session) acceptUnbound(frame []byte, in *incoming, err *jsonrpc2.Error) *incoming {
	m := &in.msg
	if err != nil || !s.host.controls(m) {
		if set := s.host.claimant(m); set != nil {
			return s.bindWith(set, frame)
		}
	}
	s.recordIn(frame, err == nil)
	if err != nil {
		s.refuse(in, err)
		return nil
	}
	return s.acceptUndecided(in)
}

// bindWith binds the session to set, and has it take in the frame that decided that.
func (s *Session) bindWith(set MethodSet, frame []byte) *incoming {
	open := s.bind(set)
	if in := s.acceptFrame(frame); in != nil {
		s.spawn(in)
	}
	return open
}

// claimant returns the mount that a first message is for, nil if it is decisive for none.
func (h *Host) claimant(m *Message) MethodSet {
	var best MethodSet
	strongest := NoClaim
	for _, set := range h.Mounts {
		if claims := set.Dialect().Claims; claims != nil {
			if c := claims(m); c > strongest {
				best, strongest = set, c
			}
		}
	}
	return best
}

// claimantOfBatch returns the mount that a first batch is for: one that takes batches, and that
// one of its elements is decisive for.
func (s *Session) claimantOfBatch(elements []json.RawMessage) MethodSet {
	for _, element := range elements {
		var m Message
		if s.envelope.Decode(element, &m) != nil {
			continue
		}
		if set := s.host.claimant(&m); set != nil {
			if d := set.Dialect(); d.NewLifecycle == nil || d.NewLifecycle().AcceptsBatch() {
				return set
			}
		}
	}
	return nil
}

// acceptUndecided takes in a message that does not bind the session. It is answered as the protocol
// at home on the session's framing would before its handshake.
func (s *Session) acceptUndecided(in *incoming) *incoming {
	m := &in.msg
	if s.host.controls(m) {
		return s.acceptControl(in)
	}
	var v Verdict
	early := s.host.early(s.in.Framing())
	if early != nil && m.Kind != KindResponse {
		v = early.Incoming(m)
	}
	switch {
	case v.End:
		s.judge = early // it knows with what status to exit
		s.settle(in.batch, nil)
		s.end()
	case m.Kind != KindRequest:
		s.settle(in.batch, nil)
	case v.Action == Answer:
		s.answerVerdict(m, in.batch, v)
	default:
		s.refuse(in, &jsonrpc2.Error{
			Code:    jsonrpc2.CodeInvalidRequest,
			Message: "no protocol's handshake has been seen yet: send initialize first",
		})
	}
	return nil
}

// early returns the life cycle, at its start, of the first mounted JSON-RPC dialect with a
// handshake whose usual framing is f; nil if there is none.
func (h *Host) early(f framing.Framing) Lifecycle {
	for _, set := range h.Mounts {
		d := set.Dialect()
		if d.NewLifecycle != nil && d.Framing == f && isJSONRPC(d.newEnvelope(h.Limits)) {
			return d.NewLifecycle()
		}
	}
	return nil
}
