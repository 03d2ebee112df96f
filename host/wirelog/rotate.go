package wirelog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"syscall"
	"time"
)

// rotator is a file that only grows by whole lines and moves aside when it is full: PATH becomes
// PATH.1, that one PATH.2, and so on, and what is more than is to be kept goes. Several processes
// may append to one file. It is not safe for concurrent use.
type rotator struct {
	path   string
	max    int64 // the size to stay below; 0: any
	keep   int   // how many files to keep besides the current one
	logger *slog.Logger

	file *os.File
	torn bool // the file ends within a line, which no other may continue
}

// openRotator opens path to append to it. Only its owner may read a new file: it holds what
// sessions say.
func openRotator(path string, max int64, keep int, logger *slog.Logger) (*rotator, error) {
	r := &rotator{path: path, max: max, keep: keep, logger: logger}
	return r, r.open()
}

func (r *rotator) open() error {
	// Without O_NONBLOCK a named pipe that nobody reads would hold up the program for ever.
	const flags = os.O_APPEND | os.O_CREATE | os.O_WRONLY | syscall.O_NONBLOCK
	file, err := os.OpenFile(r.path, flags, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return err
	}
	if !info.Mode().IsRegular() {
		r.max = 0 // a terminal or a pipe has no size and cannot move aside
	}
	r.file = file
	r.torn = info.Mode().IsRegular() && !endsLine(r.path, info.Size())
	return nil
}

// endsLine tells whether a file of the given size ends with a line end, or is empty. One that
// cannot be read does not: a blank line too many harms nobody.
func endsLine(path string, size int64) bool {
	if size == 0 {
		return true
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var last [1]byte
	_, err = file.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}

// Write appends lines, which must be whole ones, in one write, to a new file where the current
// one has no room for them. A file that cannot be rotated is written on.
func (r *rotator) Write(lines []byte) (int, error) {
	if r.full(len(lines)) {
		if err := r.rotate(); err != nil {
			r.logger.Warn("the wire log cannot be rotated and grows on", "error", err)
		}
	}
	if r.torn {
		if _, err := r.file.Write([]byte("\n")); err != nil {
			return 0, err
		}
		r.torn = false
	}
	n, err := r.file.Write(lines)
	if err != nil && n > 0 {
		r.torn = true
	}
	return n, err
}

// full tells whether the file has no room for so many more bytes. The size is looked up: others may
// write to the file as well.
func (r *rotator) full(more int) bool {
	if r.max == 0 {
		return false
	}
	info, err := r.file.Stat()
	return err == nil && info.Size() > 0 && info.Size()+int64(more) > r.max
}

// rotate goes on to a new file. The lock on the old one keeps others that are at its end, too, from
// moving files at the same time, over one another.
func (r *rotator) rotate() error {
	old := r.file
	lock(old)
	err := r.next()
	if r.file == old {
		unlock(old)
		return err
	}
	return errors.Join(err, old.Close()) // which unlocks it
}

// next moves the files on, unless another process has done so already, and opens the next one.
func (r *rotator) next() error {
	if r.current() {
		if err := r.move(); err != nil {
			return err
		}
	}
	if err := r.open(); err != nil {
		return err
	}
	if info, err := r.file.Stat(); err != nil || info.Size() > 0 {
		return err // another process has begun it
	}
	first := Record{Time: time.Now(), Continues: true}
	_, err := r.file.Write(first.AppendLine(nil))
	return err
}

// current tells whether the file is still the one at the path.
func (r *rotator) current() bool {
	at, err := os.Stat(r.path)
	if err != nil {
		return false
	}
	own, err := r.file.Stat()
	return err == nil && os.SameFile(at, own)
}

// move makes room at the path.
func (r *rotator) move() error {
	for i := r.keep; i > 0; i-- {
		err := os.Rename(r.name(i-1), r.name(i))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if r.keep == 0 {
		return os.Remove(r.path)
	}
	return nil
}

// name returns the path of the i-th file, of which 0 is the current one.
func (r *rotator) name(i int) string {
	return rotated(r.path, i)
}

func rotated(path string, i int) string {
	if i == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, i)
}

func (r *rotator) Close() error {
	return r.file.Close()
}

var _ io.WriteCloser = (*rotator)(nil)
