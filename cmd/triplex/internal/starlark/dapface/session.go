package dapface

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"triplex/cmd/triplex/internal/starlark/debugger"
	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
	"triplex/dap"
)

// A session is what the adapter knows of one client.
type session struct {
	peer     *dap.Session
	programs *runs.Registry
	texts    texts
	files    files
	points   points

	mu    sync.Mutex // guards the fields below
	phase phase
	abort context.CancelCauseFunc // of the launch or attach in hand
	view  *view                   // nil before there is a program
}

// A phase is how far a session has come. It goes back from starting if that fails.
type phase int

const (
	idle     phase = iota
	starting       // launch or attach is in hand
	debugging
	over // the session was told to end
)

// A view is a client's part in a run.
type view struct {
	run    *runs.Run
	events *debugger.Observer
	// launched is the configuration of a run that this client started, else nil.
	launched *launchArguments
}

// inTerminal reports whether the program prints to a terminal of the client's.
func (v *view) inTerminal() bool { return v.launched != nil && v.launched.Console.isTerminal() }

func newSession(w *workspace.Workspace, programs *runs.Registry, peer *dap.Session) (
	*session, error,
) {
	texts, err := newTexts(w, nil)
	if err != nil {
		return nil, err
	}
	s := &session{peer: peer, programs: programs, texts: texts, files: newFiles(peer)}
	s.points.by = fmt.Sprintf("session %d", peer.Core().ID())
	return s, nil
}

// name is what the client is called among those of a run.
func (s *session) name() string {
	client := s.peer.Client()
	name := dap.Or(client.ClientName, dap.Or(client.ClientID, "debug client"))
	return fmt.Sprintf("%s (session %d)", name, s.peer.Core().ID())
}

// current returns the view of the program, nil if there is none.
func (s *session) current() *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view
}

// program returns what is debugged.
func (s *session) program() (*runs.Run, error) {
	if v := s.current(); v != nil {
		return v.run, nil
	}
	return nil, errNothing
}

// begin enters the phase starting. The context ends when the session is told to end meanwhile, by
// the client or the host.
func (s *session) begin(ctx context.Context) (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.phase {
	case starting, debugging:
		return nil, shown(idBusy, "this session debugs a program already")
	case over:
		return nil, errAbandoned
	}
	s.phase = starting
	ctx, abort := context.WithCancelCause(ctx)
	s.abort = abort
	s.peer.Core().Go(func(context.Context) {
		select {
		case <-s.peer.Core().Ending():
			abort(errAbandoned)
		case <-ctx.Done():
		}
	})
	return ctx, nil
}

// errAbandoned is the answer to a launch or attach that was overtaken by the end of the session.
var errAbandoned = dap.Errorf(idAbandoned, "the session was ended before the program began")

// fail leaves the phase starting without a program, so that the client can try again.
func (s *session) fail() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abort(nil)
	if s.phase == starting {
		s.phase = idle
	}
}

// show makes v the view of the session, unless that has been told to end. It returns the view
// before, nil if there was none.
func (s *session) show(v *view) (before *view, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == over {
		return nil, errAbandoned
	}
	s.phase = debugging
	before, s.view = s.view, v
	return before, nil
}

// finish enters the phase over: nothing can be started any more. It returns the view there is.
func (s *session) finish() *view {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.phase == starting {
		s.abort(errAbandoned)
	}
	s.phase = over
	return s.view
}

// text returns the text of a file: what runs of it, or else what would. Clients count no byte order
// mark as a column, and so there is none.
func (s *session) text(path string) (string, error) {
	if v := s.current(); v != nil {
		if text, ok := v.run.Text(path); ok {
			return text, nil
		}
	}
	text, err := s.texts.Read(path)
	return strings.TrimPrefix(text, source.BOM), err
}
