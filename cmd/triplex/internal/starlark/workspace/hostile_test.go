package workspace

import (
	"context"
	"testing"
	"time"

	"triplex/cmd/triplex/internal/starlark/workspace/hostile"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// queries are all that can be asked of a file, about a place in it or the whole.
var queries = map[string]func(ctx context.Context, f *File, off int){
	"problems":    func(ctx context.Context, f *File, _ int) { f.Problems(ctx) },
	"lint":        func(ctx context.Context, f *File, _ int) { f.Lint(ctx) },
	"tokens":      func(_ context.Context, f *File, _ int) { f.Tokens(all(f)) },
	"folds":       func(_ context.Context, f *File, _ int) { f.Folds() },
	"symbols":     func(_ context.Context, f *File, _ int) { f.Symbols() },
	"links":       func(_ context.Context, f *File, _ int) { f.Links() },
	"hints":       func(_ context.Context, f *File, _ int) { f.InlayHints(all(f)) },
	"actions":     func(ctx context.Context, f *File, _ int) { f.Actions(ctx, all(f)) },
	"organize":    func(_ context.Context, f *File, _ int) { f.OrganizeLoads() },
	"format":      func(_ context.Context, f *File, _ int) { f.Format() },
	"completions": func(_ context.Context, f *File, off int) { f.Completions(off) },
	"hover":       func(_ context.Context, f *File, off int) { f.Hover(off) },
	"definition":  func(_ context.Context, f *File, off int) { f.Definition(off) },
	"call":        func(_ context.Context, f *File, off int) { f.Call(off) },
	"selections":  func(_ context.Context, f *File, off int) { f.Selections(off) },
	"highlights":  func(_ context.Context, f *File, off int) { f.Highlights(off) },
	"references":  func(ctx context.Context, f *File, off int) { f.References(ctx, off) },
	"rename":      func(ctx context.Context, f *File, off int) { f.Rename(ctx, off, "other") },
	"function":    func(_ context.Context, f *File, off int) { f.Function(off) },
	"outgoing":    func(_ context.Context, f *File, off int) { f.OutgoingCalls(off) },
	"incoming":    func(ctx context.Context, f *File, off int) { f.IncomingCalls(ctx, off) },
}

func all(f *File) source.Span { return source.Span{Start: 0, End: f.Text().Len()} }

// TestHostile asks everything of texts that cost the most: an answer that panics fails the test.
// How long the answers take is for BenchmarkHostile.
func TestHostile(t *testing.T) {
	for _, text := range hostile.Texts(1 << 12) {
		t.Run(text.Name, func(t *testing.T) {
			f := buffer(t, text.Content)
			for _, ask := range queries {
				ask(t.Context(), f, f.Text().Len()/2)
				ask(t.Context(), f, f.Text().Len()-1)
			}
		})
	}
}

// BenchmarkHostile measures the slowest answer of all about a megabyte of each kind, and tells
// which that is. Some used to take minutes.
func BenchmarkHostile(b *testing.B) {
	for _, text := range hostile.Texts(1 << 20) {
		b.Run(text.Name, func(b *testing.B) {
			var slowest time.Duration
			var which string
			note := func(name string, f func()) {
				start := time.Now()
				f()
				if took := time.Since(start); took > slowest {
					slowest, which = took, name
				}
			}
			for b.Loop() {
				var f *File
				note("analysis", func() { f = buffer(b, text.Content) })
				for name, ask := range queries {
					note(name, func() { ask(b.Context(), f, f.Text().Len()-1) })
				}
			}
			b.ReportMetric(slowest.Seconds(), "s/slowest")
			b.Log("slowest:", which)
		})
	}
}
