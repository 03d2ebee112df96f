//go:build unix && !linux

package child

import (
	"os"
	"syscall"
	"time"
)

// selfPath returns the path of this executable.
func selfPath() (string, error) {
	return os.Executable()
}

// childAttributes puts a child into a group of its own.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// adoptOrphans does nothing: these systems give orphans to init.
func adoptOrphans() error {
	return nil
}

// descendants lists nothing: the child's group is all that can be signalled.
func descendants(int) []int {
	return nil
}

// killMarked does nothing: the environment of other processes cannot be read here.
func killMarked(string, time.Duration) error {
	return nil
}
