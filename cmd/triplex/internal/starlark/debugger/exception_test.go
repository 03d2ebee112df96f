package debugger

import (
	"strings"
	"testing"
)

// The backtrace of a recursion without end used to be a hundred thousand lines.
func TestBacktracesAreBounded(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{
		"main.star": "def f(n):\n    if n == 0:\n        fail('deep')\n    f(n - 1)\nf(1000)\n",
	})
	s.run.SetFilters("me", Filters{Raised: true})
	s.start()
	s.stopped()
	x, err := s.run.Exception(s.ctx())
	if err != nil {
		t.Fatal(err)
	}
	s.resume(Continue)
	for what, text := range map[string]string{"exception": x.Backtrace, "end": s.ended().Backtrace} {
		lines := strings.Split(text, "\n")
		first, last := lines[:3], lines[len(lines)-2:]
		if len(lines) > 2*maxTraced+5 || !strings.Contains(text, " calls more\n") ||
			!strings.HasSuffix(first[1], "main.star:5:2: in <toplevel>") ||
			!strings.HasSuffix(last[0], "main.star:3:13: in f") ||
			!strings.HasSuffix(last[1], "fail: deep") {
			t.Errorf("%s: %d lines, from %q to %q", what, len(lines), first, last)
		}
	}
}
