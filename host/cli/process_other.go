//go:build !linux

package cli

import (
	"errors"
	"os"
	"syscall"
)

// process is a process that is not a child.
type process struct{ *os.Process }

func findProcess(pid int) (process, error) {
	found, err := os.FindProcess(pid)
	if err != nil {
		return process{}, err
	}
	p := process{found}
	if p.ended() {
		return p, os.ErrProcessDone
	}
	return p, nil
}

// ended reports whether the process has ended. One that may not be asked is there.
func (p process) ended() bool {
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

func (p process) release() { p.Release() }
