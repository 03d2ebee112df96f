package debugger

import (
	"fmt"
	"slices"
	"strings"
)

// A Breakpoint is a request to stop at a line.
type Breakpoint struct {
	// Line is counted from one. The breakpoint is at the first statement that starts there, or else
	// at the next statement below.
	Line int
	// Column, if not zero, picks among the statements of a line: the first that starts there or
	// after. It counts characters from one.
	Column int
	Conditions
	// LogMessage, if not empty, is said instead of stopping. Expressions in braces are replaced by
	// their values; a doubled brace stands for itself.
	LogMessage string
}

// A FunctionBreakpoint is a request to stop at the first statement of every function of a name.
type FunctionBreakpoint struct {
	Name string
	Conditions
}

// Conditions restrict a breakpoint. Those without anything but white space do not.
type Conditions struct {
	// Condition is an expression that must be true. If it fails, it counts as false and the user is
	// told, once.
	Condition string
	// Hit says for which of the times that Condition was true: "N" or "==N", "!=N", "<N", "<=N",
	// ">N", ">=N", or "%N" for each N'th.
	Hit string
}

// A BreakpointStatus says what became of a breakpoint.
type BreakpointStatus struct {
	ID       int
	Verified bool
	// Message says why the breakpoint is not verified, or what is wrong with it.
	Message string
	// Path, Line and Column are where the breakpoint is, or where it was wanted.
	Path         string
	Line, Column int
}

// A breakpoint is one that is set. What has no other rule does not change.
type breakpoint struct {
	id       int
	by       string           // the client
	status   BreakpointStatus // guarded by Run.mu
	line     Breakpoint       // as wanted; of a function only the conditions
	function string
	broken   string // why it can never stop anything, or empty
	when     *expression
	hit      hitCondition
	message  []segment // of a log point

	// Of the program's goroutine.
	hits   int
	warned bool
}

// breakpoints are all that is set in a Run. They are guarded by Run.mu.
type breakpoints struct {
	lastID    int
	lines     map[string][]*breakpoint // by path
	functions []*breakpoint
	filters   map[string]Filters // by client
}

// set replaces those of a client in a file.
func (b *breakpoints) set(by, path string, list []*breakpoint) {
	if b.lines == nil {
		b.lines = make(map[string][]*breakpoint)
	}
	if list = replaced(b.lines[path], by, list); len(list) == 0 {
		delete(b.lines, path)
		return
	}
	b.lines[path] = list
}

// keep exchanges those of the list that are set already, as clients set all again to add one: these
// go on counting their hits.
func keep(all, list []*breakpoint) {
	type wish struct {
		by, function string
		line         Breakpoint
	}
	set := make(map[wish][]*breakpoint)
	for _, bp := range all {
		w := wish{bp.by, bp.function, bp.line}
		set[w] = append(set[w], bp)
	}
	for i, bp := range list {
		w := wish{bp.by, bp.function, bp.line}
		if same := set[w]; len(same) > 0 {
			list[i], set[w] = same[0], same[1:]
		}
	}
}

// identify gives a breakpoint an id, if it has none yet.
func (b *breakpoints) identify(bp *breakpoint) {
	if bp.id == 0 {
		b.lastID++
		bp.id = b.lastID
	}
}

// replaced returns all breakpoints with those of a client replaced.
func replaced(all []*breakpoint, by string, list []*breakpoint) []*breakpoint {
	others := slices.DeleteFunc(slices.Clone(all), func(bp *breakpoint) bool { return bp.by == by })
	return append(others, list...)
}

func (b *breakpoints) all() []*breakpoint {
	all := slices.Clone(b.functions)
	for _, list := range b.lines {
		all = append(all, list...)
	}
	return all
}

// forget makes the breakpoints count from nothing again.
func (b *breakpoints) forget() {
	for _, bp := range b.all() {
		bp.hits, bp.warned = 0, false
	}
}

// maxBreakpointText is how many bytes a condition or a log message may have.
const maxBreakpointText = 4096

// newBreakpoint checks what a client asks for.
func newBreakpoint(by string, c Conditions, message string) *breakpoint {
	bp := &breakpoint{by: by}
	if len(c.Condition)+len(c.Hit)+len(message) > maxBreakpointText {
		bp.broken = fmt.Sprintf("conditions and message are longer than %d bytes",
			maxBreakpointText)
		return bp
	}
	var problems []string
	note := func(what string, err error) {
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v", what, err))
		}
	}
	var err error
	if strings.TrimSpace(c.Condition) != "" {
		bp.when, err = newExpression(c.Condition)
		note("condition", err)
	}
	bp.hit, err = parseHitCondition(c.Hit)
	note("hit condition", err)
	if message != "" {
		bp.message, err = parseMessage(message)
		note("log message", err)
	}
	bp.broken = strings.Join(problems, "; ")
	return bp
}

// SetBreakpoints replaces the breakpoints that a client has in a file; those of other clients stay.
// It answers in the order of the requests.
func (r *Run) SetBreakpoints(by, path string, want []Breakpoint) []BreakpointStatus {
	list := make([]*breakpoint, len(want))
	for i, w := range want {
		list[i] = newBreakpoint(by, w.Conditions, w.LogMessage)
		list[i].line = w
	}
	l, err := r.read(path)

	r.mu.Lock()
	defer r.mu.Unlock()
	keep(r.points.lines[path], list)
	r.points.set(by, path, list)
	if u := r.unit(path); u != nil {
		// What runs counts, not what the editor has made of it since.
		l, err = u.layout, nil
		defer r.attach(u)
	}
	statuses := make([]BreakpointStatus, len(list))
	for i, bp := range list {
		r.points.identify(bp)
		bp.status = bp.place(path, l, err)
		statuses[i] = bp.status
	}
	return statuses
}

// SetFunctionBreakpoints replaces the function breakpoints of a client; those of other clients
// stay. It answers in the order of the requests.
func (r *Run) SetFunctionBreakpoints(by string, want []FunctionBreakpoint) []BreakpointStatus {
	list := make([]*breakpoint, len(want))
	for i, w := range want {
		list[i] = newBreakpoint(by, w.Conditions, "")
		list[i].function, list[i].line.Conditions = w.Name, w.Conditions
		if w.Name == "" {
			list[i].broken = "no function was named"
		}
	}
	main, err := r.read(r.cfg.Program)

	r.mu.Lock()
	defer r.mu.Unlock()
	keep(r.points.functions, list)
	r.points.functions = replaced(r.points.functions, by, list)
	var known []*layout
	if r.exec != nil {
		for _, u := range r.exec.order {
			known = append(known, u.layout)
			defer r.attach(u)
		}
	}
	if len(known) == 0 && err == nil {
		known = append(known, main)
	}
	statuses := make([]BreakpointStatus, len(list))
	for i, bp := range list {
		r.points.identify(bp)
		bp.status = bp.find(known)
		statuses[i] = bp.status
	}
	return statuses
}

// Reverify looks again at the breakpoints of a file whose text has changed, and tells the observers
// which of them moved. A file that the program has loaded keeps the text it was loaded with, and
// so its breakpoints stay.
func (r *Run) Reverify(path string) {
	r.mu.Lock()
	none := len(r.points.lines[path]) == 0
	r.mu.Unlock()
	if none {
		return
	}
	l, err := r.read(path)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unit(path) == nil {
		r.move(path, l, err)
	}
}

// Locations returns where breakpoints can be in a part of a file: the statements that start from
// first up to and including last. A column of zero is the start of first, and the end of last.
func (r *Run) Locations(path string, first, last Location) ([]Location, error) {
	l, err := r.read(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	if u := r.unit(path); u != nil {
		l = u.layout
	}
	r.mu.Unlock()
	if last.Column == 0 {
		last.Column = maxColumn
	}
	var found []Location
	for _, s := range l.within(extent{first.place(), last.place()}) {
		found = append(found, Location{int(s.pos.Line), int(s.pos.Col)})
	}
	return found, nil
}

// A Location is a line and a column, both counted from one.
type Location struct{ Line, Column int }

// maxColumn is beyond the columns of any line.
const maxColumn = 1<<31 - 1

func (l Location) place() place {
	clamp := func(n int) int32 { return int32(min(max(n, 0), maxColumn)) }
	return place{clamp(l.Line), clamp(l.Column)}
}

// read parses the present text of a file.
func (r *Run) read(path string) (*layout, error) {
	text, err := r.cfg.Source.Read(path)
	if err != nil {
		return nil, err
	}
	return parse(path, text, r.cfg.Options)
}
