package cli

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

// attachFlags are the flags of the command attach.
type attachFlags struct {
	start       bool
	framing     framing.Framing
	hostFraming framing.Framing
	limits      host.Limits
	record      recordFlags
	tls         clientTLS
}

const attachHelp = `Connect standard input and output to a running host, for a client that can only
start programs.

Messages pass as they are. Only the framing may differ between the two sides, see
--host-framing. The exit status is what the protocol wants of the server that the
client believes to have started: for LSP 0 after shutdown and exit, 1 otherwise.

With --start a host is started in the background if none listens at ADDR. It is
started with the flags of the command serve that follow --, and ends when it has
had no sessions for a minute (--exit-when-idle). Without ADDR it has a socket of its
own for each folder and list of flags: clients share a host that are started in the
same folder and pass the same flags.`

func (a *app) attachCommand() *cobra.Command {
	f := new(attachFlags)
	cmd := &cobra.Command{
		Use: "attach [flags] ADDR\n  " + a.Name + " attach --start [flags] [ADDR] " +
			"[-- SERVE-FLAGS]",
		DisableFlagsInUseLine: true,
		Short:                 "Connect standard input and output to a running host",
		Long:                  attachHelp,
		Example: "  " + a.Name + " attach tcp://127.0.0.1:4389\n" +
			"  " + a.Name + " attach --start -- --mount lsp=exec:gopls",
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := a.destination(f, args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return a.attach(cmd.Context(), f, to)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *attachFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.BoolVar(&f.start, "start", false, "start a host in the background if none listens")
	flags.TextVar(&f.framing, "framing", framing.Auto,
		"tell the client's messages apart by `FRAMING`: auto, content-length or newline")
	flags.TextVar(&f.hostFraming, "host-framing", framing.Auto,
		"send messages to the host in `FRAMING` (default the client's)")
	flags.Lookup("host-framing").DefValue = ""
	f.limits = host.Limits{}.WithDefaults()
	flags.Var((*size)(&f.limits.Frame), "max-frame", "bytes of one message")
	f.record.register(flags)
	f.tls.register(flags)
}

// destination is the host to attach to.
type destination struct {
	address transport.Address
	serve   []string // the flags to start it with, if it has to be
}

// destination makes sense of the arguments; dash is how many stand before --, negative without
// that.
func (a *app) destination(f *attachFlags, args []string, dash int) (to destination, err error) {
	words := args
	if dash >= 0 {
		words, to.serve = args[:dash], args[dash:]
		if !f.start {
			return to, usagef("the flags after -- are for a host to be started: want --start too")
		}
	}
	if err := f.tls.check(); err != nil {
		return to, err
	}
	if f.start {
		serve, err := a.backgroundFlags(to.serve)
		if err != nil {
			return to, err
		}
		if f.hostFraming == framing.Auto {
			f.hostFraming = serve.framing
		}
	}
	switch {
	case len(words) == 1:
		to.address, err = transport.ParseAddress(words[0])
	case len(words) > 1:
		return to, usagef("want one ADDR, but got %q", words)
	case !f.start:
		return to, usagef("want the ADDR of a host, or --start")
	default:
		to.address, err = a.backgroundAddress(to.serve)
		return to, err
	}
	if err != nil {
		return to, usageError{err}
	}
	return to, nil
}

// attach runs the command attach.
func (a *app) attach(ctx context.Context, f *attachFlags, to destination) error {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // an error like others
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	log, flush := a.logs.open(a.stderr)
	defer flush()
	stdio, err := transport.TakeStdio()
	if err != nil {
		return err
	}
	defer stdio.Close()
	conn, err := a.reach(ctx, f, to, log)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	record, err := f.record.open(log)
	if err != nil {
		return err
	}
	defer closeRecord(record, log)
	b := &bridge{
		client: client{stdio}, host: conn.(halfCloser),
		peer: to.address.String(), name: fmt.Sprintf("attach-%d", os.Getpid()),
		framing: f.framing, hostFraming: f.hostFraming,
		limits: framing.Limits{Frame: f.limits.Frame},
		talk:   &conversation{dialects: a.Dialects}, record: record, log: log,
	}
	if err := b.run(); err != nil && ctx.Err() == nil {
		return err
	}
	return exitStatus(b.talk.exitStatus())
}

// reach connects to the host, which it starts if it is to be started.
func (a *app) reach(
	ctx context.Context, f *attachFlags, to destination, log *slog.Logger,
) (net.Conn, error) {
	dial := func() (net.Conn, error) { return a.dial(ctx, to.address, f.tls.config) }
	conn, err := dial()
	if err != nil && f.start {
		conn, err = a.startHost(ctx, to, dial, log)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", to.address, err)
	}
	return conn, nil
}

// client is the stream of the client: its sides end together.
type client struct{ *transport.Stdio }

// CloseWrite implements halfCloser.
func (c client) CloseWrite() error { return c.Close() }
