package workspace

import (
	"context"
	"maps"
	"slices"
)

// A Watcher is told which open texts change. It is safe for concurrent use.
type Watcher struct {
	w     *Workspace
	ready chan struct{}   // holds a token when there are names
	names map[string]bool // guarded by w.mu
}

// Watch returns a watcher of the texts that are opened, changed and closed from now on. The caller
// must close it.
func (w *Workspace) Watch() *Watcher {
	t := &Watcher{w: w, ready: make(chan struct{}, 1), names: make(map[string]bool)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watchers[t] = struct{}{}
	return t
}

// Close ends the watch.
func (t *Watcher) Close() {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	delete(t.w.watchers, t)
}

// Next waits for changes and returns the names of the texts that have changed since the last call,
// without symbolic links, sorted. It fails only when the context ends.
func (t *Watcher) Next(ctx context.Context) ([]string, error) {
	select {
	case <-t.ready:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	names := slices.Sorted(maps.Keys(t.names))
	clear(t.names)
	return names, nil
}

// changed tells the watchers of a text. It is called with w.mu held.
func (w *Workspace) changed(key string) {
	for t := range w.watchers {
		t.names[key] = true
		select {
		case t.ready <- struct{}{}:
		default:
		}
	}
}
