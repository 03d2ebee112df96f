package dap

import (
	"context"
	"strconv"
	"sync"
)

// Progress is something that takes its time and that the user sees the progress of. Its methods
// are safe for concurrent use.
type Progress struct {
	s     *Session
	id    string // empty if the client shows no progress
	close func()
}

// Progress tells the client that something longer has begun, if the client can show that
// (supportsProgressReporting). The context it returns ends when the user cancels it, when ctx
// ends, and with End, which must be called in any case. Of a request's handler, ctx is the
// handler's context, so that the client can tell what the progress is for.
func (s *Session) Progress(ctx context.Context, title string) (context.Context, *Progress) {
	work, cancel := context.WithCancel(ctx)
	p := &Progress{s: s}
	p.close = sync.OnceFunc(func() { p.forget(cancel) })
	if !Or(s.Client().SupportsProgressReporting, false) {
		return work, p
	}
	p.id = "progress-" + strconv.FormatInt(s.progresses.Add(1), 10)
	s.mu.Lock()
	if s.progress == nil {
		s.progress = map[string]context.CancelFunc{}
	}
	s.progress[p.id] = cancel
	s.mu.Unlock()
	p.log(ProgressStart.Send(ctx, s, &ProgressStartEventBody{
		ProgressID: p.id, Title: title, RequestID: requestID(ctx), Cancellable: new(true),
	}))
	return work, p
}

// Update tells how far it is: a message, if it is not empty, and a percentage from 0 to 100,
// unless it is negative.
func (p *Progress) Update(ctx context.Context, message string, percentage float64) {
	if p.id == "" {
		return
	}
	body := &ProgressUpdateEventBody{ProgressID: p.id}
	if message != "" {
		body.Message = &message
	}
	if percentage >= 0 {
		body.Percentage = new(min(percentage, 100))
	}
	p.log(ProgressUpdate.Send(ctx, p.s, body))
}

// End tells that it is over, whether it was cancelled or not. Only the first call counts.
func (p *Progress) End() { p.close() }

func (p *Progress) forget(cancel context.CancelFunc) {
	cancel()
	if p.id == "" {
		return
	}
	p.s.mu.Lock()
	delete(p.s.progress, p.id)
	p.s.mu.Unlock()
	p.log(ProgressEnd.Send(p.s.core.Context(), p.s, &ProgressEndEventBody{ProgressID: p.id}))
}

// log notes an event that could not be sent. The work itself does not depend on its being shown.
func (p *Progress) log(err error) {
	if err != nil {
		p.s.core.Logger().Debug("progress not shown", "progress", p.id, "error", err)
	}
}

// cancelProgress cancels the work that a `cancel` request names. Work that is over is no error.
func (s *Session) cancelProgress(id string) {
	s.mu.Lock()
	cancel := s.progress[id]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
