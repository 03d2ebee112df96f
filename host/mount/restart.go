package mount

import (
	"context"
	"errors"
	"fmt"

	"triplex/host"
)

// replace starts a server for the request m: in the place of old, which has died, or as the first
// if old is nil.
func (r *relay) replace(ctx context.Context, old *link, m *host.Message) (*link, error) {
	if old != nil {
		cause := old.cause(ctx, m)
		if ctx.Err() != nil || r.replay == nil {
			return nil, cause
		}
		if err := r.budget.Spend(); err != nil {
			return nil, fmt.Errorf("%w; %w", cause, err)
		}
		r.log.Warn("starting a new server", "reason", old.err)
	} else if err := r.takeLate(); err != nil {
		return nil, fmt.Errorf("no server for %s: %w", m.Method, err)
	}
	ctx, cancel := r.set.Options.startContext(ctx)
	defer cancel()
	l, err := r.connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("no server for %s: %w", m.Method, err)
	}
	if err := r.adopt(l); err != nil {
		return nil, err
	}
	if err := r.bringUp(ctx, l); err != nil {
		l.close()
		return nil, fmt.Errorf("no server for %s: %w", m.Method, err)
	}
	return l, nil
}

// takeLate returns, once, the error of a first start that took too long.
func (r *relay) takeLate() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.late
	r.late = nil
	return err
}

// adopt makes l the session's server, unless the session has ended.
func (r *relay) adopt(l *link) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.link = l
		return nil
	}
	l.close()
	return fmt.Errorf("%w while a server was started", host.ErrClosed)
}

// bringUp tells a new server what the old one had been told.
func (r *relay) bringUp(ctx context.Context, l *link) error {
	for _, m := range r.messages() {
		err := r.tell(ctx, l, m)
		if errors.Is(err, host.ErrClosed) {
			err = l.cause(ctx, m)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// messages returns what a new server has to be told.
func (r *relay) messages() []*host.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.replay == nil {
		return nil
	}
	return r.replay.Messages()
}

func (r *relay) tell(ctx context.Context, l *link, m *host.Message) error {
	if m.Kind == host.KindNotification {
		return l.far.Notify(ctx, m.Method, m.Params)
	}
	return l.far.Call(ctx, m.Method, m.Params, nil)
}
