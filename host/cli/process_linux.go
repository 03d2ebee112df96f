package cli

import "golang.org/x/sys/unix"

// process is a handle of a process that is not a child. Unlike its number, which the system may
// give away again, it cannot come to mean another process; and it tells a process that has ended
// from one that runs even while its parent has not asked for its status.
type process struct{ fd int }

func findProcess(pid int) (process, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	return process{fd}, err
}

// ended reports whether the process has ended.
func (p process) ended() bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, 0)
	return err == nil && n > 0
}

func (p process) release() { unix.Close(p.fd) }
