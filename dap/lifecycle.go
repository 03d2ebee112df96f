package dap

import (
	"fmt"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/host"
)

// codeNotInitialized is the id of the error for requests that come before `initialize`.
const codeNotInitialized = -32003

// phase is how far a session has come.
type phase uint8

const (
	fresh        phase = iota // no initialize request yet
	initializing              // it is being handled
	initialized               // it has been answered with success
)

// lifecycle keeps the order of a session's messages; see [Dialect] for the rules.
type lifecycle struct {
	mu     sync.Mutex // guards the fields below
	client bool       // we sent the initialize request: what follows is the adapter's to order
	phase  phase
	first  string // the id of the initialize request in hand

	resuming   map[string]bool // ids of requests that resume execution and are not answered
	announced  bool            // initialized has been sent
	terminated bool            // likewise
	leaving    bool            // disconnect has been answered; while initializing, that is held
}

func newLifecycle() host.Lifecycle { return &lifecycle{resuming: map[string]bool{}} }

// AcceptsBatch implements [host.Lifecycle]. The protocol has no batches.
func (l *lifecycle) AcceptsBatch() bool { return false }

// ExitStatus implements [host.Lifecycle].
func (l *lifecycle) ExitStatus() int { return 0 }

// Incoming implements [host.Lifecycle].
func (l *lifecycle) Incoming(m *host.Message) host.Verdict {
	if m.Kind != host.KindRequest {
		return host.Verdict{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.Method == Initialize.Method:
		return l.initialize(m)
	case m.Method == Cancel.Method:
		return cancelled(m)
	case l.phase == fresh && !l.client && m.Method != Disconnect.Method:
		return refuse(codeNotInitialized, "%s came before initialize", m.Method)
	case resumes(m.Method):
		l.resuming[string(m.ID)] = true
	}
	return host.Verdict{}
}

func (l *lifecycle) initialize(m *host.Message) host.Verdict {
	if l.phase == initializing && string(m.ID) == l.first {
		return host.Verdict{Action: host.Drop} // the response in the making answers both
	}
	if l.phase != fresh {
		return refuse(jsonrpc2.CodeInvalidRequest, "this session has been initialized already")
	}
	l.phase, l.first = initializing, string(m.ID)
	return host.Verdict{}
}

// cancelled acts on a cancel request. One that names progress is for the plug-in as well, which
// then answers it.
func cancelled(m *host.Message) host.Verdict {
	var v host.Verdict
	if id, ok := host.Member(m.Params, "requestId"); ok {
		v.Cancel, _ = integer(id)
	}
	if _, ok := host.Member(m.Params, "progressId"); !ok {
		v.Action = host.Answer
	}
	return v
}

// resumes reports whether a request resumes execution, so that its response must come before what
// that leads to. Launch and attach do not count: a debuggee may stop while they are pending.
func resumes(command string) bool {
	switch command {
	case Continue.Method, Next.Method, StepIn.Method, StepOut.Method, StepBack.Method,
		ReverseContinue.Method, RestartFrame.Method, Goto.Method, Restart.Method,
		ConfigurationDone.Method:
		return true
	}
	return false
}

func refuse(code int64, format string, args ...any) host.Verdict {
	return host.Verdict{
		Action: host.Answer,
		Err:    &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)},
	}
}

// Outgoing implements [host.Lifecycle].
func (l *lifecycle) Outgoing(m *host.Message) host.Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case m.Kind == host.KindResponse:
		return l.response(m)
	case l.leaving:
		return host.Verdict{Action: host.Drop}
	case m.Kind == host.KindNotification:
		return l.event(m.Method)
	}
	if l.phase == fresh && m.Method == Initialize.Method {
		l.client = true
	}
	return l.untilInitialized()
}

// untilInitialized holds a message back that must not be sent yet.
func (l *lifecycle) untilInitialized() host.Verdict {
	if l.phase == initialized || l.client {
		return host.Verdict{}
	}
	return host.Verdict{Action: host.Hold}
}

// response lets responses pass: also the refusals of what came before initialize, and complaints
// about what was no message, whose sender may know no better than to wait for them. While
// initialize is being handled they wait for its response.
func (l *lifecycle) response(m *host.Message) host.Verdict {
	if l.phase == initializing && string(m.ID) == l.first {
		return l.initializeResponse(m)
	}
	resumed, leave := l.resuming[string(m.ID)], m.Method == Disconnect.Method
	delete(l.resuming, string(m.ID))
	l.leaving = l.leaving || leave
	if l.phase == initializing {
		return host.Verdict{Action: host.Hold}
	}
	return host.Verdict{Release: resumed && l.phase == initialized, End: leave}
}

// initializeResponse sends what has waited for the response. After a failure the client may try
// again.
func (l *lifecycle) initializeResponse(m *host.Message) host.Verdict {
	l.phase = initialized
	if m.Error != nil {
		l.phase = fresh
	}
	return host.Verdict{Release: true, End: l.leaving}
}

func (l *lifecycle) event(event string) host.Verdict {
	switch event {
	case Initialized.Method:
		if l.announced {
			return host.Verdict{Action: host.Drop}
		}
		l.announced = true
	case Terminated.Method:
		if l.terminated {
			return host.Verdict{Action: host.Drop}
		}
		l.terminated = true
	case Stopped.Method, Continued.Method:
		if len(l.resuming) > 0 {
			return host.Verdict{Action: host.Hold}
		}
	}
	return l.untilInitialized()
}
