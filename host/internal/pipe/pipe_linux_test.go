package pipe

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestALargeMessageWidensThePipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	out := &Writer{File: w}
	write(t, out, size)
	if got := sizeOf(t, r); got != size {
		t.Fatalf("a pipe holds %d bytes at first, want %d", got, size)
	}
	in := &Reader{File: r}
	if n, err := in.Read(make([]byte, 2*size)); n != size || err != nil {
		t.Fatalf("read %d bytes, %v", n, err)
	}
	if got := sizeOf(t, r); got != wideSize {
		t.Errorf("after a read of all it held the pipe holds %d bytes, want %d", got, wideSize)
	}
	write(t, out, wideSize) // at once, without a reader
}

func TestAWriterWidensBeforeItWrites(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	write(t, &Writer{File: w}, wideSize)
}

func TestWhatIsNoPipeStaysAsItIs(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	write(t, &Writer{File: f}, 2*size)
}

func write(t *testing.T, w *Writer, n int) {
	t.Helper()
	if written, err := w.Write(make([]byte, n)); written != n || err != nil {
		t.Fatalf("wrote %d bytes of %d, %v", written, n, err)
	}
}

func sizeOf(t *testing.T, f *os.File) int {
	t.Helper()
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := raw.Control(func(fd uintptr) {
		n, err = unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0)
	}); err != nil {
		t.Fatal(err)
	}
	return n
}
