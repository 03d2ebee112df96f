//go:build unix

package child_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"triplex/host/mount/child"
)

// short is a grace period that tests can afford to wait for.
const short = 20 * time.Millisecond

// config returns a Config that runs this test binary in a role. Every process of it carries the
// returned tag in its environment.
func config(t *testing.T, role string, args ...string) (child.Config, string) {
	t.Helper()
	tag := "CHILD_TEST_TAG=" + t.Name() + strconv.FormatInt(time.Now().UnixNano(), 36)
	return child.Config{
		Args:       append([]string{os.Args[0]}, args...),
		Env:        append(os.Environ(), roleVar+"="+role, tag),
		StdinGrace: short,
		TermGrace:  short,
	}, tag
}

// start starts a child that the end of the test closes.
func start(t *testing.T, cfg child.Config) *child.Process {
	t.Helper()
	p, err := child.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill() })
	return p
}

// echo sends a line and expects it back.
func echo(t *testing.T, conn io.ReadWriter) {
	t.Helper()
	const line = "hello\n"
	if _, err := io.WriteString(conn, line); err != nil {
		t.Fatal(err)
	}
	got, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || got != line {
		t.Fatalf("echo of %q: %q, %v", line, got, err)
	}
}

func TestEchoAndHalfClose(t *testing.T) {
	cfg, _ := config(t, "echo")
	p := start(t, cfg)
	if _, err := io.WriteString(p.Conn(), "last words"); err != nil {
		t.Fatal(err)
	}
	if err := p.Conn().CloseWrite(); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(p.Conn())
	if err != nil || string(got) != "last words" {
		t.Errorf("read %q, %v after the half-close", got, err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("a child that exits 0: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("second close: %v", err)
	}
}

// TestBytesSurvive passes an argument and a variable that are not UTF-8 through the guard.
func TestBytesSurvive(t *testing.T) {
	cfg, _ := config(t, "argument", "a\xff b")
	cfg.Env = append(cfg.Env, "CHILD_TEST_BYTES=\xfe")
	p := start(t, cfg)
	got, err := io.ReadAll(p.Conn())
	if want := `"a\xff b" "\xfe"`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestDirAndEmptyEnvironment(t *testing.T) {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, child.Config{Args: []string{"/bin/sh", "-c", "pwd; echo ${HOME-none}"},
		Dir: dir, Env: []string{}})
	got, err := io.ReadAll(p.Conn())
	if want := dir + "\nnone\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestExitError(t *testing.T) {
	cfg, _ := config(t, "fail")
	err := start(t, cfg).Wait()
	var exit *child.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("got %v, want an ExitError", err)
	}
	lines := []string{"cannot open the database", "giving up"}
	if exit.Code != 3 || exit.Signal != "" || !slices.Equal(exit.Stderr, lines) {
		t.Errorf("got %+v", exit)
	}
	want := "exited with status 3; the end of its stderr: cannot open the database | giving up"
	if !strings.Contains(err.Error(), want) {
		t.Errorf("message %q, want it to have %q", err, want)
	}
}

func TestEndedBySignal(t *testing.T) {
	cfg, _ := config(t, "deaf")
	p := start(t, cfg)
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err == nil || !strings.Contains(err.Error(), `by signal "killed"`) {
		t.Errorf("got %v", err)
	}
}

func TestStartErrors(t *testing.T) {
	deaf, _ := config(t, "deaf", "${port}")
	deaf.StartTimeout = 300 * time.Millisecond
	fail, _ := config(t, "fail", "${port}")
	early, _ := config(t, "argument", "${port}")
	tests := []struct {
		name string
		cfg  child.Config
		want string
	}{
		{"no command", child.Config{}, "no command"},
		{"unknown command", child.Config{Args: []string{"no-such-server"}},
			`start no-such-server: exec: "no-such-server": executable file not found in $PATH`},
		{"unknown directory", child.Config{Args: []string{"/bin/sh"}, Dir: "/no/such"},
			"no such file or directory"},
		{"start timeout", deaf, "not ready within the start timeout of 300ms"},
		{"exits before it listens", fail,
			"exited with status 3; the end of its stderr: cannot open the database | giving up"},
		{"succeeds before it listens", early, "exited with status 0 before it was connected to"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := child.Start(t.Context(), tt.cfg)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func hasIPv6() bool {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		return false
	}
	listener.Close()
	return true
}

func TestPort(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "[::1]"} {
		t.Run(host, func(t *testing.T) {
			if host == "[::1]" && !hasIPv6() {
				t.Skip("no IPv6 loopback")
			}
			var log syncBuffer
			cfg, _ := config(t, "listen", host+":${port}")
			cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
			cfg.StdinGrace = time.Minute
			p := start(t, cfg)
			echo(t, p.Conn())
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); err != nil {
				t.Errorf("a child that exits when its connection ends: %v", err)
			}
			if !strings.Contains(log.String(), "about to listen") {
				t.Errorf("stdout is not in the log: %q", log.String())
			}
		})
	}
}

// TestStderrFlood: a child that wrote more to stderr than a pipe holds used to be a child that
// stopped, wherever nobody or only a slow log read it.
func TestStderrFlood(t *testing.T) {
	release := make(chan struct{})
	handler := &slowHandler{Handler: slog.DiscardHandler, release: release}
	cfg, _ := config(t, "flood")
	cfg.Logger = slog.New(handler)
	cfg.StderrLine = 64
	p := start(t, cfg)
	echo(t, p.Conn())
	p.Conn().CloseWrite()
	err := p.Wait()
	close(release)
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	if !handler.dropped {
		t.Error("the log does not say that lines were dropped")
	}
	for _, line := range handler.lines {
		if len(line) > 64+len("… (1234567 bytes cut)") {
			t.Fatalf("a line of %d bytes in the log: %.80q", len(line), line)
		}
	}
}

// slowHandler blocks at its first record until released.
type slowHandler struct {
	slog.Handler
	release <-chan struct{}
	lines   []string
	dropped bool
}

func (h *slowHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h *slowHandler) WithAttrs([]slog.Attr) slog.Handler       { return h }

func (h *slowHandler) Handle(_ context.Context, r slog.Record) error {
	<-h.release
	r.Attrs(func(a slog.Attr) bool {
		h.dropped = h.dropped || a.Key == "dropped_lines" && a.Value.Int64() > 0
		h.lines = append(h.lines, a.Value.String())
		return true
	})
	return nil
}

// TestNeverReadsStdin: writing to a child that does not read ends at the deadline.
func TestNeverReadsStdin(t *testing.T) {
	cfg, _ := config(t, "deaf")
	p := start(t, cfg)
	p.Conn().SetWriteDeadline(time.Now().Add(short))
	_, err := p.Conn().Write(make([]byte, 4<<20)) // more than any pipe holds
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v, want a deadline exceeded", err)
	}
	p.Conn().SetDeadline(time.Now().Add(short))
	if _, err := p.Conn().Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read: %v, want a deadline exceeded", err)
	}
}

// TestClosedStdout: that a child closed its stdout is seen at once, though it lives on.
func TestClosedStdout(t *testing.T) {
	cfg, _ := config(t, "mute")
	p := start(t, cfg)
	if got, err := io.ReadAll(p.Conn()); err != nil || len(got) > 0 {
		t.Errorf("read %q, %v", got, err)
	}
	select {
	case <-p.Done():
		t.Error("the child ended too")
	default:
	}
}

// syncBuffer is a bytes.Buffer for concurrent use.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
