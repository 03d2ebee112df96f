package hosttest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

// childVariable is the environment variable that tells a process of its being a child.
const childVariable = "TRIPLEX_HOSTTEST_CHILD"

// ServeChild makes a process that Spawn started a host on its standard input and output, and ends
// it with the exit status of the session. In any other process it does nothing. TestMain calls it
// before all else.
func ServeChild(newHost func() *host.Host) {
	if os.Getenv(childVariable) == "" {
		return
	}
	stream, err := transport.TakeStdio()
	if err != nil {
		panic(err)
	}
	s, err := newHost().Attach(stream, host.PeerInfo{Network: "stdio"})
	if err != nil {
		panic(err)
	}
	<-s.Done()
	os.Exit(s.ExitStatus())
}

// Child is the peer of a host that is a process of its own.
type Child struct {
	*Peer

	t      testing.TB
	cmd    *exec.Cmd
	stderr bytes.Buffer
}

// Spawn starts the test's own program once more as a host on its standard input and output, and
// returns that process's peer, which speaks framing f. The package's TestMain has to call
// ServeChild. A process that still runs at the end of the test is killed.
func Spawn(t testing.TB, f framing.Framing) *Child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatalf("the test's program: %v", err)
	}
	c := &Child{t: t, cmd: exec.Command(exe)}
	// The race detector has processes wait for a second before they exit.
	c.cmd.Env = append(os.Environ(), childVariable+"=1", "GORACE=atexit_sleep_ms=0")
	c.cmd.Stderr = &c.stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatalf("standard input: %v", err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatalf("standard output: %v", err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatalf("start a child: %v", err)
	}
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
	})
	c.Peer = NewPeer(t, childStream{out, in}, f)
	return c
}

// Wait waits for the process to end once it has nothing more to say, and returns its exit status
// and all that it wrote to standard error.
func (c *Child) Wait() (status int, stderr string) {
	c.t.Helper()
	c.ExpectEnd()
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		c.t.Fatalf("wait for the child: %v", err)
	}
	return c.cmd.ProcessState.ExitCode(), c.stderr.String()
}

// childStream is the standard input and output of a process.
type childStream struct {
	out io.ReadCloser
	in  io.WriteCloser
}

// Read reads what the process writes.
func (s childStream) Read(p []byte) (int, error) { return s.out.Read(p) }

// Write writes what the process reads.
func (s childStream) Write(p []byte) (int, error) { return s.in.Write(p) }

// CloseWrite ends what the process can read.
func (s childStream) CloseWrite() error { return s.in.Close() }

// Close closes both.
func (s childStream) Close() error { return errors.Join(s.in.Close(), s.out.Close()) }

// SetReadDeadline is that of os.File, which the pipe of a command is.
func (s childStream) SetReadDeadline(t time.Time) error {
	if d, ok := s.out.(interface{ SetReadDeadline(time.Time) error }); ok {
		return d.SetReadDeadline(t)
	}
	return os.ErrNoDeadline
}
