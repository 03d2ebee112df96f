//go:build unix

package mount_test

import (
	"fmt"
	"strings"
	"testing"

	"triplex/host"
	"triplex/host/mount"
	"triplex/lsp"
)

func TestParse(t *testing.T) {
	tests := []struct{ spec, name, kind string }{
		{"lsp=exec:gopls", "lsp", "lsp"},
		{"go:lsp=exec:gopls -rpc.trace serve", "go", "lsp"},
		{"dap=exec:dlv dap --listen=127.0.0.1:${port}", "dap", "dap"},
		{"plain=tcp://127.0.0.1:4389", "plain", "plain"},
		{"x:plain=tcp://[::1]:4389", "x", "plain"},
		{"plain=unix:///run/a=b:c.sock", "plain", "plain"},
	}
	for _, tt := range tests {
		t.Run(tt.spec, func(t *testing.T) {
			set, err := mount.Parse(tt.spec, dialects)
			if err != nil {
				t.Fatal(err)
			}
			if set.Name() != tt.name || set.Dialect().Name != tt.kind {
				t.Errorf("%s of kind %s", set.Name(), set.Dialect().Name)
			}
		})
	}
}

func TestParseSaysWhatWouldBeRight(t *testing.T) {
	tests := []struct{ name, spec, want string }{
		{"no target", "gopls", "want [NAME:]KIND=TARGET"},
		{"empty name", ":lsp=exec:gopls", "want [NAME:]KIND=TARGET"},
		{"unknown kind", "a:lps=exec:gopls", `unknown kind "lps": want one of plain, lsp, dap, mcp`},
		{"no scheme", "lsp=gopls", "want exec:COMMAND, tcp://HOST:PORT or unix:///PATH"},
		{"no command", "lsp=exec: ", "name a program"},
		{"a shell's work", "lsp=exec:sh -c $(x)", "no shell is run"},
		{"unknown scheme", "lsp=http://a/", "tcp://HOST:PORT or unix:///PATH"},
		{"no port", "lsp=tcp://localhost", "want HOST:PORT"},
		{"port 0", "lsp=tcp://localhost:0", "want a port from 1 to 65535"},
		{"relative socket", "lsp=unix://a.sock", "want an absolute path"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := mount.Parse(tt.spec, dialects)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want something with %q in it", err, tt.want)
			}
		})
	}
}

func ExampleParse() {
	set, err := mount.Parse("go:lsp=exec:gopls serve", []*host.Dialect{lsp.Dialect})
	if err != nil {
		fmt.Println(err)
		return
	}
	set.Options.Restarts = -1 // a server that dies is not replaced
	fmt.Println(set.Name(), set.Dialect().Name)
	// Output: go lsp
}
