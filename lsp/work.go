package lsp

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"go.lsp.dev/protocol"

	"triplex/host"
)

// WorkOptions says how progress is shown. The zero value makes a display of its own, without a
// percentage and without a button to cancel.
type WorkOptions struct {
	// Token is the workDoneToken of the request the work is done for, nil if its client gave none
	// or there is no request. With it the context must be that of the request, and the work must
	// end before the request is answered.
	Token protocol.ProgressToken
	// Message is shown beside the title at first.
	Message string
	// Percentage is set if reports say how much of the work is done.
	Percentage bool
	// Cancellable offers the user to cancel the work, which ends its context.
	Cancellable bool
}

// Work tells the client's user how some work goes on. The methods of a Work never wait for an
// answer of the client, and are safe for concurrent use.
type Work struct {
	s      *Session
	token  protocol.ProgressToken
	title  string
	opts   WorkOptions
	cancel context.CancelFunc

	mu      sync.Mutex // guards the fields below
	idle    sync.Cond  // is signalled when busy becomes false
	busy    bool       // someone is sending, or waits for the client to make the display
	begun   bool       // the begin has been sent
	ended   bool       // the work is over, which the client may not know yet
	over    bool       // nothing is sent any more
	news    bool       // message or percent have changed since they were sent
	message string
	percent uint32
}

// Progress begins some work whose progress the client's user can see: until the Work's End, which
// must be called. The context it returns ends when the user cancels the work.
//
// Without a client's token a display is asked for; what is reported until it is there is shown
// then. Where the client has none, or never answers, the Work is silent (LSP 3.18, Work Done
// Progress).
func (s *Session) Progress(
	ctx context.Context, title string, o WorkOptions,
) (context.Context, *Work) {
	ctx, cancel := context.WithCancel(ctx)
	w := &Work{s: s, title: title, opts: o, cancel: cancel, message: o.Message, token: o.Token}
	w.idle.L = &w.mu
	switch {
	case o.Token != nil:
		host.AfterReply(ctx, w.expire)
		w.flush()
	case s.addWork(w):
		w.busy = true
		if !s.core.Go(w.create) {
			w.over = true
		}
	default:
		w.over = true
	}
	return ctx, w
}

// addWork gives w a token under which the user can cancel it. It returns false if the client
// cannot show progress.
func (s *Session) addWork(w *Work) bool {
	window := s.ClientCapabilities().Window
	if window == nil || !isTrue(window.WorkDoneProgress) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mute {
		return false
	}
	if s.work == nil {
		s.work = map[protocol.ProgressToken]context.CancelFunc{}
	}
	w.token = protocol.String(fmt.Sprintf("server-work-%d", s.nextID()))
	s.work[w.token] = w.cancel
	return true
}

// forgetWork ends the validity of a token.
func (s *Session) forgetWork(token protocol.ProgressToken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.work, token)
}

// cancelWork cancels the work with that token, whether the user was offered to or not.
func (s *Session) cancelWork(token protocol.ProgressToken) {
	s.mu.Lock()
	cancel := s.work[token]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// create asks the client for the display and lets the reports go once that is there. A client
// that does not answer is not asked again.
func (w *Work) create(ctx context.Context) {
	_, err := WorkDoneProgressCreate.Call(ctx, w.s,
		&protocol.WorkDoneProgressCreateParams{Token: w.token})
	if err != nil {
		w.s.core.Logger().Debug("no progress is shown", "title", w.title, "error", err)
		w.s.forgetWork(w.token)
	}
	if errors.Is(err, host.ErrCallTimeout) {
		w.s.mu.Lock()
		w.s.mute = true
		w.s.mu.Unlock()
	}
	w.mu.Lock()
	w.busy, w.over = false, err != nil
	w.mu.Unlock()
	w.flush()
}

// Report tells how the work goes on: what is being done, if message is not empty, and how much
// of it is done, in percent up to 100, if the options say so. Of reports that come before the
// client has made the display, the last one is shown.
func (w *Work) Report(message string, percent int) {
	w.mu.Lock()
	if message != "" {
		w.message = message
	}
	w.percent = uint32(min(max(percent, 0), 100))
	w.news = true
	w.mu.Unlock()
	w.flush()
}

// End ends the work and its context. The message, if not empty, is the last thing shown. Calls
// after the first do nothing.
func (w *Work) End(message string) {
	w.mu.Lock()
	if !w.ended {
		w.ended, w.message = true, message
	}
	w.mu.Unlock()
	w.flush()
	w.s.forgetWork(w.token)
	w.cancel()
}

// expire stops the reports, as the request whose token they use has been answered.
func (w *Work) expire() {
	w.mu.Lock()
	late := w.begun && !w.ended
	w.over = true
	w.mu.Unlock()
	if late {
		w.s.core.Logger().Warn("a request was answered before its work ended", "title", w.title)
	}
}

// flush sends what the client is to know and does not yet, unless the display has still to be
// made. One goroutine sends at a time, so that begin, reports and end keep their order, and none
// holds mu meanwhile.
func (w *Work) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.busy && w.begun {
		w.idle.Wait()
	}
	if w.busy {
		return
	}
	w.busy = true
	for v := w.next(); v != nil; v = w.next() {
		w.mu.Unlock()
		w.send(v)
		w.mu.Lock()
	}
	w.busy = false
	w.idle.Broadcast()
}

// next returns the next value to send, nil if there is none. It is called with mu held.
func (w *Work) next() any {
	switch {
	case w.over:
		return nil
	case !w.begun:
		w.begun, w.news = true, false
		return &protocol.WorkDoneProgressBegin{
			Kind: "begin", Title: w.title, Message: w.text(), Percentage: w.percentage(),
			Cancellable: &w.opts.Cancellable,
		}
	case w.ended:
		w.over = true
		return &protocol.WorkDoneProgressEnd{Kind: "end", Message: w.text()}
	case w.news:
		w.news = false
		return &protocol.WorkDoneProgressReport{
			Kind: "report", Message: w.text(), Percentage: w.percentage(),
		}
	}
	return nil
}

func (w *Work) text() *string {
	if w.message == "" {
		return nil
	}
	return new(w.message)
}

func (w *Work) percentage() *uint32 {
	if !w.opts.Percentage {
		return nil
	}
	return new(w.percent)
}

// send sends a value. It goes out even if the work was cancelled: the client waits for the end.
func (w *Work) send(v any) {
	value, err := protocol.Marshal(v)
	if err == nil {
		err = Progress.Send(w.s.core.Context(), w.s,
			&protocol.ProgressParams{Token: w.token, Value: value})
	}
	if err != nil {
		w.s.core.Logger().Debug("progress is lost", "title", w.title, "error", err)
	}
}
