package child

import (
	"fmt"
	"strings"
)

// messageLines and messageLine bound how much stderr an error message carries.
const (
	messageLines = 5
	messageLine  = 200
)

// ExitError is how a child ended that did not exit with status 0.
type ExitError struct {
	// Command is the base name of the program. Arguments are left out: they may hold secrets.
	Command string

	// Code is the exit status, or -1 when there is none.
	Code int

	// Signal names the signal that ended the child; empty when none did.
	Signal string

	// Stderr holds the last lines the child wrote to stderr, oldest first.
	Stderr []string
}

// Error says how the child ended and what it last wrote to stderr, in one line.
func (e *ExitError) Error() string {
	var b strings.Builder
	b.WriteString(e.Command)
	switch {
	case e.Signal != "":
		fmt.Fprintf(&b, " was ended by signal %q", e.Signal)
	case e.Code >= 0:
		fmt.Fprintf(&b, " exited with status %d", e.Code)
	default:
		b.WriteString(" ended, and its exit status is not known: its guard process was killed")
	}
	for i, line := range e.Stderr[max(0, len(e.Stderr)-messageLines):] {
		if i == 0 {
			b.WriteString("; the end of its stderr: ")
		} else {
			b.WriteString(" | ")
		}
		b.WriteString(shorten(line, messageLine))
	}
	return b.String()
}

// shorten returns line or, when it is longer than limit bytes, its beginning and an ellipsis.
func shorten(line string, limit int) string {
	if len(line) <= limit {
		return line
	}
	return strings.ToValidUTF8(line[:limit], "") + "…"
}

// exitError returns how the program called name ended, as an error; nil for exit status 0. A last
// report that is not one of an end means that nobody was there to make it.
func exitError(name string, last report, stderr []string) error {
	if !last.Ended {
		return &ExitError{Command: name, Code: -1, Stderr: stderr}
	}
	if last.Code == 0 {
		return nil
	}
	return &ExitError{Command: name, Code: last.Code, Signal: last.Signal, Stderr: stderr}
}
