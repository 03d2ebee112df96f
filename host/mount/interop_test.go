//go:build unix

package mount_test

import (
	"os"
	"path/filepath"
	"testing"

	"triplex/testdata/node"
)

// TestInterop does with the servers that .ci/interop installs what TestNode does with others.
func TestInterop(t *testing.T) {
	servers := os.Getenv("TRIPLEX_SERVERS")
	if servers == "" {
		t.Skip("skipped: needs language servers and debuggers, run .ci/interop")
	}
	program := node.Program(t, clients[languageClient].needs)
	bin := func(name string) string { return filepath.Join(servers, "bin", name) }
	gopls, dlv, lldb := bin("gopls"), bin("dlv"), bin("lldb-dap-19")
	for _, s := range []subject{
		{
			client: languageClient, name: "gopls", stdio: gopls,
			listen: gopls + " -listen=127.0.0.1:${port}", shared: true,
		},
		{
			client: languageClient, name: "pyright",
			stdio: node.Executable(t, "pyright-langserver") + " --stdio",
		},
		{
			client: languageClient, name: "typescript",
			stdio: node.Executable(t, "typescript-language-server") + " --stdio",
		},
		{
			client: languageClient, name: "yaml",
			stdio: node.Executable(t, "yaml-language-server") + " --stdio",
		},
		{client: debugClient, name: "delve", listen: dlv + " dap --listen=127.0.0.1:${port}"},
		{client: debugClient, name: "lldb", stdio: lldb, listen: lldb + " --port ${port}"},
		{client: debugClient, name: "lldb-terminal", stdio: lldb, listen: lldb + " --port ${port}"},
		{
			client: mcpClient, name: "filesystem",
			stdio: node.Executable(t, "mcp-server-filesystem") + " FOLDER",
		},
		{client: mcpClient, name: "gopls", stdio: "env -C FOLDER " + gopls + " mcp"},
	} {
		t.Run(s.client+" "+s.name, func(t *testing.T) { s.test(t, program) })
	}
}
