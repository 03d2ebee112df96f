package dapface

import (
	"strings"
	"testing"
)

// A program that doubled a list used to take the host with it, and every other session.
func TestMemory(t *testing.T) {
	b := newBench(t)
	bystander := b.debug(b.file("other.star", "a = 1", "b = 2"), `"stopOnEntry":true`)
	bystander.stops("entry", "other.star:1")
	program := b.file("main.star", "def f(x):", "    for i in range(1 << 40):",
		"        x = x + x if i < 22 else sorted(x)", "f([0])")
	c := b.connect()
	c.ok("initialize", everything)
	c.ok("setExceptionBreakpoints", `{"filters":["uncaught","raised"]}`)
	c.launch(program, `"maxMemory":32`)
	c.ends(1)
	if got := c.output("stderr"); !strings.Contains(got, "main.star:3:") ||
		!strings.Contains(got, "memory limit exceeded: the host grew by more than 32 MiB") {
		t.Errorf("printed %s", got)
	}
	c.leave()
	bystander.ok("continue", `{"threadId":1}`)
	bystander.ends(0)
	bystander.leave()
}
