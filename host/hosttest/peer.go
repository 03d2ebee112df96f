// Package hosttest is the test kit of plug-in authors: it connects a host to a scripted peer, or
// to another host, in memory or over any stream, and runs transcripts.
//
// A test of a method set starts a session and plays its peer by hand:
//
//	p := hosttest.Start(t, &host.Host{Mounts: []host.MethodSet{set}}, framing.ContentLength)
//	p.Send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":["hi"]}`)
//	p.Expect(`{"jsonrpc":"2.0","id":1,"result":["hi"]}`)
package hosttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"triplex/framing"
	"triplex/host"
)

// patience is how long a peer waits for what it expects.
const patience = time.Minute

// Peer is a scripted peer: it says and hears exactly what the test wants. Its methods fail the
// test on anything unexpected. One goroutine may send while another receives.
type Peer struct {
	// Session is the session at the other end, nil if that is not in this process.
	Session *host.Session

	t       testing.TB
	conn    io.ReadWriteCloser
	in      *framing.Reader
	framing framing.Framing
}

// Start starts a session of h in memory and returns its peer, which speaks framing f. At the end
// of the test the session is closed, and has to be gone.
func Start(t testing.TB, h *host.Host, f framing.Framing) *Peer {
	t.Helper()
	near, far := Streams()
	s, err := h.Attach(far, host.PeerInfo{Network: "pipe"})
	if err != nil {
		t.Fatalf("attach: %v", err)
	}
	p := NewPeer(t, near, f)
	p.Session = s
	t.Cleanup(func() {
		near.Close()
		s.Close()
		<-s.Done()
	})
	return p
}

// NewPeer returns a peer that speaks framing f on conn.
func NewPeer(t testing.TB, conn io.ReadWriteCloser, f framing.Framing) *Peer {
	return &Peer{t: t, conn: conn, framing: f, in: framing.NewReader(conn, f, framing.Limits{})}
}

// Pair connects a session of server with one of client in memory.
func Pair(t testing.TB, server, client *host.Host) (atServer, atClient *host.Session) {
	t.Helper()
	near, far := Streams()
	atServer, err := server.Attach(far, host.PeerInfo{Network: "pipe"})
	if err != nil {
		t.Fatalf("attach the server: %v", err)
	}
	atClient, err = client.Attach(near, host.PeerInfo{Network: "pipe"})
	if err != nil {
		t.Fatalf("attach the client: %v", err)
	}
	t.Cleanup(func() {
		atClient.Close()
		atServer.Close()
		<-atClient.Done()
		<-atServer.Done()
	})
	return atServer, atClient
}

// Send sends messages, each in a frame of its own, in one write.
func (p *Peer) Send(messages ...string) {
	p.t.Helper()
	var frames []byte
	for _, m := range messages {
		frames = p.framing.Append(frames, []byte(m))
	}
	p.SendRaw(string(frames))
}

// Sendf sends one message, formatted as by fmt.Sprintf.
func (p *Peer) Sendf(format string, args ...any) {
	p.t.Helper()
	p.Send(fmt.Sprintf(format, args...))
}

// SendRaw sends bytes as they are.
func (p *Peer) SendRaw(bytes string) {
	p.t.Helper()
	if _, err := io.WriteString(p.conn, bytes); err != nil {
		p.t.Fatalf("send: %v", err)
	}
}

// Receive returns the next message.
func (p *Peer) Receive() json.RawMessage {
	p.t.Helper()
	m, err := p.next()
	if err != nil {
		p.t.Fatalf("receive: %v", err)
	}
	return m
}

func (p *Peer) next() ([]byte, error) {
	if d, ok := p.conn.(interface{ SetReadDeadline(time.Time) error }); ok {
		d.SetReadDeadline(time.Now().Add(patience))
	}
	return p.in.Next()
}

// Expect receives one message for each of want, in any order if there are several. Messages are
// compared as JSON, numbers by their spelling; the string "$any" stands for any value.
func (p *Peer) Expect(want ...string) {
	p.t.Helper()
	open := make([]any, len(want))
	for i, w := range want {
		open[i] = p.decode([]byte(w))
	}
	for range want {
		raw := p.Receive()
		if open = without(open, p.decode(raw)); open == nil {
			p.t.Fatalf("received %s\nexpected one of %s", raw, strings.Join(want, "\n"))
		}
	}
}

// ExpectBatch receives one JSON-RPC batch with the elements of want, in any order.
func (p *Peer) ExpectBatch(want string) {
	p.t.Helper()
	open, _ := p.decode([]byte(want)).([]any)
	raw := p.Receive()
	got, ok := p.decode(raw).([]any)
	ok = ok && len(got) == len(open)
	for i := 0; ok && i < len(got); i++ {
		open = without(open, got[i])
		ok = open != nil
	}
	if !ok {
		p.t.Fatalf("received %s\nexpected %s", raw, want)
	}
}

// without returns all but the first of values that matches got, nil if none does.
func without(values []any, got any) []any {
	for i := range values {
		if matches(values[i], got) {
			return slices.Delete(values, i, i+1)
		}
	}
	return nil
}

func matches(want, got any) bool {
	switch w := want.(type) {
	case string:
		return w == "$any" || want == got
	case map[string]any:
		g, ok := got.(map[string]any)
		return ok && maps.EqualFunc(w, g, matches)
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, matches)
	}
	return want == got
}

func (p *Peer) decode(raw []byte) any {
	p.t.Helper()
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		p.t.Fatalf("not JSON: %v\n%s", err, raw)
	}
	return v
}

// CloseWrite ends the peer's side of the conversation; what the session says can still be read.
func (p *Peer) CloseWrite() {
	p.t.Helper()
	half, ok := p.conn.(interface{ CloseWrite() error })
	if !ok {
		p.t.Fatalf("%T cannot be closed for writing", p.conn)
	}
	if err := half.CloseWrite(); err != nil {
		p.t.Fatalf("close for writing: %v", err)
	}
}

// Close ends the conversation.
func (p *Peer) Close() { p.conn.Close() }

// ExpectEnd waits for the end of what the session says. Nothing may come before it.
func (p *Peer) ExpectEnd() {
	p.t.Helper()
	m, err := p.next()
	if !errors.Is(err, io.EOF) {
		p.t.Fatalf("expected the end, got %q, %v", m, err)
	}
}
