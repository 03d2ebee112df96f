package lspface

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNode drives the program with the library of VS Code's language clients.
func TestNode(t *testing.T) {
	modules := os.Getenv("TRIPLEX_NODE_MODULES")
	if modules == "" {
		t.Skip("skipped: needs npm vscode-languageserver-protocol, run .ci/run")
	}
	program := filepath.Join(t.TempDir(), "triplex")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "triplex/cmd/triplex")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("stdio", func(t *testing.T) { drive(t, modules, "stdio", program) })
	t.Run("tcp", func(t *testing.T) { drive(t, modules, "tcp", serve(t, program)) })
}

// drive runs the client.
func drive(t *testing.T, modules, mode, target string) {
	t.Helper()
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	const script = "../../../../../testdata/node/languageclient.js"
	cmd := exec.CommandContext(t.Context(), "node", script, mode, tree(t, nil), target)
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "ok\n" {
		t.Fatalf("%v\n%s", err, out)
	}
}

// serve starts the program and returns the address on which it says that it listens.
func serve(t *testing.T, program string) (address string) {
	t.Helper()
	cmd := exec.Command(program, "serve", "--listen", "tcp://127.0.0.1:0")
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(said).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on tcp://")
	if !ok {
		t.Fatalf("it said %q, %v", line, err)
	}
	return address
}
