package dapface

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
	"triplex/host/transport"
)

// stdioVariable makes the test binary a debug adapter on its standard input and output.
const stdioVariable = "TRIPLEX_TEST_STDIO"

// maybeServeStdio does what stdioVariable says, and exits.
func maybeServeStdio() {
	if os.Getenv(stdioVariable) == "" {
		return
	}
	stream, err := transport.TakeStdio()
	if err != nil {
		panic(err)
	}
	h := &host.Host{Mounts: []host.MethodSet{New(workspace.New(), new(runs.Registry))}}
	s, err := h.Attach(stream, host.PeerInfo{Network: "stdio"})
	if err != nil {
		panic(err)
	}
	<-s.Done()
	os.Exit(s.ExitStatus())
}

// A pipe is the standard input and output of a process.
type pipe struct {
	io.ReadCloser
	io.WriteCloser
}

// Close closes both.
func (p pipe) Close() error { return errors.Join(p.WriteCloser.Close(), p.ReadCloser.Close()) }

// TestStdio has nothing but frames on standard output, whatever a program prints, also while it is
// loaded (field case s01, microsoft/ptvsd#1659), and answers what it is asked meanwhile.
func TestStdio(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", `load("noisy.star", "hi")`, "hi()")
	b.file("noisy.star", `print("Content-Length: 5")`, "def hi():", `    print("{}", "\r\n\r\n")`)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), stdioVariable+"=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	c := &client{
		Peer: hosttest.NewPeer(t, pipe{stdout, stdin}, framing.ContentLength), t: t, bench: b,
	}
	c.ok("initialize", everything)
	c.launch(program, "")
	c.ends(0)
	if got, want := c.output("stdout"), "Content-Length: 5\n{} \r\n\r\n\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	c.ok("disconnect", "")
	c.ExpectEnd()
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v: %s", err, stderr.String())
	}
}
