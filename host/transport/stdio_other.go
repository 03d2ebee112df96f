//go:build !unix

package transport

import (
	"errors"
	"os"
	"time"
)

// Stdio is a process's standard input and output as one stream.
type Stdio struct{ in, out *os.File }

// TakeStdio takes standard input and output away from the rest of the process: os.Stdin is empty
// from then on, and os.Stdout is standard error. It is to be called once, before other goroutines
// use standard input or output.
func TakeStdio() (*Stdio, error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	s := &Stdio{in: os.Stdin, out: os.Stdout}
	os.Stdin, os.Stdout = null, os.Stderr
	return s, nil
}

// Read implements io.Reader.
func (s *Stdio) Read(p []byte) (int, error) { return s.in.Read(p) }

// Write implements io.Writer.
func (s *Stdio) Write(p []byte) (int, error) { return s.out.Write(p) }

// SetReadDeadline fails where the system has no deadlines for pipes.
func (s *Stdio) SetReadDeadline(t time.Time) error { return s.in.SetReadDeadline(t) }

// SetWriteDeadline fails where the system has no deadlines for pipes.
func (s *Stdio) SetWriteDeadline(t time.Time) error { return s.out.SetWriteDeadline(t) }

// Close closes both.
func (s *Stdio) Close() error { return errors.Join(s.in.Close(), s.out.Close()) }
