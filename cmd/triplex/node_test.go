package main

import (
	"testing"

	"triplex/testdata/node"
)

// TestNode drives the echo method set with the library of VS Code's clients.
func TestNode(t *testing.T) {
	const needs = "vscode-jsonrpc"
	program := node.Program(t, needs)
	t.Run("stdio", func(t *testing.T) {
		node.Drive(t, needs, "jsonrpc.js", "stdio", program, "serve", "--stdio", "--mount", "echo")
	})
	t.Run("tcp", func(t *testing.T) {
		node.Drive(t, needs, "jsonrpc.js", "tcp", node.Serve(t, program, "--mount", "echo"))
	})
}
