package cli

import (
	"sync"
	"time"

	"triplex/host"
)

// idleWatch is the observer that ends a host without sessions: when the last one has ended, or,
// given some patience, when there were none for so long.
type idleWatch struct {
	patience time.Duration
	end      func()

	mu    sync.Mutex // guards the fields below
	open  int
	timer *time.Timer // runs while open is 0 and there is patience to lose
}

func newIdleWatch(patience time.Duration, end func()) *idleWatch {
	w := &idleWatch{patience: patience, end: end}
	if patience > 0 {
		w.timer = time.AfterFunc(patience, end)
	}
	return w
}

// Started implements [host.Observer].
func (w *idleWatch) Started(*host.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open++
	if w.timer != nil {
		w.timer.Stop()
	}
}

// Ended implements [host.Observer].
func (w *idleWatch) Ended(*host.Session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open--
	if w.open == 0 {
		w.timer = time.AfterFunc(w.patience, w.end)
	}
}

// Handled implements [host.Observer].
func (w *idleWatch) Handled(*host.Session, string, time.Duration, error) {}

// observers tells several of what happens.
type observers []host.Observer

// Started implements [host.Observer].
func (all observers) Started(s *host.Session) {
	for _, o := range all {
		o.Started(s)
	}
}

// Ended implements [host.Observer].
func (all observers) Ended(s *host.Session) {
	for _, o := range all {
		o.Ended(s)
	}
}

// Handled implements [host.Observer].
func (all observers) Handled(s *host.Session, method string, took time.Duration, err error) {
	for _, o := range all {
		o.Handled(s, method, took, err)
	}
}
