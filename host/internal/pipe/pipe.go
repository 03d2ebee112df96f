// Package pipe widens a pipe when a message comes that it does not hold. Otherwise the two
// processes take turns over each piece of the message.
package pipe

import (
	"os"
	"sync/atomic"
)

// size is what a pipe holds at first, in bytes. It is less for a user who has too many pipes.
const size = 64 << 10

// Reader reads from a file which may be the end of a pipe. It is as safe for concurrent use as an
// [os.File].
type Reader struct {
	*os.File
	wide atomic.Bool
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.File.Read(p)
	if n >= size && r.wide.CompareAndSwap(false, true) {
		widen(r.File)
	}
	return n, err
}

// Writer writes to a file which may be the end of a pipe. It is as safe for concurrent use as an
// [os.File].
type Writer struct {
	*os.File
	wide atomic.Bool
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	if len(p) > size && w.wide.CompareAndSwap(false, true) {
		widen(w.File)
	}
	return w.File.Write(p)
}
