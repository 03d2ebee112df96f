// Package measure is the yardstick of the benchmarks: what an editor waits for is told in units of
// what the interpreter does before it runs a file.
package measure

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Program returns a program of about 10,000 lines, which ends with a line end.
func Program() string {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `def f%[1]d(a, b = None, *args, **kwargs):
    """Does things with a."""
    x = [i for i in range(a) if i %% 2 == 0]
    y = {"k": x, "v": b}
    if a > 3:
        y["z"] = len(args)
    for k, v in y.items():
        print(k, v, kwargs.get("q", 3), f%[2]d(a))
    return y

`, i, max(i-1, 0))
	}
	return b.String()
}

// InParses runs f over and over and reports how long that takes in units of one parse of the
// content with resolving its names. Both are done in turn, after a pause. The fastest of each
// counts, which noise disturbs the least.
func InParses(b *testing.B, content string, pause time.Duration, f func()) {
	base, took := time.Hour, time.Hour
	for b.Loop() {
		time.Sleep(pause)
		start := time.Now()
		parseAndResolve(b, content)
		base = min(base, time.Since(start))
		start = time.Now()
		f()
		took = min(took, time.Since(start))
	}
	b.ReportMetric(float64(took)/float64(base), "parses")
}

func parseAndResolve(b *testing.B, content string) {
	f, err := new(syntax.FileOptions).Parse("x.star", content, 0)
	if err != nil {
		b.Fatal(err)
	}
	none := func(string) bool { return false }
	if err := resolve.File(f, none, starlark.Universe.Has); err != nil {
		b.Fatal(err)
	}
}
