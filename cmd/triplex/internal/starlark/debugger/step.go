package debugger

import "go.starlark.net/syntax"

// A Move says how a stopped program goes on.
type Move int

// The moves. The zero Move is Continue.
const (
	Continue Move = iota // until something stops it
	StepIn               // to the next statement, whichever it is
	StepOver             // to the next statement of this call, or of its callers
	StepOut              // to the next statement of its callers
)

// A stepper decides at which statement a step ends. It belongs to the goroutine of the program.
type stepper struct {
	move Move
	// depth is how many frames there were where the step began.
	depth int
	// left tells that the frame where the step began is gone.
	left bool
	// target, if valid, is the call to step into: the position of its opening parenthesis.
	target syntax.Position
}

// begin starts a step in a frame.
func (s *stepper) begin(move Move, depth int, target syntax.Position) {
	*s = stepper{move: move, depth: depth, target: target}
}

// reached reports whether the step ends at a statement with depth frames. entry tells that a call
// begins with the statement; call returns the position in the frame where the step began, and is
// used only if there are more frames than that.
func (s *stepper) reached(depth int, entry bool, call func() syntax.Position) bool {
	if s.move == Continue {
		return false
	}
	if depth == s.depth && entry {
		// Another call has taken the place of the one where the step began: the call returned in
		// the middle of its caller's statement, where nothing stops.
		s.left = true
	}
	switch {
	case s.move == StepIn && !s.target.IsValid():
		return true
	case depth > s.depth:
		return s.target.IsValid() && !s.left && samePlace(call(), s.target)
	case depth == s.depth:
		return s.move != StepOut && !s.left
	}
	return true
}

func samePlace(p, q syntax.Position) bool { return placeOf(p) == placeOf(q) }
