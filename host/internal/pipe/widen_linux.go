package pipe

import (
	"os"

	"golang.org/x/sys/unix"
)

// wideSize is the most that a user without privileges may give a pipe, in bytes (pipe(7)).
const wideSize = 1 << 20

// widen makes a pipe as large as it may be. It stays as it is if its user has too many of those,
// and so does what is no pipe.
func widen(f *os.File) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, wideSize)
	})
}
