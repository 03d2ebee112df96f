package cli

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"triplex/framing"
	"triplex/host"
	"triplex/host/transport"
)

// callFlags are the flags of the command call.
type callFlags struct {
	as      string
	framing framing.Framing
	notify  bool
	timeout span
	wait    count
	answers []string
	tls     clientTLS
}

const callHelp = `Send one request to a server, wait for the answer and print its result as JSON.

PARAMS is a JSON object or array, @FILE to read it from a file, or - to read it
from standard input. With -- the server is the command that follows, spoken to
over its standard input and output; otherwise it listens at ADDR. An error answer
goes to standard error, and the exit status is 1. The server's own requests are
answered with what --answer says, and refused (-32601) otherwise.`

func (a *app) callCommand() *cobra.Command {
	f := &callFlags{timeout: span(30 * time.Second)}
	cmd := &cobra.Command{
		Use: "call [flags] ADDR METHOD [PARAMS]\n  " + a.Name +
			" call [flags] METHOD [PARAMS] -- CMD ARGS...",
		DisableFlagsInUseLine: true,
		Short:                 "Send one request to a server and print the result",
		Long:                  callHelp,
		Example: "  " + a.Name + ` call --as lsp tcp://127.0.0.1:4389 workspace/symbol ` +
			`'{"query":"main"}'` + "\n" +
			"  " + a.Name + ` call --as lsp workspace/symbol '{"query":"main"}' -- gopls`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.newCall(f, args, cmd.ArgsLenAtDash())
			if err != nil {
				return err
			}
			return c.run(cmd.Context())
		},
	}
	f.register(cmd.Flags(), a.dialectNames())
	return cmd
}

func (f *callFlags) register(flags *pflag.FlagSet, dialects []string) {
	flags.SortFlags = false
	flags.StringVar(&f.as, "as", host.Plain.Name,
		"speak `DIALECT`, its handshake first: "+strings.Join(dialects, ", "))
	flags.TextVar(&f.framing, "framing", framing.Auto,
		"tell messages apart by `FRAMING`, content-length or newline (default the dialect's)")
	flags.Lookup("framing").DefValue = ""
	flags.BoolVar(&f.notify, "notify", false, "send a notification: there is no answer")
	flags.Var(&f.timeout, "timeout", "give up after so long")
	flags.Var(&f.wait, "wait-notifications",
		"print the first `N` notifications of the server, one a line, and wait for them")
	flags.Lookup("wait-notifications").DefValue = ""
	flags.StringArrayVar(&f.answers, "answer", nil,
		"how to answer a request of the server, as `METHOD=JSON` (repeatable)")
	f.tls.register(flags)
}

// newCall makes sense of the arguments; dash is how many stand before --, negative without that.
func (a *app) newCall(f *callFlags, args []string, dash int) (*call, error) {
	c := &call{app: a, flags: f, enough: make(chan struct{})}
	words := args
	if dash >= 0 {
		words, c.command = args[:dash], args[dash:]
		if len(c.command) == 0 || c.command[0] == "" {
			return nil, usagef("no command after --: want METHOD [PARAMS] -- CMD ARGS")
		}
	}
	if err := c.parseWords(words); err != nil {
		return nil, err
	}
	var err error
	if c.dialect, err = a.dialect(f.as); err != nil {
		return nil, err
	}
	if c.answers, err = parseAnswers(f.answers); err != nil {
		return nil, err
	}
	return c, f.tls.check()
}

// parseWords parses [ADDR] METHOD [PARAMS].
func (c *call) parseWords(words []string) error {
	if len(words) == 0 || c.command == nil && len(words) == 1 {
		return usagef("want ADDR METHOD [PARAMS], or METHOD [PARAMS] -- CMD ARGS")
	}
	address, err := transport.ParseAddress(words[0])
	switch {
	case c.command == nil && err != nil:
		return usageError{err}
	case c.command == nil:
		c.address, words = address, words[1:]
	case err == nil:
		return usagef("%s: the server is the command after --: leave out one of the two", address)
	}
	switch len(words) {
	case 2:
		params, err := readParams(words[1], c.stdin)
		if err != nil {
			return err
		}
		c.params = params
	case 1:
	default:
		return usagef("want METHOD and at most one PARAMS, but got %q: quote the JSON",
			strings.Join(words, " "))
	}
	if c.method = words[0]; c.method == "" {
		return usagef("METHOD is empty")
	}
	return nil
}

// dialect returns the dialect called name.
func (a *app) dialect(name string) (*host.Dialect, error) {
	for _, d := range a.dialects() {
		if d.Name == name {
			return d, nil
		}
	}
	names := a.dialectNames()
	return nil, usagef("--as %s: unknown dialect%s (known: %s)",
		name, suggest(name, names), strings.Join(names, ", "))
}

func (a *app) dialectNames() (names []string) {
	for _, d := range a.dialects() {
		names = append(names, d.Name)
	}
	return names
}

// call is one run of the command call.
type call struct {
	*app
	flags   *callFlags
	dialect *host.Dialect
	answers map[string]json.RawMessage
	address transport.Address // of the server, or
	command []string          // what spawns it
	method  string
	params  json.RawMessage // nil if there are none

	notified int           // notifications printed; only their handler uses it
	enough   chan struct{} // closed when all that were asked for are
}
