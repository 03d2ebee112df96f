package child

import (
	"errors"
	"io"
	"os"
	"time"

	"triplex/host/internal/pipe"
)

// Conn is a connection to a child: its stdin and stdout, or a TCP connection that was dialled for
// a ${port}. All methods are safe for concurrent use, with one reader and one writer at a time.
type Conn interface {
	io.ReadWriteCloser

	// CloseWrite ends the input of the child; its output can still be read.
	CloseWrite() error

	SetDeadline(t time.Time) error
	SetReadDeadline(t time.Time) error
	SetWriteDeadline(t time.Time) error
}

// pipeConn is a Conn over pipes; *net.TCPConn is one by itself.
type pipeConn struct {
	in  *pipe.Writer // the child's stdin
	out *pipe.Reader // the child's stdout
}

func newPipeConn(in, out *os.File) pipeConn {
	return pipeConn{&pipe.Writer{File: in}, &pipe.Reader{File: out}}
}

func (c pipeConn) Read(p []byte) (int, error)         { return c.out.Read(p) }
func (c pipeConn) Write(p []byte) (int, error)        { return c.in.Write(p) }
func (c pipeConn) CloseWrite() error                  { return c.in.Close() }
func (c pipeConn) SetReadDeadline(t time.Time) error  { return c.out.SetReadDeadline(t) }
func (c pipeConn) SetWriteDeadline(t time.Time) error { return c.in.SetWriteDeadline(t) }

// Close closes both directions; one that was closed before is no error.
func (c pipeConn) Close() error {
	inErr := c.in.Close()
	if errors.Is(inErr, os.ErrClosed) {
		inErr = nil
	}
	return errors.Join(inErr, c.out.Close())
}

func (c pipeConn) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}
