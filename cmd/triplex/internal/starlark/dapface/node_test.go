package dapface

import (
	"net"
	"testing"

	"triplex/testdata/node"
)

// TestNode drives the program with the library that VS Code's debug adapters are tested with.
func TestNode(t *testing.T) {
	const needs = "@vscode/debugadapter-testsupport"
	program := node.Program(t, needs)
	t.Run("stdio", func(t *testing.T) {
		node.Drive(t, needs, "debugclient.js", "stdio", t.TempDir(), program)
	})
	t.Run("tcp", func(t *testing.T) {
		_, port, err := net.SplitHostPort(node.Serve(t, program))
		if err != nil {
			t.Fatal(err)
		}
		node.Drive(t, needs, "debugclient.js", "tcp", t.TempDir(), port)
	})
}
