package host

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// conn is a session's stream, with the deadlines that the stream supports.
type conn struct {
	io.ReadWriteCloser
	read atomic.Int64 // bytes

	// late is set when the stream was closed because a write took too long.
	late atomic.Bool

	mu    sync.Mutex    // guards the fields below
	limit time.Duration // of what writes are given; 0 if they have their time
	set   time.Time     // when the write deadline was last set
	watch *time.Timer   // closes a stream that has no deadlines; nil while nothing is written to it
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

// write writes p, as long as that makes progress: a peer that reads nothing for about timeout gets
// [errSlowPeer].
func (c *conn) write(p []byte, timeout time.Duration) (written int, err error) {
	d, ok := c.ReadWriteCloser.(writeDeadline)
	for {
		if !ok || c.extend(d, timeout) != nil {
			n, err := c.writeWatched(p[written:], timeout)
			return written + n, err
		}
		n, err := c.Write(p[written:])
		written += n
		switch {
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return written, err
		case n == 0:
			return written, errSlowPeer
		}
	}
}

// writeDeadline is what streams have whose writes can be given up.
type writeDeadline interface{ SetWriteDeadline(time.Time) error }

// extend moves the write deadline on, though not for each write: that would cost a timer's
// change each. The deadline is between three quarters of timeout and timeout away.
func (c *conn) extend(d writeDeadline, timeout time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	timeout = c.bounded(timeout)
	now := time.Now()
	if now.Sub(c.set) < timeout/4 {
		return nil
	}
	if err := d.SetWriteDeadline(now.Add(timeout)); err != nil {
		return err
	}
	c.set = now
	return nil
}

// bounded is called with mu held.
func (c *conn) bounded(timeout time.Duration) time.Duration {
	if c.limit > 0 {
		return min(timeout, c.limit)
	}
	return timeout
}

// writeWatched is for streams without deadlines: they are closed when the time is over.
func (c *conn) writeWatched(p []byte, timeout time.Duration) (int, error) {
	c.startWatch(timeout)
	n, err := c.Write(p)
	c.stopWatch()
	if err != nil && c.late.Load() {
		err = errSlowPeer
	}
	return n, err
}

func (c *conn) startWatch(timeout time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = time.AfterFunc(c.bounded(timeout), func() {
		c.late.Store(true)
		c.Close()
	})
}

func (c *conn) stopWatch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch.Stop()
	c.watch = nil
}

// hurry bounds what the peer may take to read anything, from now on, and in a write under way too.
// The limit is at most the timeout of the writes.
func (c *conn) hurry(limit time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = limit
	if c.watch != nil {
		c.watch.Reset(limit)
	} else if d, ok := c.ReadWriteCloser.(writeDeadline); ok {
		c.set = time.Now()
		_ = d.SetWriteDeadline(c.set.Add(limit)) // where that fails, the next write is watched
	}
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
