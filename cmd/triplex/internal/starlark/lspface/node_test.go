package lspface

import (
	"testing"

	"triplex/testdata/node"
)

// TestNode drives the program with the library of VS Code's language clients.
func TestNode(t *testing.T) {
	const needs = "vscode-languageserver-protocol"
	program := node.Program(t, needs)
	drive := func(t *testing.T, mode, target string) {
		node.Drive(t, needs, "languageclient.js", mode, tree(t, nil), target)
	}
	t.Run("stdio", func(t *testing.T) { drive(t, "stdio", program) })
	t.Run("tcp", func(t *testing.T) { drive(t, "tcp", node.Serve(t, program)) })
}
