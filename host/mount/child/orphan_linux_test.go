package child_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"triplex/host/mount/child"
)

// tagged lists the processes whose environment has tag.
func tagged(t *testing.T, tag string) []int {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, path := range paths {
		env, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(env, []byte(tag)) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// expectNone fails when a process with tag is left.
func expectNone(t *testing.T, tag string) {
	t.Helper()
	if pids := tagged(t, tag); len(pids) > 0 {
		t.Errorf("processes %v are left", pids)
	}
}

// awaitNone waits until no process with tag is left.
func awaitNone(t *testing.T, tag string) {
	t.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	deadline := time.After(time.Minute)
	for {
		pids := tagged(t, tag)
		if len(pids) == 0 {
			return
		}
		select {
		case <-poll.C:
		case <-deadline:
			t.Fatalf("processes %v are left", pids)
		}
	}
}

// awaitReaped waits until a process has ended and its parent knows that.
func awaitReaped(t *testing.T, pid int) {
	t.Helper()
	late := time.After(time.Minute)
	for syscall.Kill(pid, 0) == nil {
		select {
		case <-time.After(time.Millisecond):
		case <-late:
			t.Fatalf("process %d goes on", pid)
		}
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	tests := []struct {
		name, role string
		processes  int
	}{
		{"child that ignores SIGTERM", "deaf", 1},
		{"grandchild in the group", "parent", 2},
		{"grandchild in its own session", "daemon", 2},
		{"descendant that forked twice", "twice", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg, tag := config(t, tt.role)
			p := start(t, cfg)
			if tt.role != "deaf" {
				echo(t, p.Conn())
			}
			if got := tagged(t, tag); len(got) != tt.processes {
				t.Fatalf("%d processes run, want %d", len(got), tt.processes)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			expectNone(t, tag)
		})
	}
}

// TestChildEndsBeforeItsDaemon: what a child leaves behind when it ends by itself goes too.
func TestChildEndsBeforeItsDaemon(t *testing.T) {
	cfg, tag := config(t, "leave")
	p := start(t, cfg)
	exit, ok := p.Wait().(*child.ExitError)
	if !ok || exit.Code != 3 {
		t.Errorf("got %v, want the status of the child", exit)
	}
	expectNone(t, tag)
}

// TestHostKilled kills a host that had no chance to end its child.
func TestHostKilled(t *testing.T) {
	cfg, tag := config(t, "host")
	cmd := exec.Command(cfg.Args[0])
	cmd.Env = cfg.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if got := tagged(t, tag); len(got) != 4 {
		t.Errorf("%d processes run, want the host, the guard, the child and its daemon", len(got))
	}
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the host was not killed")
	}
	awaitNone(t, tag)
}

// guardOf returns the process id of the guard of a child.
func guardOf(t *testing.T, p *child.Process) int {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.PID()) + "/stat")
	if err != nil {
		t.Fatal(err)
	}
	_, fields, _ := bytes.Cut(stat, []byte(") "))
	pid, err := strconv.Atoi(string(bytes.Fields(fields)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// TestGuardKilled: descendants of the child in sessions of their own used to survive the guard, and
// all of them a guard that exited after a crash, which is what SIGABRT makes of it.
func TestGuardKilled(t *testing.T) {
	for _, tt := range []struct {
		role   string
		signal syscall.Signal
	}{
		{"parent", syscall.SIGKILL}, {"daemon", syscall.SIGKILL}, {"twice", syscall.SIGKILL},
		{"parent", syscall.SIGABRT}, {"daemon", syscall.SIGABRT},
	} {
		t.Run(fmt.Sprintf("%s, %s", tt.role, tt.signal), func(t *testing.T) {
			cfg, tag := config(t, tt.role)
			p := start(t, cfg)
			echo(t, p.Conn())
			if err := syscall.Kill(guardOf(t, p), tt.signal); err != nil {
				t.Fatal(err)
			}
			const want = "its exit status is not known: its guard process was killed"
			if err := p.Wait(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
			expectNone(t, tag)
		})
	}
}

// TestGuardKilledAfterItsChild: what a child had left behind used to survive a guard that was
// killed when it had reported the end of the child, and before all was gone.
func TestGuardKilledAfterItsChild(t *testing.T) {
	cfg, tag := config(t, "daemon")
	cfg.TermGrace = time.Hour // the daemon ignores SIGTERM
	p := start(t, cfg)
	echo(t, p.Conn())
	guard := guardOf(t, p)
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	awaitReaped(t, p.PID())
	if err := syscall.Kill(guard, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.Wait()
	expectNone(t, tag)
}

// TestGuardStopped: a guard that cannot act is replaced by force.
func TestGuardStopped(t *testing.T) {
	cfg, tag := config(t, "deaf")
	cfg.KillLimit = short
	p := start(t, cfg)
	if err := syscall.Kill(guardOf(t, p), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.Kill()
	awaitNone(t, tag)
}

// TestGuardIgnoresRequestsToEnd: only the host ends a guard, whatever else was told to end.
func TestGuardIgnoresRequestsToEnd(t *testing.T) {
	cfg, _ := config(t, "echo")
	p := start(t, cfg)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if err := syscall.Kill(guardOf(t, p), sig); err != nil {
			t.Fatal(err)
		}
	}
	echo(t, p.Conn())
}

func TestStartEndsWithItsContext(t *testing.T) {
	cfg, tag := config(t, "deaf", "${port}")
	cause := errors.New("the client left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := child.Start(ctx, cfg); !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
	expectNone(t, tag)
}

func TestConcurrentCloseAndKill(t *testing.T) {
	cfg, tag := config(t, "deaf")
	cfg.StdinGrace = time.Hour
	p := start(t, cfg)
	var wg sync.WaitGroup
	wg.Go(func() { p.Close() })
	wg.Go(func() { p.Kill() })
	wg.Wait()
	expectNone(t, tag)
}
