package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/cobra"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

const sessionsHelp = `List the live sessions of a running host. ADDR is one that it listens on, of
tcp:// or unix://.

The host tells only processes of its own user, which on systems other than Linux
it knows over unix sockets alone. A client over HTTP is a session that it has begun
or, for what stands alone, a connection. For a program to read:
  `

func (a *app) sessionsCommand() *cobra.Command {
	var secured clientTLS
	cmd := &cobra.Command{
		Use:                   "sessions [flags] ADDR",
		DisableFlagsInUseLine: true,
		Short:                 "List the live sessions of a running host",
		Long:                  sessionsHelp + a.Name + " call ADDR " + listSessions.Method,
		Example:               "  " + a.Name + " sessions tcp://127.0.0.1:4389",
		Args:                  oneArgument("ADDR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			address, err := transport.ParseAddress(args[0])
			if err != nil {
				return usageError{err}
			}
			if err := secured.check(); err != nil {
				return err
			}
			infos, err := a.askSessions(cmd.Context(), address, secured.config)
			if err != nil {
				return fmt.Errorf("%s: %w", address, err)
			}
			return printSessions(a.stdout, infos, time.Now())
		},
	}
	secured.register(cmd.Flags())
	return cmd
}

// askPatience bounds the connecting, and the asking in one way.
const askPatience = 10 * time.Second

// errSilent is that the server did not answer.
var errSilent = fmt.Errorf("what listens there has said nothing within %s", askPatience)

// errNotTold is that the server answered, but not what was asked.
var errNotTold = errors.New("no host listens there that lists its sessions to you: it may want " +
	"TLS (--tls-cert), serve HTTP, or have no room for one more session")

// askSessions asks the host at an address. It does not know what that host speaks, so it tries
// JSON-RPC in both framings, and then the dialects that have an envelope of their own.
func (a *app) askSessions(
	ctx context.Context, address transport.Address, secured *tls.Config,
) ([]sessionInfo, error) {
	type way struct {
		dialect *host.Dialect
		framing framing.Framing
	}
	ways := []way{{host.Plain, framing.Newline}, {host.Plain, framing.ContentLength}}
	for _, d := range a.Dialects {
		if d.NewEnvelope != nil {
			ways = append(ways, way{d, d.Framing})
		}
	}
	for _, w := range ways {
		conn, err := a.dialPatiently(ctx, address, secured)
		if err != nil {
			return nil, err
		}
		if infos, err := ask(ctx, conn, w.dialect, w.framing); isSettled(err) {
			return infos, err
		}
	}
	return nil, errNotTold
}

func (a *app) dialPatiently(
	ctx context.Context, address transport.Address, secured *tls.Config,
) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	return a.dial(ctx, address, secured)
}

// isSettled reports whether it makes no sense to ask in another way after err. A host has something
// to say to whatever it is asked.
func isSettled(err error) bool {
	return err == nil || errors.Is(err, errNotTold) || errors.Is(err, errSilent)
}

// ask asks in one way.
func ask(
	ctx context.Context, conn net.Conn, d *host.Dialect, f framing.Framing,
) (infos []sessionInfo, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, askPatience, errSilent)
	defer cancel()
	err = converse(conn, &clientSet{dialect: asClient(d, true)}, f, func(s *host.Session) error {
		infos, err = listSessions.Call(ctx, s, host.NoParams{})
		if errors.As(err, new(*jsonrpc2.Error)) {
			return errNotTold
		}
		return err
	})
	return infos, err
}

// printSessions prints a table, the oldest session first.
func printSessions(w io.Writer, infos []sessionInfo, now time.Time) error {
	slices.SortFunc(infos, func(a, b sessionInfo) int { return cmp.Compare(a.ID, b.ID) })
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PEER\tPROTOCOL\tFRAMING\tAGE\tREQUESTS\tIN FLIGHT\tBYTES IN\tBYTES OUT")
	for _, i := range infos {
		age := now.Sub(i.Started).Round(time.Second)
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\n", i.Peer,
			cmp.Or(i.Protocol, "-"), known(i.Framing), age, i.Requests, i.InFlight, i.BytesIn, i.BytesOut)
	}
	return table.Flush()
}

// known returns the name of a framing, or - if there is none, or none yet.
func known(f framing.Framing) string {
	if f == framing.Auto {
		return "-"
	}
	return f.String()
}
