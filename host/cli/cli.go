// Package cli is the command line of a plug-in's own program. With
//
//	func main() { cli.Main(cli.Config{Sets: []host.MethodSet{mySet}, Default: "mine"}) }
//
// it serves the method sets over stdio, TCP and unix sockets, with all limits, security and life
// cycle of the host, and comes with the commands attach, call, sessions and log.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"triplex/host"
	"triplex/host/mount/child"
)

// Config describes a program. Only Sets and Default are required.
type Config struct {
	// Name is the program's name in help and messages; empty means triplex.
	Name string
	// Version is what the command version prints; empty means what the build recorded.
	Version string
	// Sets are the method sets that --mount can name.
	Sets []host.MethodSet
	// Groups are sets that --mount can name one by one, or all together by the name of the group:
	// a plug-in that speaks several protocols is one.
	Groups map[string][]host.MethodSet
	// Default is the name of the set or group that is served when there is no --mount.
	Default string
	// Dialects are the protocols that call and mounts of other servers can speak beside plain
	// JSON-RPC.
	Dialects []*host.Dialect
	// Flags adds flags of the method sets to the command serve, if it is not nil. They are parsed
	// before the first session is opened.
	Flags func(*pflag.FlagSet)
}

// dialects returns all protocols that the program knows.
func (c *Config) dialects() []*host.Dialect {
	return append([]*host.Dialect{host.Plain}, c.Dialects...)
}

// Exit codes. A session over stdio may have others, as its protocol wants them.
const (
	exitOK      = 0
	exitFailure = 1
	exitUsage   = 2
)

// Main runs the program's command line and exits. It must be the first thing that main does: what
// is to be mounted may run the program again, as the guard of a child process.
func Main(config Config) {
	child.MaybeGuard()
	a := &app{Config: config, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(a.run(context.Background(), os.Args[1:]))
}

// app is one run of a program.
type app struct {
	Config
	stdin          io.Reader
	stdout, stderr io.Writer
	logs           logFlags
}

// usageError is a mistake in how the program was called.
type usageError struct{ error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// Unwrap gives errors.As access to what is wrong.
func (e usageError) Unwrap() error { return e.error }

// exitStatus ends the program with a status, possibly 0, and without a message.
type exitStatus int

// Error implements error.
func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// run runs the command line args and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	if a.Name == "" {
		a.Name = "triplex"
	}
	root := a.command()
	root.SetArgs(spell(args, commandNames(root)))
	failed, err := root.ExecuteContextC(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	}
	fmt.Fprintf(a.stderr, "%s: %v\n", a.Name, err)
	if !errors.As(err, new(usageError)) {
		return exitFailure
	}
	fmt.Fprintf(a.stderr, "See '%s --help'.\n", failed.CommandPath())
	return exitUsage
}

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   a.Name,
		Short: "Serve JSON-RPC method sets to editors, debuggers, agents and tools",
		Long: a.Name + " runs full-duplex JSON-RPC sessions over stdio, TCP and unix sockets. Editors\n" +
			"spawn it, tools attach to it.",
		Args:          noCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Version:       a.version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagError)
	a.logs.register(root.PersistentFlags())
	root.SetHelpCommand(a.helpCommand())
	root.AddCommand(a.serveCommand(), a.attachCommand(), a.callCommand(), a.sessionsCommand(),
		a.logCommand(), a.versionCommand())
	root.InitDefaultCompletionCmd()
	refuseOthers(root, "completion")
	return root
}

// refuseOthers makes the command called name print its help, and refuse words that are none of its
// own commands. That of the library prints its help for them too.
func refuseOthers(root *cobra.Command, name string) {
	for _, cmd := range root.Commands() {
		if cmd.Name() == name {
			cmd.Args = noCommand
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// noCommand refuses words that are no command.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unknown command %q%s", args[0], suggest(args[0], commandNames(cmd)))
}

func commandNames(cmd *cobra.Command) (names []string) {
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// noArguments refuses words behind a command that takes flags only. They may be meant for a flag
// that can stand alone.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	meant := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" && f.Value.Set(args[0]) == nil {
			meant = fmt.Sprintf("; did you mean --%s=%s?", f.Name, args[0])
		}
	})
	return usagef("%s takes no arguments, but got %q%s", cmd.Name(), args[0], meant)
}

// oneArgument refuses more and less than one word behind a command; name is what it stands for.
func oneArgument(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("want one %s, but got %d arguments", name, len(args))
		}
		return nil
	}
}
