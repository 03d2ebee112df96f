package host_test

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
)

// stdioHost is the environment variable that makes the test binary a host on stdin and stdout. Its
// value is the framing.
const stdioHost = "TRIPLEX_TEST_STDIO_HOST"

// serveStdio serves echo on stdin and stdout and returns the process's exit status.
func serveStdio(name string) int {
	f, err := framing.Parse(name)
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 2
	}
	// A client may close its end while an answer is on its way.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	h := &host.Host{Mounts: []host.MethodSet{echo.Set{}}, Framing: f}
	s, err := h.Attach(stdio{}, host.PeerInfo{Network: "stdio"})
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	<-s.Done()
	return s.ExitStatus()
}

// stdio is the standard input and output as one stream.
type stdio struct{}

func (stdio) Read(p []byte) (int, error)  { return os.Stdin.Read(p) }
func (stdio) Write(p []byte) (int, error) { return os.Stdout.Write(p) }

func (stdio) Close() error {
	os.Stdin.Close()
	return os.Stdout.Close()
}

// child is a process seen through its standard input and output.
type child struct {
	io.ReadCloser
	io.WriteCloser
}

// CloseWrite ends the child's input.
func (c child) CloseWrite() error { return c.WriteCloser.Close() }

func (c child) Close() error {
	c.WriteCloser.Close()
	return c.ReadCloser.Close()
}

// startChild starts the test binary as a host on stdio. At the end of the test its input is closed
// and it has to exit with status 0.
func startChild(t testing.TB, f framing.Framing) child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	// The race detector has processes wait for a second before they exit.
	cmd.Env = append(os.Environ(), stdioHost+"="+f.String(), "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := child{out, in}
	t.Cleanup(func() {
		c.WriteCloser.Close()
		io.Copy(io.Discard, c.ReadCloser)
		if err := cmd.Wait(); err != nil {
			t.Errorf("host on stdio: %v", err)
		}
	})
	return c
}
