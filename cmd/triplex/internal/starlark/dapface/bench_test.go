package dapface

import "testing"

// BenchmarkStop goes on from a breakpoint to the next stop: what a user waits for after a key.
func BenchmarkStop(b *testing.B) {
	bench := newBench(b)
	c := bench.connect()
	c.ok("initialize", everything)
	program := bench.file("main.star", "def f():", "    n = 0", "    for i in range(1000000000):",
		"        n += 1", "f()")
	c.lines(program, 4)
	c.launch(program, "")
	c.event("stopped")
	for b.Loop() {
		c.ok("continue", `{"threadId":1}`)
		c.event("stopped")
	}
}

// BenchmarkPause pauses a program that does not stop by itself.
func BenchmarkPause(b *testing.B) {
	bench := newBench(b)
	c := bench.debug(bench.file("main.star", endless...), "")
	c.event("module")
	for b.Loop() {
		c.ok("pause", `{"threadId":1}`)
		c.event("stopped")
		b.StopTimer()
		c.ok("continue", `{"threadId":1}`)
		b.StartTimer()
	}
}

// BenchmarkDisconnect ends a session whose program does not stop by itself.
func BenchmarkDisconnect(b *testing.B) {
	bench := newBench(b)
	program := bench.file("main.star", endless...)
	for b.Loop() {
		b.StopTimer()
		c := bench.debug(program, "")
		c.event("module")
		b.StartTimer()
		c.disconnect()
	}
}
