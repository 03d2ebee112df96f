package host

import (
	"time"

	"triplex/framing"
)

// Limits bounds what one session may cost. A zero field has the default named beside it.
type Limits struct {
	Frame    int // bytes of one message; 64 MiB
	Header   int // bytes of one header block; 64 KiB
	Depth    int // levels of nested JSON; 10,000, the most that encoding/json decodes
	InFlight int // requests read and not yet answered, and elements of a batch; 10,000
	// QueuedIn bounds the memory of messages that wait for their turn, and that of requests until
	// their answers are queued, in bytes; 64 MiB. A request beyond it is refused, a notification
	// beyond it ends the session.
	QueuedIn int
	// QueuedOut bounds the bytes that wait to be written; 16 MiB. Beyond it handlers wait for
	// room; what the session must say of its own accord ends it at twice this size.
	QueuedOut int
	// WriteTimeout ends the session of a peer that reads nothing for so long; 30 s.
	WriteTimeout time.Duration
	// DrainTimeout is what requests in flight get to finish after the end of input; 5 s. Those that
	// take longer are cancelled, and abandoned a second later. A peer that then reads nothing for so
	// long, and for a second, loses what is left to be written.
	DrainTimeout time.Duration
	// IdleTimeout ends a session without traffic and without work; zero means never.
	IdleTimeout time.Duration
	// CallTimeout bounds calls to the peer whose context has no deadline; 2 min.
	CallTimeout time.Duration
}

// WithDefaults returns l with the default in place of each field that is not positive.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&l.Frame, 64 << 20},
		{&l.Header, 64 << 10},
		{&l.Depth, 10_000},
		{&l.InFlight, 10_000},
		{&l.QueuedIn, 64 << 20},
		{&l.QueuedOut, 16 << 20},
	} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	for _, f := range []struct{ field, value *time.Duration }{
		{&l.WriteTimeout, new(30 * time.Second)},
		{&l.DrainTimeout, new(5 * time.Second)},
		{&l.CallTimeout, new(2 * time.Minute)},
	} {
		if *f.field <= 0 {
			*f.field = *f.value
		}
	}
	return l
}

func (l Limits) framing() framing.Limits {
	return framing.Limits{Frame: l.Frame, Header: l.Header}
}
