package dapface

import (
	"testing"

	"triplex/framing"
	"triplex/host/hosttest"
)

// TestStdio has nothing but frames on standard output, whatever a program prints, also while it is
// loaded (field case s01, microsoft/ptvsd#1659), and answers what it is asked meanwhile.
func TestStdio(t *testing.T) {
	b := newBench(t)
	program := b.file("main.star", `load("noisy.star", "hi")`, "hi()")
	b.file("noisy.star", `print("Content-Length: 5")`, "def hi():", `    print("{}", "\r\n\r\n")`)
	child := hosttest.Spawn(t, framing.ContentLength)
	c := b.client(child.Peer)
	c.ok("initialize", everything)
	c.launch(program, "")
	c.ends(0)
	if got, want := c.output("stdout"), "Content-Length: 5\n{} \r\n\r\n\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	c.ok("disconnect", "")
	if code, stderr := child.Wait(); code != 0 || stderr != "" {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
