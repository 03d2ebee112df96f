package debugger

// An Event is something that happened to a Run: one of Stopped, Continued, Output,
// BreakpointChanged, ModuleLoaded, Restarted and Ended.
type Event interface{ event() }

// Stopped says that the program stands still.
type Stopped struct{ Stop Stop }

// Continued says that a client made the stopped program go on.
type Continued struct {
	// By is what the client called itself in Resume.
	By string
}

// Output is text of the program or about it.
type Output struct {
	Category Category
	// Text is one or more lines, each with its newline.
	Text string
	// Path, Line and Column say which statement it comes from. Path is empty if none does.
	Path         string
	Line, Column int
}

// A Category says what an Output is.
type Category int

// The categories of output.
const (
	Stdout    Category = iota // what the program printed
	Console                   // what a log point says
	Important                 // what the user must know, such as a condition that fails
)

// BreakpointChanged says that a breakpoint is now verified, or at another line, or has a message.
type BreakpointChanged struct{ Breakpoint BreakpointStatus }

// ModuleLoaded says that a module is about to run for the first time.
type ModuleLoaded struct{ Module Module }

// Restarted says that the program begins anew, at the request of a client.
type Restarted struct{}

// Ended is the last event of a Run.
type Ended struct{ Result Result }

func (Stopped) event()           {}
func (Continued) event()         {}
func (Output) event()            {}
func (BreakpointChanged) event() {}
func (ModuleLoaded) event()      {}
func (Restarted) event()         {}
func (Ended) event()             {}

// A Reason says why a program stopped.
type Reason string

// The reasons for a stop.
const (
	ReasonEntry      Reason = "entry"
	ReasonStep       Reason = "step"
	ReasonBreakpoint Reason = "breakpoint"
	ReasonFunction   Reason = "function breakpoint"
	ReasonPause      Reason = "pause"
	ReasonException  Reason = "exception"
)

// A Stop describes where and why a program stands still.
type Stop struct {
	Reason Reason
	// Text says more about an exception: its message.
	Text string
	// Hits are the ids of the breakpoints at the statement that are due.
	Hits []int
	// Path, Line and Column are where the innermost frame stands.
	Path         string
	Line, Column int
}

// A Result says how a program ended.
type Result struct {
	// Err is nil if the program ran to its end, ErrTerminated if a client ended it.
	Err error
	// Backtrace is Err for people, with the calls and loads that led to it.
	Backtrace string
	// ExitCode is 0 if Err is nil, else 1.
	ExitCode int
}
