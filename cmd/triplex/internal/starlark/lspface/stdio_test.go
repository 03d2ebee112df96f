package lspface

import (
	"os"
	"strings"
	"testing"

	"triplex/framing"
	"triplex/host/hosttest"
)

// spawn starts a language server as a process. What it writes must be frames, or the client fails.
func spawn(t *testing.T) (*client, *hosttest.Child) {
	t.Helper()
	child := hosttest.Spawn(t, framing.ContentLength)
	return &client{Peer: child.Peer, t: t}, child
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
	c, child := spawn(t)
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
	if code, stderr := child.Wait(); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestFieldH19ExitCodeWithoutShutdown(t *testing.T) {
	c, child := spawn(t)
	c.call("initialize", `{"processId":null,"capabilities":{}}`)
	c.notify("exit", "null")
	if code, stderr := child.Wait(); code != 1 {
		t.Errorf("exit code %d, want 1: %s", code, stderr)
	}
}
