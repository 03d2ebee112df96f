package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"triplex/host/wirelog"
)

// logCommandFlags are the flags of the command log.
type logCommandFlags struct {
	check, stats, follow, json bool

	as       string
	methods  []string
	sessions []string
	dir      string
	errors   bool
	slower   span
}

const logHelp = `Print what --record has recorded, a message a line: the time, the session and its
peer, the direction (-> to the server, <- to the client), the method, the id, the
size, and of an answer how long it took and its error.

FILE is read from its oldest rotated part on. Recordings of other programs that have
a message a line in the member "body" can be read as well.

With --check it prints the rules that the messages break, and exits with status 1 if
there are any, as it does if there are lines that cannot be read. With --stats it
prints a table of the methods. The flags that select messages do not go together
with --check.`

func (a *app) logCommand() *cobra.Command {
	f := new(logCommandFlags)
	cmd := &cobra.Command{
		Use:   "log [flags] FILE",
		Short: "Print, check or sum up a recording of sessions",
		Long:  logHelp,
		Example: "  " + a.Name + " serve --mount lsp=exec:gopls --record session.jsonl\n" +
			"  " + a.Name + " log --check session.jsonl",
		DisableFlagsInUseLine: true,
		Args:                  oneArgument("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.validate(); err != nil {
				return err
			}
			return a.printLog(cmd.Context(), f, args[0])
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *logCommandFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.BoolVar(&f.check, "check", false, "print the rules that are broken, not the messages")
	flags.BoolVar(&f.stats, "stats", false, "print a table of the methods, not the messages")
	flags.BoolVar(&f.follow, "follow", false, "go on as the file grows")
	flags.BoolVar(&f.json, "json", false, "print a JSON object a line")
	flags.StringVar(&f.as, "as", "", "take sessions whose protocol is not recorded for `DIALECT`")
	flags.StringArrayVar(&f.methods, "method", nil,
		"only messages of methods that match `PATTERN`, as in 'textDocument/*' (repeatable)")
	flags.StringArrayVar(&f.sessions, "session", nil, "only messages of session `NAME` (repeatable)")
	flags.StringVar(&f.dir, "dir", "", "only messages of `DIRECTION`, in or out")
	flags.BoolVar(&f.errors, "errors", false, "only errors and what is no message")
	flags.Var(&f.slower, "slower", "only answers that took at least so long")
}

func (f *logCommandFlags) validate() error {
	switch {
	case f.check && (f.stats || f.follow || f.json):
		return usagef("--check goes with none of --stats, --follow and --json")
	case f.stats && (f.follow || f.json):
		return usagef("--stats goes with neither --follow nor --json")
	case f.check && f.selects():
		return usagef("--check looks at all messages: a rule may be broken by one that is left out")
	case f.dir != "" && f.dir != string(wirelog.In) && f.dir != string(wirelog.Out):
		return usagef("--dir %s: want in or out", f.dir)
	}
	for _, pattern := range f.methods {
		if _, err := path.Match(pattern, ""); err != nil {
			return usagef("--method %s: %w: want * for any part of a name", pattern, err)
		}
	}
	return nil
}

// selects reports whether some messages are left out.
func (f *logCommandFlags) selects() bool {
	return len(f.methods)+len(f.sessions) > 0 || f.dir != "" || f.errors || f.slower > 0
}

// shows reports whether an event is to be printed.
func (f *logCommandFlags) shows(ev wirelog.Event) bool {
	matches := func(pattern string) bool {
		ok, _ := path.Match(pattern, ev.Method) // validate has seen to the pattern
		return ok || pattern == ev.Method
	}
	switch {
	case len(f.methods) > 0 && !slices.ContainsFunc(f.methods, matches):
	case len(f.sessions) > 0 && !slices.Contains(f.sessions, ev.Session):
	case f.dir != "" && f.dir != string(ev.Dir):
	case f.errors && ev.Err == "" && ev.Raw == nil:
	case f.slower > 0 && (ev.Request == nil || ev.Latency < time.Duration(f.slower)):
	default:
		return true
	}
	return false
}

// printLog runs the command log.
func (a *app) printLog(ctx context.Context, f *logCommandFlags, file string) error {
	if f.as != "" {
		if _, err := a.dialect(f.as); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	var in io.ReadCloser
	var err error
	if f.follow {
		in, err = wirelog.Follow(ctx, file)
	} else {
		in, err = wirelog.Open(file)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	l := &logPrinter{
		app: a, flags: f, in: wirelog.NewReader(in),
		guess:   guesser{dialects: a.dialects(), as: f.as, known: map[string]string{}},
		tracker: wirelog.NewTracker(a.logProtocols()),
		printer: wirelog.Printer{W: a.stdout, Color: isTerminal(a.stdout)},
	}
	l.checker = wirelog.NewChecker(l.tracker)
	return l.run()
}

// logPrinter is one run of the command log.
type logPrinter struct {
	*app
	flags   *logCommandFlags
	in      *wirelog.Reader
	guess   guesser
	tracker *wirelog.Tracker
	checker *wirelog.Checker
	printer wirelog.Printer
	stats   wirelog.Stats
	broken  int // rules
	illegal int // lines
}

func (l *logPrinter) run() error {
	for {
		record, err := l.in.Next()
		var line *wirelog.LineError
		switch {
		case errors.Is(err, io.EOF):
			return l.end()
		case errors.As(err, &line):
			l.unreadable(line)
			continue
		case err != nil:
			return err
		}
		l.guess.name(&record)
		for _, ev := range l.tracker.Add(record) {
			if err := l.event(ev); err != nil {
				return err
			}
		}
	}
}

// maxIllegal is how many unreadable lines are told one by one: a file may be something else.
const maxIllegal = 20

func (l *logPrinter) unreadable(err *wirelog.LineError) {
	if l.illegal++; l.illegal <= maxIllegal {
		fmt.Fprintf(l.stderr, "%v\n", err)
	}
}

func (l *logPrinter) event(ev wirelog.Event) error {
	switch {
	case l.flags.check:
		return l.report(l.checker.Event(ev))
	case !l.flags.shows(ev):
		return nil
	case l.flags.stats:
		l.stats.Add(ev)
		return nil
	case l.flags.json:
		return l.printJSON(ev)
	}
	return l.printer.Print(ev)
}

// report prints broken rules.
func (l *logPrinter) report(found []wirelog.Finding) error {
	for _, finding := range found {
		l.broken++
		if _, err := fmt.Fprintln(l.stdout, finding); err != nil {
			return err
		}
	}
	return nil
}

// end prints what can be said only at the end.
func (l *logPrinter) end() error {
	if err := l.sumUp(); err != nil {
		return err
	}
	if l.in.Cut() && !l.flags.follow {
		fmt.Fprintln(l.stderr, "the last line is not complete")
	}
	if l.illegal > 0 {
		return fmt.Errorf("lines that cannot be read: %d", l.illegal)
	}
	if l.broken > 0 {
		return exitStatus(exitFailure)
	}
	return nil
}

func (l *logPrinter) sumUp() error {
	switch {
	case l.flags.stats:
		return l.stats.Print(l.stdout)
	case !l.flags.check:
		return nil
	}
	if err := l.report(l.checker.End()); err != nil || l.broken+l.illegal > 0 {
		return err
	}
	_, err := fmt.Fprintln(l.stdout, "no rule is broken")
	return err
}

// eventJSON is an event as --json prints it.
type eventJSON struct {
	Time      time.Time       `json:"time"`
	Session   string          `json:"session,omitempty"`
	Peer      string          `json:"peer,omitempty"`
	Protocol  string          `json:"protocol,omitempty"`
	Dir       wirelog.Dir     `json:"dir,omitempty"`
	Kind      string          `json:"kind"`
	ID        json.RawMessage `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Size      int             `json:"bytes,omitempty"`
	Latency   *float64        `json:"latencyMs,omitempty"` // of an answer to a known request
	Error     string          `json:"error,omitempty"`
	Duplicate bool            `json:"duplicateID,omitempty"`
	Dropped   int             `json:"dropped,omitempty"`
	Continues bool            `json:"continues,omitempty"`
	Msg       json.RawMessage `json:"msg,omitempty"`
	Raw       []byte          `json:"raw,omitempty"`
}

var kindNames = map[wirelog.Kind]string{
	wirelog.Other: "other", wirelog.Request: "request",
	wirelog.Notification: "notification", wirelog.Answer: "answer",
}

func (l *logPrinter) printJSON(ev wirelog.Event) error {
	out := eventJSON{
		Time: ev.Time, Session: ev.Session, Peer: ev.Peer, Protocol: ev.Protocol, Dir: ev.Dir,
		Kind: kindNames[ev.Kind], ID: json.RawMessage(ev.ID), Method: ev.Method, Size: ev.Size,
		Error: ev.Err, Duplicate: ev.Duplicate, Dropped: ev.Dropped, Continues: ev.Continues,
		Msg: ev.Msg, Raw: ev.Raw,
	}
	if ev.Request != nil {
		out.Latency = new(float64(ev.Latency) / float64(time.Millisecond))
	}
	encoder := json.NewEncoder(l.stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
