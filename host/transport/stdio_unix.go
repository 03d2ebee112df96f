//go:build unix

package transport

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"triplex/host/internal/pipe"
)

// Stdio is a process's standard input and output as one stream. Reads can be interrupted by
// SetReadDeadline whatever the input is; SetWriteDeadline works on pipes and sockets and fails on
// files and terminals. It is as safe for concurrent use as an *os.File is.
type Stdio struct {
	in    *pipe.Reader
	out   *pipe.Writer
	undo  []func()
	close func() error
}

// replaced keeps the files that os.Stdin and os.Stdout used to be: the runtime closes the
// descriptor of a file that nothing refers to, and descriptors 0 and 1 live on.
var replaced []*os.File

// TakeStdio takes standard input and output away from the rest of the process: it keeps private
// copies, which children do not inherit, and points descriptor 0 at /dev/null and descriptor 1, as
// well as os.Stdout, at standard error. What a plug-in prints from then on cannot damage the
// protocol. It is to be called once, before other goroutines use standard input or output.
func TakeStdio() (*Stdio, error) {
	s := new(Stdio)
	s.close = sync.OnceValue(s.shut)
	in, err := s.private(0, "stdin")
	if err != nil {
		return nil, fmt.Errorf("take over standard input: %w", err)
	}
	out, err := s.private(1, "stdout")
	if err != nil {
		return nil, fmt.Errorf("take over standard output: %w", err)
	}
	if err := redirect(); err != nil {
		return nil, fmt.Errorf("redirect standard input and output: %w", err)
	}
	if in.SetReadDeadline(time.Time{}) != nil {
		in, err = pump(in)
	}
	s.in, s.out = &pipe.Reader{File: in}, &pipe.Writer{File: out}
	return s, err
}

// private returns a copy of fd that children do not inherit. If it is a pipe or a socket, the copy
// is made non-blocking, because only then the runtime can wait for it with deadlines. That flag
// belongs to what the parent opened, and other processes may hold it too, a shell that goes on
// reading the same pipe, say; so it is given back as it was when the stream is closed.
func (s *Stdio) private(fd int, name string) (*os.File, error) {
	dup, err := duplicate(fd)
	if err != nil {
		return nil, err
	}
	if pollable(dup) {
		if err := s.unblock(dup); err != nil {
			return nil, err
		}
	}
	return os.NewFile(uintptr(dup), name), nil
}

func duplicate(fd int) (int, error) {
	return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
}

func pollable(fd int) bool {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil {
		return false
	}
	kind := st.Mode & unix.S_IFMT
	return kind == unix.S_IFIFO || kind == unix.S_IFSOCK
}

// unblock makes fd non-blocking, and remembers to undo that if it was not.
func (s *Stdio) unblock(fd int) error {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK != 0 {
		return err
	}
	// The file is closed by the time of the undoing, so it takes a descriptor of its own.
	spare, err := duplicate(fd)
	if err != nil {
		return err
	}
	s.undo = append(s.undo, func() {
		_ = unix.SetNonblock(spare, false)
		_ = unix.Close(spare)
	})
	return unix.SetNonblock(fd, true)
}

func redirect() error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	if err := unix.Dup2(int(null.Fd()), 0); err != nil {
		return err
	}
	if err := unix.Dup2(2, 1); err != nil {
		return err
	}
	// The runtime may have made arrangements for what descriptor 1 was.
	replaced = append(replaced, os.Stdout)
	os.Stdout = os.Stderr
	return nil
}

// pump makes reads of a file or terminal interruptible by copying it through a pipe. Its goroutine
// may stay blocked in a read of a terminal until the process exits.
func pump(file *os.File) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		defer file.Close()
		defer w.Close()
		io.Copy(w, file)
	}()
	return r, nil
}

// Read implements io.Reader.
func (s *Stdio) Read(p []byte) (int, error) { return s.in.Read(p) }

// Write implements io.Writer. A closed reader gives the error EPIPE and no signal.
func (s *Stdio) Write(p []byte) (int, error) { return s.out.Write(p) }

// SetReadDeadline sets when Read gives up; see [os.File.SetReadDeadline].
func (s *Stdio) SetReadDeadline(t time.Time) error { return s.in.SetReadDeadline(t) }

// SetWriteDeadline sets when Write gives up; see [os.File.SetWriteDeadline].
func (s *Stdio) SetWriteDeadline(t time.Time) error { return s.out.SetWriteDeadline(t) }

// Close closes both copies and leaves what they were copies of as it was found. It may be called
// more than once.
func (s *Stdio) Close() error { return s.close() }

func (s *Stdio) shut() error {
	err := errors.Join(s.in.Close(), s.out.Close())
	for _, undo := range slices.Backward(s.undo) {
		undo()
	}
	return err
}
