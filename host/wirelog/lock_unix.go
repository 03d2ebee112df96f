//go:build unix

package wirelog

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock waits for the lock on a file, among the processes that have it open. Where the file system
// has no locks there is none.
func lock(file *os.File) {
	for errors.Is(unix.Flock(int(file.Fd()), unix.LOCK_EX), unix.EINTR) {
	}
}

// unlock gives the lock up, as closing the file does.
func unlock(file *os.File) { _ = unix.Flock(int(file.Fd()), unix.LOCK_UN) }
