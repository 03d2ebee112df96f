//go:build !unix

package child

import (
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// guardCommand refuses: without process groups this package's promise cannot be kept.
func guardCommand() (*exec.Cmd, error) {
	return nil, fmt.Errorf("child processes need a Unix system: %w", errors.ErrUnsupported)
}

// killGroup is never reached, because no guard is ever started.
func killGroup(int) {}

// runGuard is never reached by a guard; a process named like one just ends.
func runGuard() int {
	return guardFailed
}

// killMarked is never reached either.
func killMarked(string, time.Duration) error {
	return nil
}
