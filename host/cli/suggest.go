package cli

import (
	"errors"
	"fmt"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError explains a flag that could not be parsed.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	switch words := cmd.Flags().Args(); {
	case !errors.As(err, &unknown):
		return usageError{err}
	case !cmd.HasParent() && len(words) > 0: // the flag is one of the command that was meant
		return noCommand(cmd, words)
	}
	name := unknown.GetSpecifiedName()
	if name == "node-ipc" {
		return usagef("--node-ipc is not supported: use --stdio, --pipe=NAME or --socket=PORT")
	}
	if cmd.Name() == "attach" && isServeFlag(cmd, name) {
		return usagef("%w; flags of the host to be started go behind --: attach --start -- --%s",
			err, name)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return usagef("%w%s", err, suggest("--"+name, names))
}

func isServeFlag(cmd *cobra.Command, name string) bool {
	serve, _, err := cmd.Root().Find([]string{"serve"})
	return err == nil && serve.Flags().Lookup(name) != nil
}

// suggest returns a question for the name that word was probably meant to be, or nothing.
func suggest(word string, names []string) string {
	best, least := "", len(word)/3+2
	for _, name := range names {
		if d := levenshtein.Distance(word, name, nil); d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}
