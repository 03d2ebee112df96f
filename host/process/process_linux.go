// Package process watches processes that are not children: the clients that a host must not
// outlive.
package process

import "golang.org/x/sys/unix"

// Process is a handle of a process. Unlike its number, which the system may give away again, it
// cannot come to mean another process; and it tells a process that has ended from one that runs
// even while its parent has not asked for its status. Its methods are safe for concurrent use, but
// for Release.
type Process struct{ fd int }

// Find returns the process with that number. One that cannot be seen, because it has ended or lives
// in another container, is an error.
func Find(pid int) (Process, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	return Process{fd}, err
}

// Ended reports whether the process has ended.
func (p Process) Ended() bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}

// Release gives the handle back. The process must not be used afterwards.
func (p Process) Release() { unix.Close(p.fd) }
