//go:build unix

package transport

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// maxSocketPath is what fits into the address of a unix socket, in bytes. A final zero byte takes
// the last of its room.
const maxSocketPath = len(unix.RawSockaddrUnix{}.Path) - 1

func checkSocketPath(path string) error {
	if len(path) > maxSocketPath {
		return fmt.Errorf("the path of a unix socket has at most %d bytes here, and this one has "+
			"%d: %s", maxSocketPath, len(path), path)
	}
	return nil
}

// listens reports whether a socket listens, and false for one that is connected.
func listens(fd int) bool {
	is, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN)
	return err != nil || is != 0
}

// socketMode lets only the owner connect.
const socketMode = 0o600

// listenUnix listens on a socket file that only its owner can connect to. A file that was left
// behind is replaced.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if err := checkSocketPath(path); err != nil {
		return nil, err
	}
	unlock, err := lockDirectory(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := removeStale(ctx, path); err != nil {
		return nil, err
	}
	config := net.ListenConfig{Control: restrict}
	ln, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	return adopt(ln.(*net.UnixListener), path)
}

// restrict sets the mode of a socket before it has a name, which on Linux becomes the file's.
// Elsewhere it has no effect.
func restrict(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) { _ = unix.Fchmod(int(fd), socketMode) })
}

// adopt makes sure of the file's mode and takes over its removal.
func adopt(ln *net.UnixListener, path string) (net.Listener, error) {
	ln.SetUnlinkOnClose(false)
	l := &unixListener{UnixListener: ln, path: path}
	err := os.Chmod(path, socketMode)
	if err == nil {
		l.file, err = os.Lstat(path)
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// unixListener removes its socket's file when it is closed, if it is still its own.
type unixListener struct {
	*net.UnixListener
	path  string
	file  fs.FileInfo
	close sync.Once
}

// Close implements net.Listener.
func (l *unixListener) Close() error {
	l.close.Do(func() {
		if now, err := os.Lstat(l.path); err == nil && os.SameFile(now, l.file) {
			os.Remove(l.path)
		}
	})
	return l.UnixListener.Close()
}

// removeStale removes the socket that a dead process left at path. Anything else there is an error.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return errors.New("the file exists and is no socket: choose another path")
	}
	if uid := info.Sys().(*syscall.Stat_t).Uid; int(uid) != os.Geteuid() {
		return fmt.Errorf("the socket exists and belongs to user %d: choose a path in a directory "+
			"of your own", uid)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err == nil {
		conn.Close()
		return fmt.Errorf("another process listens there: %w", syscall.EADDRINUSE)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("cannot tell whether another process listens there: %w", err)
	}
	return os.Remove(path)
}

const (
	lockPatience = 2 * time.Second
	lockInterval = 5 * time.Millisecond
)

// lockDirectory keeps out other hosts until unlock is called: of two that find the same stale
// socket, the slower one would remove the socket that the faster one just made.
func lockDirectory(dir string) (unlock func(), err error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(lockPatience); ; time.Sleep(lockInterval) {
		err = unix.Flock(int(d.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { d.Close() }, nil
		}
		if err != unix.EWOULDBLOCK || time.Now().After(deadline) {
			d.Close()
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
	}
}
