package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/wirelog"
)

// bridge passes frames between a client and a host. It looks at messages, but changes none: only
// the framing may differ between the two sides.
type bridge struct {
	client, host halfCloser
	framing      framing.Framing // of the client; Auto for the one it shows
	hostFraming  framing.Framing // of the host; Auto for that of the client
	limits       framing.Limits
	peer         string // the address of the host, for people
	name         string // of the session, in a recording
	talk         *conversation
	record       *wirelog.Writer // nil if nothing is recorded
	log          *slog.Logger

	spoken atomic.Uint32 // the client's framing, once that is known
	ended  atomic.Bool   // the client has ended its side

	mu sync.Mutex // held for one write to the client
}

// halfCloser is a stream whose sides end separately.
type halfCloser interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// run passes frames on until the host has ended its side. That is an error, unless the client has
// ended its own, or the protocol the conversation: the kernel closes the connection of a host that
// was killed just as the host itself does.
func (b *bridge) run() error {
	b.spoken.Store(uint32(b.framing))
	up := make(chan error, 1)
	go func() { up <- b.up() }() // ends with the client's side, or when that is closed
	heard, err := b.down()
	over := b.talk.isOver() || b.ended.Load() && err == io.EOF
	b.host.Close()
	b.client.Close()
	upErr := <-up
	switch {
	case err == nil || upErr != nil || over:
		return upErr
	case err != io.EOF:
		return fmt.Errorf("the connection to %s broke: %w", b.peer, err)
	case heard:
		return fmt.Errorf("%s closed the connection in the middle of the session: the host has "+
			"ended, or the session there; its log says which", b.peer)
	}
	return fmt.Errorf("%s closed the connection without a word", b.peer)
}

// up passes on what the client says, and then that it has ended. It returns an error if the client
// sent something after which no message could be found.
func (b *bridge) up() error {
	in := framing.NewReader(b.client, b.framing, b.limits)
	defer b.host.CloseWrite()
	for {
		frame, err := in.Next()
		b.spoken.Store(uint32(in.Framing()))
		var damage *framing.Error
		switch {
		case err == nil:
			if err := b.toHost(frame); err != nil {
				return nil // down says why
			}
		case errors.As(err, &damage):
			b.complain(damage)
			if damage.Fatal {
				return damage
			}
		default:
			b.ended.Store(errors.Is(err, io.EOF))
			return nil
		}
	}
}

func (b *bridge) toHost(frame []byte) error {
	b.note(true, frame)
	f := b.hostFraming
	if f == framing.Auto {
		f = framing.Framing(b.spoken.Load())
	}
	_, err := b.host.Write(f.Append(nil, frame))
	return err
}

// down passes on what the host says until it has ended, which is io.EOF, or the client does not
// listen any more. It reports whether there was anything.
func (b *bridge) down() (heard bool, err error) {
	in := framing.NewReader(b.host, framing.Auto, b.limits)
	for {
		frame, err := in.Next()
		if err != nil {
			return heard, err
		}
		heard = true
		b.note(false, frame)
		if err := b.toClient(frame); err != nil {
			b.log.Info("the client does not listen any more", "error", err)
			return heard, nil
		}
	}
}

func (b *bridge) toClient(frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, err := b.client.Write(framing.Framing(b.spoken.Load()).Append(nil, frame))
	return err
}

// complain tells the client of input that is no frame, as the host would.
func (b *bridge) complain(damage *framing.Error) {
	b.log.Warn("damaged input", "error", damage)
	text, _ := json.Marshal(damage.Error()) // a string is always marshaled
	b.toClient(host.JSONRPC{}.Append(nil, &host.Message{
		Kind:  host.KindResponse,
		Error: fmt.Appendf(nil, `{"code":%d,"message":%s}`, jsonrpc2.CodeParseError, text),
	}))
}

// note shows a frame to those who watch.
func (b *bridge) note(client bool, frame []byte) {
	b.talk.said(client, frame)
	if b.record == nil {
		return
	}
	dir := wirelog.Out
	if client {
		dir = wirelog.In
	}
	b.record.Record(wirelog.Record{
		Session: b.name, Peer: b.peer, Protocol: b.talk.protocol(), Dir: dir, Msg: frame,
	})
}
