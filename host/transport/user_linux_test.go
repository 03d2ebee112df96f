package transport_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"triplex/host/transport"
)

// dialAs connects to an address from a process of another user and returns what that read.
func dialAs(t *testing.T, uid uint32, a transport.Address) (output string) {
	t.Helper()
	target := a.Path
	if a.Network == "tcp" {
		target = strings.TrimPrefix(a.String(), "tcp://")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := &exec.Cmd{
		Path: "/proc/self/fd/3", // the test binary lies where another user may not look
		Args: []string{"dial", a.Network, target},
		Env:  []string{raceQuick, roleVariable + "=dial"},
		Dir:  "/",
		SysProcAttr: &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: uid, Gid: uid, NoSetGroups: os.Getuid() != 0},
		},
	}
	binary, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer binary.Close()
	cmd.ExtraFiles = []*os.File{binary}
	out, err := cmd.Output()
	if err != nil {
		t.Logf("the dialling process: %v", err)
	}
	return string(out)
}

// greet sends a word to whoever is accepted, until stop is called.
func greet(ln net.Listener) (stop func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "hello")
			conn.Close()
		}
	}()
	return func() {
		ln.Close()
		<-done
	}
}

func TestOnlyOurOwnUserIsLetIn(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, address string
		uid           uint32
		others        bool
		want          string
	}{
		{"own user over TCP", "tcp://127.0.0.1:0", 0, false, "hello"},
		{"another user over TCP", "tcp://127.0.0.1:0", nobody, false, ""},
		{"another user over IPv6", "tcp://[::1]:0", nobody, false, ""},
		{"another user over TCP, allowed", "tcp://127.0.0.1:0", nobody, true, "hello"},
		{"own user over a unix socket", "unix://" + dir + "/s", 0, false, "hello"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var log bytes.Buffer
			c := &transport.Config{
				AllowOtherUsers: tc.others, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			}
			lns, err := c.Listen(t.Context(), parse(t, tc.address))
			if errors.Is(err, syscall.EADDRNOTAVAIL) {
				t.Skip("this machine has no IPv6")
			}
			if err != nil {
				t.Fatal(err)
			}
			stop := greet(lns[0])
			defer stop()
			if got := dialAs(t, tc.uid, lns[0].Address); got != tc.want {
				t.Errorf("the process of user %d read %q, want %q", tc.uid, got, tc.want)
			}
			stop()
			if tc.want == "" && !strings.Contains(log.String(), "--allow-other-users") {
				t.Errorf("the log does not tell what happened: %s", &log)
			}
		})
	}
}

// A socket that nobody holds any more is reported as root's.
func TestAPeerThatHasGoneIsNobody(t *testing.T) {
	ln := listen(t, new(transport.Config), "tcp://127.0.0.1:0")[0]
	gone, err := transport.Dial(t.Context(), ln.Address, nil)
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	there, err := transport.Dial(t.Context(), ln.Address, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got, want := conn.RemoteAddr().String(), there.LocalAddr().String(); got != want {
		t.Errorf("accepted %s, want %s", got, want)
	}
}

func TestConnectionsOfOurOwnUserSaySo(t *testing.T) {
	for _, text := range []string{"tcp://127.0.0.1:0", "unix://" + t.TempDir() + "/s"} {
		t.Run(text, func(t *testing.T) {
			ln := listen(t, new(transport.Config), text)[0]
			client, err := transport.Dial(t.Context(), ln.Address, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			conn, err := ln.Accept()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			known, ok := conn.(interface {
				SameUser() bool
				CloseWrite() error
			})
			if !ok || !known.SameUser() {
				t.Errorf("a %T does not say that it is our own user's", conn)
			}
		})
	}
}
