package debugger

import (
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// DefaultMaxMemory is by how many bytes the memory of the process may grow while a program runs
// when Config.MaxMemory is zero.
const DefaultMaxMemory = 1 << 30

// ErrMemory is how a program ends that takes more memory than it may.
var ErrMemory = errors.New("memory limit exceeded")

// memoryError is ErrMemory with its limit.
func memoryError(limit uint64) error {
	return fmt.Errorf("%w: the host grew by more than %d MiB while the program ran",
		ErrMemory, limit>>20)
}

// A Meter watches the memory of the process for the programs that share it. The interpreter counts
// no bytes, so a program is charged with what the process grows by while the program runs. Of those
// that are over their limits, the one that was charged most is ended first, and the others are
// looked at again when its memory is free. A program that stands still is charged nothing, and
// watching it costs nothing. A single built-in function that takes all the memory there is cannot
// be interrupted. The zero value is ready to use, and safe for concurrent use.
type Meter struct {
	mu    sync.Mutex // guards the fields below
	loads []*load    // of what runs, in the order of beginning
	live  uint64     // bytes kept at the last look
	timer *time.Timer
	over  *load     // was told to end
	told  time.Time // when
}

// A load is what a program, or an evaluation, is charged with.
type load struct {
	limit uint64
	end   func()
	grown uint64 // guarded by Meter.mu
}

// glance is how often the memory is looked at, grace how long what is over its limit may take to
// end before another is looked for.
const (
	glance = 50 * time.Millisecond
	grace  = 2 * time.Second
)

// enter charges l with the memory from now on.
func (m *Meter) enter(l *load) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.loads = append(m.loads, l)
	switch {
	case len(m.loads) > 1:
		return
	case m.timer == nil:
		m.timer = time.AfterFunc(glance, m.look)
	default:
		m.timer.Reset(glance)
	}
	m.live = liveMemory()
}

// leave charges l with nothing more, until it enters again.
func (m *Meter) leave(l *load) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.loads = slices.DeleteFunc(m.loads, func(o *load) bool { return o == l })
	if len(m.loads) == 0 {
		m.timer.Stop()
	}
}

// finish is called when l has left for good and nothing refers to its values any more. If they were
// too many, it frees them.
func (m *Meter) finish(l *load) {
	m.mu.Lock()
	over := m.over == l
	m.mu.Unlock()
	if over {
		debug.FreeOSMemory()
		m.mu.Lock()
		m.over = nil
		m.mu.Unlock()
	}
}

// look charges everyone, and ends the one that is most over its limit.
func (m *Meter) look() {
	live := liveMemory()
	m.mu.Lock()
	worst := m.charge(live)
	if len(m.loads) > 0 {
		m.timer.Reset(glance)
	}
	m.mu.Unlock()
	if worst != nil {
		worst.end()
	}
}

// charge returns what is to be ended, nil if there is none. It requires m.mu.
func (m *Meter) charge(live uint64) (worst *load) {
	before := m.live
	m.live = live
	for _, l := range m.loads {
		l.grown += live
		l.grown -= min(before, l.grown) // garbage may be freed that was there before
		if l.grown > l.limit && (worst == nil || l.grown >= worst.grown) {
			worst = l
		}
	}
	if m.over != nil && time.Since(m.told) < grace {
		return nil
	}
	m.over, m.told = worst, time.Now()
	return worst
}

// liveMemory returns how many bytes the process keeps: those that the last garbage collection has
// left, or half of what there is now, if that is more, and the stacks, which values that are nested
// deep make long. The collector begins when the memory has doubled, and takes its time on a busy
// machine while a program that doubles a list does not.
func liveMemory() uint64 {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	metrics.Read(samples)
	kept := max(samples[0].Value.Uint64(), samples[1].Value.Uint64()/2)
	return kept + samples[2].Value.Uint64()
}
