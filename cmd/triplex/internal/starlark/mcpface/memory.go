package mcpface

import (
	"context"
	"errors"
	"runtime/metrics"
	"sync"
	"time"
)

// defaultMemory is by how many bytes the host's memory may grow while a program runs.
const defaultMemory = 1 << 30

// errMemory is why a context ends that is watched by watchMemory.
var errMemory = errors.New("out of memory")

// glance is how often the memory is looked at.
const glance = 50 * time.Millisecond

// watchMemory returns a context that ends, with the cause errMemory, when what the host keeps in
// memory has grown by more than so many bytes. Starlark counts no bytes, so that this stands for
// what the program takes; one that takes all there is in a single built-in function is not stopped
// in time. The function ends the watch.
func watchMemory(ctx context.Context, limit uint64) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	most := liveMemory() + limit
	watch.Go(func() {
		ticks := time.NewTicker(glance)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			if liveMemory() > most {
				cancel(errMemory)
			}
		}
	})
	return ctx, func() {
		cancel(nil)
		watch.Wait()
	}
}

// liveMemory returns how many bytes the last garbage collection has left, which begins by itself
// when the memory has doubled.
func liveMemory() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
