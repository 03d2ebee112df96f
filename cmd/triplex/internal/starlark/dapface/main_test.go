package dapface

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"triplex/cmd/triplex/internal/starlark/terminal"
)

// terminalRole makes the test binary the process in a terminal.
const terminalRole = "in-a-terminal"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == terminalRole {
		code, err := terminal.Serve(context.Background(), os.Args[2], os.Getenv(TokenVariable),
			os.Stdout, os.Stderr)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 70
		}
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

func terminalCommand() []string { return []string{os.Args[0], terminalRole} }
