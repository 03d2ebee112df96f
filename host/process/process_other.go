//go:build !linux

// Package process watches processes that are not children: the clients that a host must not
// outlive.
package process

import (
	"errors"
	"os"
	"syscall"
)

// Process is a process that is not a child.
type Process struct{ found *os.Process }

// Find returns the process with that number. One that cannot be seen, because it has ended or lives
// in another container, is an error.
func Find(pid int) (Process, error) {
	found, err := os.FindProcess(pid)
	if err != nil {
		return Process{}, err
	}
	p := Process{found}
	if p.Ended() {
		return p, os.ErrProcessDone
	}
	return p, nil
}

// Ended reports whether the process has ended. One that may not be asked is there.
func (p Process) Ended() bool {
	return errors.Is(p.found.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// Release gives the handle back. The process must not be used afterwards.
func (p Process) Release() { p.found.Release() }
