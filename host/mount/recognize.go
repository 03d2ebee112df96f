package mount

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/bits"
	"sync"
	"sync/atomic"
	"time"

	"triplex/framing"
	"triplex/host"
)

// recognizer is the [host.Recorder] of the session with a server. It ends the session with what is
// no server of the protocol, as far as that can be told, for its client would wait for ever. And it
// logs what is skipped because it is no message.
type recognizer struct {
	log  *slog.Logger
	set  *Set
	done atomic.Bool // a message of the server has been looked at

	mu    sync.Mutex // guards the fields below
	sent  []byte     // the first message to the server
	fault error      // what the server turned out to be
	junk  uint       // frames that are no messages
}

// longestEcho is the longest first message that is kept to be compared, in bytes.
const longestEcho = 1 << 20

// Record implements [host.Recorder].
func (r *recognizer) Record(s *host.Session, incoming bool, frame []byte, message bool) {
	switch {
	case incoming && !message:
		r.skipped(frame)
	case r.done.Load():
	case incoming:
		r.first(s, frame)
	default:
		r.keep(s, frame)
	}
}

// keep remembers the first message to the server, and says it if nothing comes of it.
func (r *recognizer) keep(s *host.Session, frame []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sent != nil {
		return
	}
	r.sent = bytes.Clone(frame[:min(len(frame), longestEcho)])
	limit := r.set.Options.startTimeout()
	silence := time.AfterFunc(limit, func() {
		if !r.done.Load() {
			r.log.Warn("the server says nothing: does it speak the protocol, in this framing?",
				"for", limit, "protocol", r.set.protocol.Name, "framing", r.set.framing())
		}
	})
	context.AfterFunc(s.Context(), func() { silence.Stop() })
}

// first looks at the first message of the server. A program that copies its input sends a request
// back as it was, to the byte; no server does that with the one that opens a conversation. (A
// notification may well come back, from one that passes it on to all, and where both sides are the
// same, they may begin with the same words.)
func (r *recognizer) first(s *host.Session, frame []byte) {
	r.done.Store(true)
	r.mu.Lock()
	echo := bytes.Equal(frame, r.sent)
	r.sent = nil
	r.mu.Unlock()
	if !echo || r.set.protocol.Handshake.Open == nil {
		return
	}
	if m, _ := r.decode(frame); m.Kind == host.KindRequest {
		r.blame(fmt.Errorf("%s sends back what it is sent: it is no server that speaks %s",
			r.set.server(), r.set.protocol.Name))
		s.Close()
	}
}

// blame notes what the server turned out to be.
func (r *recognizer) blame(fault error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault = fault
}

// cause returns what the server turned out to be, nil if it may be a server of the protocol.
func (r *recognizer) cause() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fault
}

// junkLogged is how many frames that are no messages are logged one by one.
const junkLogged = 16

// skipped logs a frame that is no message: the first ones in full, then their number, each time it
// has doubled. So a server that prints without end does not fill the log.
func (r *recognizer) skipped(frame []byte) {
	r.mu.Lock()
	r.junk++
	n := r.junk
	r.mu.Unlock()
	switch {
	case n <= junkLogged:
		r.log.Warn("skipped what is no message", "text", excerpt(frame))
	case bits.OnesCount(n) == 1:
		r.log.Warn("skipped more that is no message", "lines", n)
	}
}

// printed looks at lines that come before the first header. It returns an error, which ends the
// session, if one of them is a message.
func (r *recognizer) printed(lines []byte) error {
	for line := range bytes.Lines(lines) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
			continue
		}
		if _, ok := r.decode(line); ok {
			r.blame(fmt.Errorf("%s sends lines, without headers: give it --mount-framing %s=%s",
				r.set.server(), r.set.name, framing.Newline))
		}
	}
	return r.cause()
}

// decode reads a message of the protocol, if frame is one.
func (r *recognizer) decode(frame []byte) (m host.Message, ok bool) {
	envelope := host.Envelope(host.JSONRPC{})
	if r.set.protocol.NewEnvelope != nil {
		envelope = r.set.protocol.NewEnvelope(r.set.Options.Limits)
	}
	fault := envelope.Decode(frame, &m)
	return m, fault == nil
}

// lines is a stream of newline framing. Reading it fails if it begins with a header: its messages
// do not end with their lines, so none of them would be found.
type lines struct {
	stream
	recognizer *recognizer
	head       []byte // how it begins; used by one reader at a time
}

// headLook is how much of the beginning is looked at, in bytes.
const headLook = 32

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	n, err := l.stream.Read(p)
	if missing := headLook - len(l.head); missing > 0 {
		l.head = append(l.head, p[:min(n, missing)]...)
		if at := firstHeader.FindIndex(l.head); at != nil && at[0] == 0 {
			r := l.recognizer
			r.blame(fmt.Errorf("%s sends headers, not lines: give it --mount-framing %s=%s",
				r.set.server(), r.set.name, framing.ContentLength))
			return 0, r.cause()
		}
	}
	return n, err
}
