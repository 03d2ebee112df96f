package wirelog

// Protocol is what there is to know about a protocol to examine its messages. The zero value is
// plain JSON-RPC 2.0.
type Protocol struct {
	// Classify tells messages apart. Nil means [JSONRPC].
	Classify Classifier

	// SilentCancel says that a request that was cancelled needs no answer.
	SilentCancel bool

	// Rules returns the protocol's own rules, new ones for each connection. Nil means none.
	Rules func() []Rule
}

// Rule watches one connection for one kind of mistake: an order of messages that a life cycle
// forbids, a cancellation that was ignored, progress after the end. It is used by one goroutine.
type Rule interface {
	// Event is called for every message in turn, and returns an error that says what rule the
	// message breaks, or nil.
	Event(Event) error

	// End is called behind the last message, and returns an error that says what should still
	// have come, or nil.
	End() error
}

// Protocols has a Protocol for each name in [Record.Protocol]. One that is not there is plain
// JSON-RPC 2.0.
type Protocols map[string]Protocol

func (p Protocols) classify(r Record) Message {
	if classify := p[r.Protocol].Classify; classify != nil {
		return classify(r.Msg)
	}
	return JSONRPC(r.Msg)
}
