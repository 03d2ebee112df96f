package lspface

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
	"triplex/host/transport"
)

// stdioVariable makes the test binary a language server on its standard input and output.
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
	set := New(Config{Workspace: workspace.New(), Programs: new(runs.Registry)})
	h := &host.Host{Mounts: []host.MethodSet{set}}
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

// spawn starts a language server as a process. What it writes must be frames, or the client fails.
func spawn(t *testing.T) (*client, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), stdioVariable+"=1")
	cmd.Stderr = os.Stderr
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
	c := &client{Peer: hosttest.NewPeer(t, pipe{stdout, stdin}, framing.ContentLength), t: t}
	t.Cleanup(c.Close)
	return c, cmd
}

// A module that prints while it is loaded used to end the session: the client took what it printed
// for a header.
func TestFieldS01PrintDuringLoad(t *testing.T) {
	_, dir := fieldClient(t, "{}", "s01_main.star")
	main := fileURI(t, dir, "s01_main.star")
	text, err := os.ReadFile(strings.TrimPrefix(string(main), "file://"))
	if err != nil {
		t.Fatal(err)
	}
	c, cmd := spawn(t)
	c.call("initialize", `{"processId":null,"capabilities":{}`+folder(t, dir)+`}`)
	c.notify("initialized", "{}")
	c.open(main, string(text))
	if got := hovered(c, position(main, 2, 0)); !strings.Contains(got, "Says hi.") {
		t.Errorf("hover = %q", got)
	}
	completed(c, position(main, 2, 1), "hi")
	got := decode[outcome](t, c.call("workspace/executeCommand", command(runCommand, main)))
	if log := c.logged(); got.ExitCode != 0 || log != "4 noise at load time\n4 hi" {
		t.Errorf("outcome = %+v, log = %q", got, log)
	}
	c.call("shutdown", "null")
	c.notify("exit", "null")
	c.ExpectEnd()
	if err := cmd.Wait(); err != nil {
		t.Error("exit: ", err)
	}
}

func TestFieldH19ExitCodeWithoutShutdown(t *testing.T) {
	c, cmd := spawn(t)
	c.call("initialize", `{"processId":null,"capabilities":{}}`)
	c.notify("exit", "null")
	c.ExpectEnd()
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}
