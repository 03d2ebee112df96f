package hosttest

import (
	"net"
	"time"
)

// stream is one end of an in-memory connection whose directions end separately. Writes wait for
// the other end to read, as on a connection without buffers.
type stream struct {
	in, out net.Conn
}

// Streams returns the two ends of an in-memory connection. They have what a socket has: deadlines,
// and CloseWrite. They may be used inside a testing/synctest bubble.
func Streams() (a, b *stream) {
	fromA, toB := net.Pipe()
	fromB, toA := net.Pipe()
	return &stream{in: toA, out: fromA}, &stream{in: toB, out: fromB}
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) { return s.in.Read(p) }

// Write implements io.Writer.
func (s *stream) Write(p []byte) (int, error) { return s.out.Write(p) }

// CloseWrite ends what the other end can read.
func (s *stream) CloseWrite() error { return s.out.Close() }

// Close ends both directions.
func (s *stream) Close() error {
	s.in.Close()
	return s.out.Close()
}

// SetReadDeadline is that of net.Conn.
func (s *stream) SetReadDeadline(t time.Time) error { return s.in.SetReadDeadline(t) }

// SetWriteDeadline is that of net.Conn.
func (s *stream) SetWriteDeadline(t time.Time) error { return s.out.SetWriteDeadline(t) }
