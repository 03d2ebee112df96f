//go:build unix

package mount_test

import (
	"encoding/json"
	"maps"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"triplex/testdata/node"
)

// The clients, programs of testdata/interop: what each needs, and the protocol it speaks.
const (
	languageClient = "language.mjs"
	debugClient    = "debug.mjs"
	mcpClient      = "mcp.mjs"
)

var clients = map[string]struct{ needs, kind string }{
	languageClient: {"vscode-languageserver-protocol", "lsp"},
	debugClient:    {"@vscode/debugadapter-testsupport", "dap"},
	mcpClient:      {"@modelcontextprotocol/sdk", "mcp"},
}

// crowd is how many clients use one host at once.
const crowd = 10

// subject is a server that others wrote, which is used by a client that others wrote, too, directly
// and mounted. In its commands FOLDER is a folder that the client may fill.
type subject struct {
	client string
	name   string // by which the client knows the server
	stdio  string // the command that serves stdin and stdout; empty if none does
	listen string // the command that serves TCP at ${port}; empty if none does
	shared bool   // listen serves any number of connections
}

// TestNode mounts servers that need nothing but the npm packages of testdata/node, and our own
// debugger. Servers that are slow or hard to install are in TestInterop.
func TestNode(t *testing.T) {
	program := node.Program(t, clients[mcpClient].needs)
	bin := func(name string) string { return node.Executable(t, name) }
	for _, s := range []subject{
		{client: languageClient, name: "bash", stdio: bin("bash-language-server") + " start"},
		{client: languageClient, name: "json", stdio: bin("vscode-json-language-server") + " --stdio"},
		{client: debugClient, name: "starlark", stdio: program + " serve --stdio"},
		{client: mcpClient, name: "everything", stdio: bin("mcp-server-everything") + " stdio"},
	} {
		t.Run(s.name, func(t *testing.T) { s.test(t, program) })
	}
}

// test compares what clients get from the server itself with what they get through a host: over
// stdio, attached to a host that runs, and over TCP, a crowd of them at once.
func (s subject) test(t *testing.T, program string) {
	folder := t.TempDir()
	s.stdio = strings.ReplaceAll(s.stdio, "FOLDER", folder)
	var want string // from the first way that there is
	check := func(name string, count int, way ...string) {
		for _, got := range s.use(t, folder, count, way...) {
			if want == "" {
				want = got
			}
			compare(t, name, got, want)
		}
	}
	kind := clients[s.client].kind
	var mounts []string
	if s.stdio != "" {
		check("direct", 1, append([]string{"stdio"}, strings.Fields(s.stdio)...)...)
		mounts = append(mounts, kind+"=exec:"+s.stdio)
	}
	if s.listen != "" {
		address := listen(t, s.listen)
		check("direct, over TCP", 1, "tcp", address)
		mounts = append(mounts, kind+"=exec:"+s.listen)
		if s.shared {
			mounts = append(mounts, kind+"=tcp://"+address)
		}
	}
	for _, mount := range mounts {
		address := node.Serve(t, program, "--mount", mount)
		check(mount+", over stdio", 1, "stdio", program, "serve", "--stdio", "--mount", mount)
		check(mount+", attached", 1, "stdio", program, "attach", "tcp://"+address)
		check(mount+", over TCP", crowd, "tcp", address)
	}
}

// use has clients use the server, and returns what each got.
func (s subject) use(t *testing.T, folder string, count int, way ...string) []string {
	t.Helper()
	script := filepath.Join("..", "..", "testdata", "interop", s.client)
	args := append([]string{script, s.name, folder, strconv.Itoa(count)}, way...)
	cmd := node.Command(t, clients[s.client].needs, args...)
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	all := slices.Collect(strings.Lines(string(out)))
	if err != nil || len(all) != count {
		t.Fatalf("%s: %v, %d lines\n%s", strings.Join(way, " "), err, len(all), &log)
	}
	return all
}

// compare reports each member in which what a client got differs from what another got.
func compare(t *testing.T, name, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	var gotten, wanted map[string]json.RawMessage
	for text, members := range map[string]any{got: &gotten, want: &wanted} {
		if err := json.Unmarshal([]byte(text), members); err != nil {
			t.Fatalf("%s: %v in %s", name, err, text)
		}
	}
	t.Errorf("%s: clients differ", name)
	members := maps.Clone(wanted)
	maps.Copy(members, gotten)
	for member := range members {
		if g, w := string(gotten[member]), string(wanted[member]); g != w {
			t.Errorf("%s: %s is\n%.4000s\nwant\n%.4000s", name, member, g, w)
		}
	}
}

// listen starts a server that listens until the end of the test, and returns its address. It need
// not listen yet.
func listen(t *testing.T, command string) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := ln.Addr().String()
	ln.Close()
	_, port, _ := net.SplitHostPort(address)
	args := strings.Fields(strings.ReplaceAll(command, "${port}", port))
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return address
}
