package debugger

import (
	"errors"
	"strings"
	"testing"
	"time"

	"go.starlark.net/resolve"

	"triplex/cmd/triplex/internal/starlark/workspace/hostile"
)

// runText runs a text as a program to its end, as it is or with all that debugging adds.
func runText(t testing.TB, text string, plain bool) Result {
	t.Helper()
	run, err := New(Config{
		Program: "main.star", Source: &texts{files: map[string]string{"main.star": text}},
		Options: everything, NoDebug: plain, MaxSteps: 10_000_000,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	<-run.Done()
	return run.State().Result
}

// TestHostile runs texts that cost the most. What they do is the same whether they are debugged or
// not.
func TestHostile(t *testing.T) {
	for _, text := range hostile.Texts(1 << 12) {
		t.Run(text.Name, func(t *testing.T) {
			plain, debugged := runText(t, text.Content, true), runText(t, text.Content, false)
			wantText(t, "error", errOf(debugged.Err), errOf(plain.Err))
		})
	}
}

// TestUnknownNames runs a program with more unknown names than are told of. To compare each with
// all names of the file used to take hours.
func TestUnknownNames(t *testing.T) {
	for _, plain := range []bool{true, false} {
		result := runText(t, strings.Repeat("print(y)\n", 2*maxUnknown), plain)
		var list resolve.ErrorList
		if !errors.As(result.Err, &list) || len(list) != maxUnknown {
			t.Errorf("without debugging %v: %d errors, want %d", plain, len(list), maxUnknown)
		}
	}
}

// BenchmarkHostile measures how long it takes until programs of a megabyte have ended. Of the
// limits of a program none acts before it runs, and some used to take minutes.
func BenchmarkHostile(b *testing.B) {
	for _, text := range hostile.Texts(1 << 20) {
		b.Run(text.Name, func(b *testing.B) {
			var slowest time.Duration
			for b.Loop() {
				for _, plain := range []bool{true, false} {
					start := time.Now()
					runText(b, text.Content, plain)
					slowest = max(slowest, time.Since(start))
				}
			}
			b.ReportMetric(slowest.Seconds(), "s/slowest")
		})
	}
}
