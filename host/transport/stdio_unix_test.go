//go:build unix

package transport_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"triplex/host/transport"
)

// stdioRole takes standard input and output over, prints as a careless plug-in does, and copies
// its input to its output.
func stdioRole() error {
	earlier, inherited := os.Stdout, inheritable()
	stdio, err := transport.TakeStdio()
	if err != nil {
		return err
	}
	if n := inheritable(); n != inherited {
		return fmt.Errorf("children inherit %d more descriptors", n-inherited)
	}
	fmt.Println("printed")
	fmt.Fprintln(earlier, "printed")
	syscall.Write(1, []byte("printed\n"))
	child := exec.Command("sh", "-c", "cat; echo printed")
	child.Stdin, child.Stdout = os.NewFile(0, "stdin"), os.NewFile(1, "stdout")
	if err := child.Run(); err != nil {
		return err
	}
	stdio.SetReadDeadline(time.Now().Add(-time.Second))
	if _, err := stdio.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("a read after the deadline gives %v", err)
	}
	stdio.SetReadDeadline(time.Time{})
	if _, err := io.Copy(stdio, stdio); err != nil {
		return err
	}
	return stdio.Close()
}

// inheritable counts the descriptors that children inherit.
func inheritable() (n int) {
	for fd := range 100 {
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil &&
			flags&unix.FD_CLOEXEC == 0 {
			n++
		}
	}
	return n
}

// runStdio runs stdioRole on in and out and returns what it wrote to standard error.
func runStdio(t *testing.T, in, out *os.File) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), raceQuick, roleVariable+"=stdio")
	var stderr strings.Builder
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("%v: %s", err, &stderr)
	}
	return stderr.String()
}

// pair returns the two ends of a connection: what is written to w is read from r.
type pair func(t *testing.T) (r, w *os.File)

func pipePair(t *testing.T) (r, w *os.File) {
	var fds [2]int
	if err := unix.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fds[0]), "r"), os.NewFile(uintptr(fds[1]), "w")
}

func socketPair(t *testing.T) (r, w *os.File) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fds[0]), "r"), os.NewFile(uintptr(fds[1]), "w")
}

func nonblocking(t *testing.T, f *os.File) (is bool) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err != nil {
			t.Error(err)
		}
		is = flags&unix.O_NONBLOCK != 0
	})
	return is
}

func TestStdioIsKeptForTheProtocol(t *testing.T) {
	for _, tc := range []struct {
		name        string
		pair        pair
		nonblocking bool // as the parent left it
	}{
		{"pipes", pipePair, false},
		{"sockets", socketPair, false},
		{"pipes left non-blocking", pipePair, true},
		{"sockets left non-blocking", socketPair, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			inR, inW := tc.pair(t)
			outR, outW := tc.pair(t)
			for _, f := range []*os.File{inR, inW, outR, outW} {
				defer f.Close()
			}
			setNonblock(t, inR, tc.nonblocking)
			setNonblock(t, outW, tc.nonblocking)
			io.WriteString(inW, "message")
			inW.Close()
			stderr := runStdio(t, inR, outW)
			if nonblocking(t, inR) != tc.nonblocking || nonblocking(t, outW) != tc.nonblocking {
				t.Error("the parent's files were not left as they were found")
			}
			outW.Close()
			if got, _ := io.ReadAll(outR); string(got) != "message" {
				t.Errorf("standard output has %q", got)
			}
			if n := strings.Count(stderr, "printed\n"); n != 4 {
				t.Errorf("of what was printed, standard error has %d of 4: %s", n, stderr)
			}
		})
	}
}

func setNonblock(t *testing.T, f *os.File, on bool) {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	raw.Control(func(fd uintptr) {
		if err := unix.SetNonblock(int(fd), on); err != nil {
			t.Error(err)
		}
	})
}

func TestStdioOfFiles(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	if err := os.WriteFile(in, []byte("message"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	runStdio(t, r, w)
	if got, _ := os.ReadFile(out); string(got) != "message" {
		t.Errorf("standard output has %q", got)
	}
}
