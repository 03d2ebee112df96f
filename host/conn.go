package host

import (
	"errors"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// conn is a session's stream, with the deadlines that the stream supports.
type conn struct {
	io.ReadWriteCloser
	read atomic.Int64 // bytes

	// late is set when the stream was closed because a write took too long.
	late atomic.Bool

	// set is when the write deadline was last set. Only the one writer uses it.
	set time.Time
}

// Read implements io.Reader.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	c.read.Add(int64(n))
	if err != nil && c.late.Load() {
		err = errSlowPeer
	}
	return n, err
}

// write writes p within about timeout; a peer that reads nothing for so long gets [errSlowPeer].
func (c *conn) write(p []byte, timeout time.Duration) (int, error) {
	d, ok := c.ReadWriteCloser.(interface{ SetWriteDeadline(time.Time) error })
	if !ok || c.extend(d.SetWriteDeadline, timeout) != nil {
		return c.writeWatched(p, timeout)
	}
	n, err := c.Write(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errSlowPeer
	}
	return n, err
}

// extend moves the write deadline on, though not for each write: that would cost a timer's
// change each. The deadline is between three quarters of timeout and timeout away.
func (c *conn) extend(set func(time.Time) error, timeout time.Duration) error {
	now := time.Now()
	if now.Sub(c.set) < timeout/4 {
		return nil
	}
	if err := set(now.Add(timeout)); err != nil {
		return err
	}
	c.set = now
	return nil
}

// writeWatched is for streams without deadlines: they are closed when the time is over.
func (c *conn) writeWatched(p []byte, timeout time.Duration) (int, error) {
	watch := time.AfterFunc(timeout, func() {
		c.late.Store(true)
		c.Close()
	})
	defer watch.Stop()
	n, err := c.Write(p)
	if err != nil && c.late.Load() {
		err = errSlowPeer
	}
	return n, err
}

// interrupt makes a blocked Read return, if the stream can.
func (c *conn) interrupt() bool {
	d, ok := c.ReadWriteCloser.(interface{ SetReadDeadline(time.Time) error })
	return ok && d.SetReadDeadline(time.Unix(1, 0)) == nil
}

// Bounds of lingering, see [conn.linger].
const (
	lingerTime  = time.Second
	lingerBytes = 16 << 20
)

// linger closes the stream so that the peer gets what was last written to it. A socket that is
// closed with input unread is reset, and the reset destroys output on its way; so the output is
// ended first, and the input read until the peer has ended it too.
func (c *conn) linger() {
	half, ok := c.ReadWriteCloser.(interface {
		CloseWrite() error
		SetReadDeadline(time.Time) error
	})
	if ok && half.CloseWrite() == nil && half.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
		io.CopyN(io.Discard, c.ReadWriteCloser, lingerBytes)
	}
	c.Close()
}
