//go:build unix

package transport_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"triplex/host/transport"
)

// listenAt listens on a socket's path.
func listenAt(ctx context.Context, path string) (*transport.Listener, error) {
	lns, err := new(transport.Config).Listen(ctx, transport.Address{Network: "unix", Path: path})
	if err != nil {
		return nil, err
	}
	return lns[0], nil
}

// leaveSocket leaves a socket file on which nobody listens.
func leaveSocket(t *testing.T, path string) {
	t.Helper()
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ln.(*net.UnixListener).SetUnlinkOnClose(false)
	ln.Close()
}

func TestSocketIsForItsOwnerOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	ln, err := listenAt(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("its mode is %o", mode)
	}
	ln.Close()
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("after Close the file is still there: %v", err)
	}
}

func TestSocketPathThatIsTaken(t *testing.T) {
	for _, tc := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		want    string // in the error; empty if there is none
	}{
		{"by a socket left behind", leaveSocket, ""},
		{"by somebody who listens", func(t *testing.T, path string) {
			ln, err := listenAt(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { ln.Close() })
		}, "another process listens there"},
		{"by a file", func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "no socket"},
		{"by a link", func(t *testing.T, path string) {
			leaveSocket(t, path+".target")
			if err := os.Symlink(path+".target", path); err != nil {
				t.Fatal(err)
			}
		}, "no socket"},
		{"by another user's socket", func(t *testing.T, path string) {
			leaveSocket(t, path)
			if err := os.Chown(path, nobody, nobody); err != nil {
				t.Skip("only root can give files away")
			}
		}, "belongs to user 65534"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s")
			tc.prepare(t, path)
			ln, err := listenAt(t.Context(), path)
			if err == nil {
				defer ln.Close()
			}
			if tc.want == "" && err != nil {
				t.Error(err)
			}
			if tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got %v; want an error that says %q", err, tc.want)
			}
			if _, err := os.Lstat(path); err != nil {
				t.Errorf("what was there has been removed: %v", err)
			}
		})
	}
}

// Of several hosts that find the socket of a dead one, one may have it. Each used to be able to
// remove what another had just made in its place.
func TestOneHeirOfAStaleSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	leaveSocket(t, path)
	var group sync.WaitGroup
	lns := make([]*transport.Listener, 8)
	for i := range lns {
		group.Go(func() { lns[i], _ = listenAt(t.Context(), path) })
	}
	group.Wait()
	heirs := 0
	for _, ln := range lns {
		if ln != nil {
			heirs++
			defer ln.Close()
		}
	}
	if heirs != 1 {
		t.Fatalf("%d listen", heirs)
	}
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestCloseLeavesAnotherHostsSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	first, err := listenAt(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second, err := listenAt(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	first.Close()
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the second host's socket is gone: %v", err)
	}
}

func TestSocketPathThatIsTooLong(t *testing.T) {
	path := "/tmp/" + strings.Repeat("x", 108)
	_, listenErr := listenAt(t.Context(), path)
	_, dialErr := transport.Dial(t.Context(), transport.Address{Network: "unix", Path: path}, nil)
	for _, err := range []error{listenErr, dialErr} {
		if err == nil || !strings.Contains(err.Error(), "this one has 113") {
			t.Errorf("got %v; want an error that tells the length", err)
		}
	}
}
