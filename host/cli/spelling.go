package cli

import (
	"strings"

	"github.com/spf13/pflag"
)

// spell brings the arguments that editors pass into the form that the commands take:
//
//   - a flag in the place of the command means serve, as in `server --stdio`;
//   - `--socket --port=N` means `--port=N` (LSP 3.17, implementation considerations, has the first
//     form, vscode-languageclient the second).
func spell(args []string) []string {
	if len(args) > 0 && strings.HasPrefix(args[0], "-") && !isHelp(args[0]) {
		args = append([]string{"serve"}, args...)
	}
	var spelled []string
	for i, arg := range args {
		if arg == "--" {
			return append(spelled, args[i:]...)
		}
		if arg == "--socket" && i+1 < len(args) && strings.HasPrefix(args[i+1], "--port") {
			continue
		}
		spelled = append(spelled, arg)
	}
	return spelled
}

func isHelp(arg string) bool { return arg == "-h" || arg == "--help" }

// spellFlag gives editors' names of flags ours.
func spellFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clientProcessId" {
		name = "client-process-id"
	}
	return pflag.NormalizedName(name)
}
