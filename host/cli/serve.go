package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

// serveFlags are the flags of the command serve.
type serveFlags struct {
	stdio       bool
	pipe        string
	socket      string // PORT, as --socket or as --port
	listen      []string
	mounts      mountFlags
	framing     framing.Framing
	limits      host.Limits
	maxSessions count
	idle        *span // nil without --exit-when-idle
	client      count // 0 without --client-process-id
	otherUsers  bool
	tls         serverTLS
	http        httpFlags
	metrics     metricsFlags
	record      recordFlags

	addresses []transport.Address // those of listen that are of sessions
}

const serveHelp = `Serve method sets over stdio, TCP and unix sockets.

Without --listen, --pipe and --socket it serves standard input and output, as an
editor wants that spawns it. With --pipe or --socket it connects to an editor that
listens. Each address it listens on is printed on standard error, once it listens.
--stdio and --listen go together: others can then attach to what an editor spawned.

Only processes of the same user are let in. An address that other machines can
reach needs --tls-cert, --tls-key and --tls-client-ca, and clients with a
certificate. Sockets passed by systemd (LISTEN_FDS) are served as well.

A mount that serves HTTP does so at http://HOST:PORT/PATH, on this machine, or at
https://HOST:PORT/PATH with --tls-cert, --tls-key and, for other machines, the
--token-file that clients have to know the token of.

A mount SPEC is the name of one of the program's method sets, or
[NAME:]KIND=TARGET for another server: KIND is its protocol, and TARGET is
exec:COMMAND ARGS to start it for each session, or tcp://HOST:PORT or unix:///PATH
to connect to it. A ${port} in a command is a port to connect to.`

func (a *app) serveCommand() *cobra.Command {
	f := new(serveFlags)
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve method sets over stdio, TCP and unix sockets",
		Long:  serveHelp,
		Example: "  " + a.Name + " serve --listen tcp://127.0.0.1:4389\n" +
			"  " + a.Name + " serve --stdio --listen unix:///run/user/1000/" + a.Name + ".sock",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return withBallast(func() error { return a.serve(cmd.Context(), f) })
		},
	}
	f.register(cmd.Flags())
	if a.Flags != nil {
		a.Flags(cmd.Flags())
	}
	return cmd
}

func (f *serveFlags) register(flags *pflag.FlagSet) {
	flags.SetNormalizeFunc(spellFlag)
	flags.SortFlags = false
	flags.BoolVar(&f.stdio, "stdio", false, "serve standard input and output")
	flags.StringArrayVar(&f.listen, "listen", nil,
		"listen on `ADDR`: tcp://HOST:PORT, unix:///PATH or http://HOST:PORT/PATH (repeatable)")
	flags.Var((*word)(&f.pipe), "pipe", "connect to the unix socket `NAME` and serve that")
	flags.Var((*word)(&f.socket), "socket", "connect to `PORT` on this machine and serve that")
	flags.Var((*word)(&f.socket), "port", "the `PORT` of --socket")
	flags.Lookup("port").Hidden = true
	f.mounts.register(flags)
	flags.TextVar(&f.framing, "framing", framing.Auto,
		"tell messages apart by `FRAMING`: auto, content-length or newline")
	flags.BoolVar(&f.otherUsers, "allow-other-users", false,
		"let in processes of other users of this machine")
	f.tls.register(flags)
	f.http.register(flags)
	flags.Var(&f.client, "client-process-id", "exit when the process `PID` ends")
	flags.VarPF(&idleFlag{&f.idle}, "exit-when-idle", "",
		"exit when the last session has ended, or after `DURATION` without sessions",
	).NoOptDefVal = "0s"
	f.metrics.register(flags)
	f.record.register(flags)
	f.maxSessions = 16_384
	flags.Var(&f.maxSessions, "max-sessions", "sessions at one time")
	registerLimits(flags, &f.limits)
}

// check completes the flags and refuses those that do not go together.
func (f *serveFlags) check() error {
	endpoints := 0
	for _, given := range []bool{f.stdio, f.pipe != "", f.socket != ""} {
		if given {
			endpoints++
		}
	}
	if endpoints > 1 {
		return usagef("--stdio, --pipe and --socket are three ways to one editor: choose one")
	}
	for i, s := range f.listen {
		address, err := transport.ParseAddress(s, "tcp", "unix", "http", "https")
		switch {
		case err != nil:
			return usagef("--listen: %w", err)
		case address.Port > 0 && slices.Contains(f.listen[:i], s):
			return usagef("--listen %s is there twice", s)
		case strings.HasPrefix(address.Network, "http"):
			f.http.addresses = append(f.http.addresses, address)
		default:
			f.addresses = append(f.addresses, address)
		}
	}
	if err := f.metrics.check(); err != nil {
		return err
	}
	if err := f.http.check(); err != nil {
		return err
	}
	return f.tls.check(f.http.secured())
}

// idleFlag is the flag --exit-when-idle, whose duration may be left out.
type idleFlag struct{ idle **span }

// String implements pflag.Value.
func (f *idleFlag) String() string {
	if f.idle == nil || *f.idle == nil {
		return ""
	}
	return time.Duration(**f.idle).String()
}

// Set implements pflag.Value.
func (f *idleFlag) Set(text string) error {
	idle := new(span)
	if text != "0s" {
		if err := idle.Set(text); err != nil {
			return err
		}
	}
	*f.idle = idle
	return nil
}

// Type is the name of the value in help.
func (f *idleFlag) Type() string { return "DURATION" }

// registerLimits makes a flag of each field of l.
func registerLimits(flags *pflag.FlagSet, l *host.Limits) {
	*l = l.WithDefaults()
	flags.Var((*size)(&l.Frame), "max-frame", "bytes of one message")
	flags.Var((*size)(&l.Header), "max-header", "bytes of one header block")
	flags.Var((*count)(&l.Depth), "max-depth", "levels of nested JSON")
	flags.Var((*count)(&l.InFlight), "max-in-flight",
		"unanswered requests of a session, and elements of a batch")
	flags.Var((*size)(&l.QueuedIn), "max-queued-in",
		"bytes of a session that wait to be handled or answered")
	flags.Var((*size)(&l.QueuedOut), "max-queued-out", "bytes of a session that wait to be written")
	flags.Var((*span)(&l.WriteTimeout), "write-timeout",
		"end a session whose peer reads nothing for so long")
	flags.Var((*span)(&l.DrainTimeout), "drain-timeout",
		"how long open requests may take when a session ends, and its peer to read")
	flags.Var((*span)(&l.IdleTimeout), "idle-timeout",
		"end a session without traffic after so long (default never)")
	flags.Var((*span)(&l.CallTimeout), "call-timeout",
		"how long a peer may take to answer a request of the host")
}
