package cli

import (
	"bufio"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// h27: the editor listens and the server dials out, however the flag is spelled.
func TestDialsOutToAnEditor(t *testing.T) {
	for _, tc := range []struct{ name, network, args string }{
		{"pipe=", "unix", "serve --pipe=NAME"},
		{"pipe", "unix", "serve --pipe NAME"},
		{"pipe without command", "unix", "--pipe=NAME"},
		{"socket=", "tcp", "serve --socket=PORT"},
		{"socket", "tcp", "serve --socket PORT"},
		{"socket and port=", "tcp", "serve --socket --port=PORT"},
		{"socket and port", "tcp", "--socket --port PORT"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			target := "127.0.0.1:0"
			if tc.network == "unix" {
				target = filepath.Join(t.TempDir(), "editor.sock")
			}
			editor, err := net.Listen(tc.network, target)
			if err != nil {
				t.Fatal(err)
			}
			defer editor.Close()
			_, port, _ := strings.Cut(editor.Addr().String(), ":")
			args := strings.NewReplacer("NAME", target, "PORT", port).Replace(tc.args)
			p := start(t, strings.Fields(args)...)
			conn, err := editor.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(patience))
			roundTrip(t, conn, bufio.NewReader(conn), 1)
			conn.Close()
			p.want(0)
		})
	}
}

func TestNoEditorListens(t *testing.T) {
	for _, tc := range []struct {
		name, arg, complaint string
		status               int
	}{
		{"no socket", "--pipe=" + t.TempDir() + "/none", "connect to the editor", exitFailure},
		{"long path", "--pipe=/tmp/" + strings.Repeat("x", 120), "at most 107 bytes", exitFailure},
		{"no port", "--socket=editor", "want a port", exitUsage},
		{"node", "--node-ipc", "--node-ipc is not supported", exitUsage},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, stderr, status := run(t, "", "serve", tc.arg)
			if status != tc.status || !strings.Contains(stderr, tc.complaint) {
				t.Errorf("exit status %d: %s", status, stderr)
			}
		})
	}
}
