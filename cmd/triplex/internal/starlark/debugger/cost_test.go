package debugger

import (
	"slices"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
)

// workload is a program of small functions, branches and loops: much of it is statements, so that
// the hooks weigh as much as they may in a program with a purpose.
const workload = `
def collatz(n):
    steps = 0
    for _ in range(1000):
        if n == 1:
            break
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

def words(n):
    counts = {}
    for i in range(n):
        word = "w%d" % (i % 17)
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key = lambda item: item[1])

def fold(n):
    total = 0
    for i in range(n):
        total = add(total, i)
    return total

def add(a, b):
    return (a + b) % 1000003

def never():
BODY
best = max([collatz(n) for n in range(1, 300)])
words(5000)
fold(20000)
`

// program returns the workload, with a function of 100 statements that is never called.
func program() string {
	return strings.Replace(workload, "BODY", strings.Repeat("    print(1)\n", 100), 1)
}

// BenchmarkCost measures what the hooks cost a program that does not stop, as the ratio to a plain
// run. The runs take turns, so that what else the machine does hits all of them, and the fastest of
// each counts.
func BenchmarkCost(b *testing.B) {
	text := program()
	first := strings.Count(text[:strings.Index(text, "    print(1)")], "\n") + 1
	kinds := []struct {
		name string
		run  func() time.Duration
	}{
		{"plain", func() time.Duration { return timePlain(b, text) }},
		{"hooked", func() time.Duration { return timeRun(b, text, Config{}, nil) }},
		{"100-breakpoints", func() time.Duration {
			var points []Breakpoint
			for i := range 100 {
				points = append(points, Breakpoint{Line: first + i})
			}
			return timeRun(b, text, Config{}, points)
		}},
		{"step-limit", func() time.Duration {
			return timeRun(b, text, Config{MaxSteps: 1 << 40}, nil)
		}},
	}
	times := make([][]time.Duration, len(kinds))
	for b.Loop() {
		for i, kind := range kinds {
			times[i] = append(times[i], kind.run())
		}
	}
	plain := slices.Min(times[0])
	for i, kind := range kinds[1:] {
		b.ReportMetric(float64(slices.Min(times[i+1]))/float64(plain), kind.name+"/plain")
	}
}

func timePlain(b *testing.B, text string) time.Duration {
	begin := time.Now()
	_, err := starlark.ExecFileOptions(everything, new(starlark.Thread), "main.star", text, nil)
	if err != nil {
		b.Fatal(err)
	}
	return time.Since(begin)
}

func timeRun(b *testing.B, text string, cfg Config, points []Breakpoint) time.Duration {
	cfg.Program, cfg.Options = "main.star", everything
	cfg.Source = &texts{files: map[string]string{"main.star": text}}
	run, err := New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	run.SetBreakpoints("me", "main.star", points)
	begin := time.Now()
	if err := run.Start(); err != nil {
		b.Fatal(err)
	}
	<-run.Done()
	took := time.Since(begin)
	if err := run.State().Result.Err; err != nil {
		b.Fatal(err)
	}
	return took
}
