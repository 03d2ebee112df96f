package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// spell brings the arguments that editors pass into the form that the commands take:
//
//   - flags without one of the commands mean serve, as in `server --stdio`;
//   - `--socket --port=N` means `--port=N` (LSP 3.17, implementation considerations, has the first
//     form, vscode-languageclient the second).
func spell(args, commands []string) []string {
	if isServe(args, commands) {
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

func isServe(args, commands []string) bool {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") {
		return false
	}
	switch args[0] {
	case "-h", "--help", "-v", "--version":
		return false
	}
	return !slices.ContainsFunc(args, func(arg string) bool {
		return slices.Contains(commands, arg)
	})
}

// spellFlag gives editors' names of flags ours.
func spellFlag(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "clientProcessId" {
		name = "client-process-id"
	}
	return pflag.NormalizedName(name)
}
