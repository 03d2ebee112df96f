package child

import (
	"cmp"
	"log/slog"
	"time"
)

// Config says what to start and how long to be patient with it. Args is required; every other
// field has a default.
type Config struct {
	// Args is the command and its arguments; see [Split] for a command in one string. The text
	// ${port} in any of them is replaced by a free loopback port, which is then dialled: see
	// [Process.Conn].
	Args []string

	// Dir is the directory to start in; empty means the caller's.
	Dir string

	// Env is the environment as "key=value"; nil means the caller's.
	Env []string

	// StartTimeout bounds Start: until the child runs and, with a ${port}, until it accepts the
	// connection. Zero means 30 s.
	StartTimeout time.Duration

	// StdinGrace is how long a child may live on after its stdin was closed, before SIGTERM. Zero
	// means 2 s; a negative value means no time.
	StdinGrace time.Duration

	// TermGrace is how long a child, or what it left behind, may live on after SIGTERM, before
	// SIGKILL. Zero means 1 s; a negative value means no time.
	TermGrace time.Duration

	// KillLimit is how long a process may outlast SIGKILL before Close gives up on it: one that
	// the kernel cannot end or that belongs to another user. Zero means 10 s.
	KillLimit time.Duration

	// Logger receives what the child writes to stderr, a line a record, at level Info. Its
	// handler may be slow (lines are then dropped and counted) but must return in the end:
	// [Process.Close] waits for it. Nil means no logging.
	Logger *slog.Logger

	// StderrLine is the longest line of stderr that is kept, in bytes; the rest of a longer line
	// is cut. Zero means 4096; values below 16 mean 16.
	StderrLine int

	// StderrTail is the number of last stderr lines kept for [ExitError]. Zero means 10.
	StderrTail int
}

// withDefaults returns c with every unset field filled in.
func (c Config) withDefaults() Config {
	c.StartTimeout = cmp.Or(c.StartTimeout, 30*time.Second)
	c.StdinGrace = cmp.Or(c.StdinGrace, 2*time.Second)
	c.TermGrace = cmp.Or(c.TermGrace, time.Second)
	c.KillLimit = cmp.Or(c.KillLimit, 10*time.Second)
	c.StderrLine = max(cmp.Or(c.StderrLine, 4096), 16)
	c.StderrTail = max(cmp.Or(c.StderrTail, 10), 0)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}
