package child

import (
	"errors"
	"os"
	"sync/atomic"
	"time"
)

// guardName is the argv[0] that makes this executable a guard.
const guardName = "child-guard"

// The descriptors a guard finds open besides its child's stdin, stdout and stderr.
const (
	ordersFD  = 3 // it reads values of type order; the end of the pipe is the order to end
	reportsFD = 4 // it writes values of type report
)

// guardFailed is the exit status of a guard that has reported why it failed, or had no child to
// start. It is 0 if nothing is left to do; any other is that of a guard that was killed or crashed.
const guardFailed = 1

// order is what a host tells a guard. The first one starts the child. (Orders and reports travel
// as gob, which, unlike JSON, carries arguments that are not UTF-8.)
type order struct {
	Args       []string
	Dir        string
	Env        []string
	StdinGrace time.Duration
	TermGrace  time.Duration
	KillLimit  time.Duration

	End  bool // end the child, with the grace periods
	Kill bool // end the child at once
}

// report is what a guard tells its host: that the child runs, or the error that kept it from it;
// then how the child ended; then, if that is so, the error that something of it is left.
type report struct {
	PID    int
	Ended  bool
	Code   int    // the exit status, or -1 when a signal ended the child
	Signal string // the name of that signal
	Error  string
}

// guardReady tells Start that this executable can be a guard. A program that forgot to call
// MaybeGuard would otherwise run itself a second time for each child, as itself.
var guardReady atomic.Bool

var errNoGuard = errors.New("child.MaybeGuard was not called; it must be the first call of main")

// MaybeGuard turns this process into a guard, and then does not return, when [Start] ran it as
// one. It must be the first thing that main does in every program that calls Start, and the first
// thing in TestMain of their tests: what comes before it runs in every guard too.
func MaybeGuard() {
	guardReady.Store(true)
	if os.Args[0] == guardName {
		os.Exit(runGuard())
	}
}
