package wirelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// followInterval is how often a followed log is looked at.
const followInterval = 200 * time.Millisecond

// Open opens the log at path for reading, from the oldest of its rotated files on.
func Open(path string) (io.ReadCloser, error) {
	files, err := openSet(path)
	if err != nil {
		return nil, fmt.Errorf("wire log: %w", err)
	}
	return files, nil
}

// fileSet reads files one after the other.
type fileSet struct {
	io.Reader
	files []*os.File
}

func openSet(path string) (*fileSet, error) {
	set := &fileSet{}
	for i := 0; ; i++ {
		file, err := os.Open(rotated(path, i))
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			set.Close()
			return nil, err
		}
		set.files = append(set.files, file)
		if err := set.dropTwin(); err != nil {
			set.Close()
			return nil, err
		}
	}
	readers := make([]io.Reader, 0, len(set.files))
	for i := range set.files {
		readers = append(readers, set.files[len(set.files)-1-i])
	}
	set.Reader = io.MultiReader(readers...)
	return set, nil
}

// dropTwin closes the last file if it is the one before it: a rotation in the meantime moved on
// what was open already.
func (s *fileSet) dropTwin() error {
	last := len(s.files) - 1
	if last == 0 {
		return nil
	}
	same, err := sameFile(s.files[last-1], s.files[last])
	if same {
		s.files[last].Close()
		s.files = s.files[:last]
	}
	return err
}

func (s *fileSet) Close() error {
	var errs []error
	for _, file := range s.files {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}

// Follow opens the log at path and reads on, across rotations, as it grows. Its Read waits for
// more; it returns io.EOF once ctx has ended. A file that was rotated away twice before it was
// looked at is missed.
func Follow(ctx context.Context, path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("wire log: %w", err)
	}
	return &follower{ctx: ctx, path: path, file: file}, nil
}

// follower is a growing file. It is for one goroutine.
type follower struct {
	ctx  context.Context // ends the waiting
	path string
	file *os.File
	next *os.File // the file that came after this one, while this one is read to its end
}

func (f *follower) Read(p []byte) (int, error) {
	for {
		n, err := f.file.Read(p)
		if n > 0 || err != io.EOF {
			return n, err
		}
		if f.next != nil {
			f.file.Close()
			f.file, f.next = f.next, nil
			continue
		}
		if f.ctx.Err() != nil {
			return 0, io.EOF
		}
		if f.next, err = f.successor(); err != nil {
			return 0, err
		}
		if f.next == nil {
			f.wait()
		}
	}
}

// successor opens the file at path if it is another one than what is being read, which then is
// complete. It returns nil if it is the same, or none for the moment.
func (f *follower) successor() (*os.File, error) {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	same, err := sameFile(f.file, file)
	if same || err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func sameFile(a, b *os.File) (bool, error) {
	aInfo, err := a.Stat()
	if err != nil {
		return false, err
	}
	bInfo, err := b.Stat()
	if err != nil {
		return false, err
	}
	return os.SameFile(aInfo, bInfo), nil
}

// wait lets an interval pass, or less when ctx ends.
func (f *follower) wait() {
	select {
	case <-f.ctx.Done():
	case <-time.After(followInterval):
	}
}

func (f *follower) Close() error {
	var nextErr error
	if f.next != nil {
		nextErr = f.next.Close()
	}
	return errors.Join(f.file.Close(), nextErr)
}
