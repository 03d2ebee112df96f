package child

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrBudget is in the error of a [Budget] that is used up.
var ErrBudget = errors.New("restarted too often")

// Budget bounds how often a child that keeps dying is started again: a number of restarts within
// a sliding window of time. The zero value is ready to use; a Budget is safe for concurrent use
// and must not be copied after its first use.
type Budget struct {
	// Restarts is how many restarts a window has room for. Zero means 5; a negative number
	// means none.
	Restarts int

	// Window is the length of the window. Zero means 180 s.
	Window time.Duration

	mu    sync.Mutex  // guards the field below
	spent []time.Time // the restarts of the last window, oldest first
}

// Spend takes one restart from the budget. When none is left it takes nothing and returns an
// error that wraps [ErrBudget] and says when there will be one again.
func (b *Budget) Spend() error {
	restarts := max(cmp.Or(b.Restarts, 5), 0)
	window := cmp.Or(b.Window, 180*time.Second)
	now := time.Now()

	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.spent) > 0 && now.Sub(b.spent[0]) >= window {
		b.spent = b.spent[1:]
	}
	if restarts == 0 {
		return fmt.Errorf("%w: no restart is allowed", ErrBudget)
	}
	if len(b.spent) >= restarts {
		wait := window - now.Sub(b.spent[0])
		return fmt.Errorf("%w: %d times within %v; try again in %v",
			ErrBudget, restarts, window, wait.Round(time.Second))
	}
	b.spent = append(b.spent, now)
	return nil
}
