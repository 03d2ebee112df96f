// Package node lets tests drive triplex with clients that others wrote for Node.js. The scripts
// beside it are those clients; .ci/node installs the packages they need, and .ci/run says where.
package node

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Command returns a command that runs Node.js with args and with the installed packages. It skips
// the test where there are none; needs names the package that the test wants.
func Command(t *testing.T, needs string, args ...string) *exec.Cmd {
	t.Helper()
	modules := installed(t, needs)
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	return cmd
}

// installed returns the folder of the installed packages.
func installed(t *testing.T, needs string) string {
	t.Helper()
	modules := os.Getenv("TRIPLEX_NODE_MODULES")
	if modules == "" {
		t.Skipf("skipped: needs npm %s, run .ci/run", needs)
	}
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	return modules
}

// Executable returns the path of an executable of an installed package. Like [Command] it skips the
// test where there are none.
func Executable(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(installed(t, name), ".bin", name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Drive runs one of the scripts in this folder, which says "ok" if all it checks holds.
func Drive(t *testing.T, needs, script string, args ...string) {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	script = filepath.Join(filepath.Dir(here), script)
	cmd := Command(t, needs, append([]string{script}, args...)...)
	var log strings.Builder
	cmd.Stderr = &log
	if out, err := cmd.Output(); err != nil || string(out) != "ok\n" {
		t.Fatalf("%v\n%s%s", err, out, &log)
	}
}

// Program builds triplex and returns its path. Like [Command] it skips the test where the packages
// are missing, before it builds.
func Program(t *testing.T, needs string) string {
	t.Helper()
	Command(t, needs)
	program := filepath.Join(t.TempDir(), "triplex")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "triplex/cmd/triplex")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// Serve starts program to serve TCP, with args, until the end of the test. It returns the address,
// HOST:PORT, on which it listens.
func Serve(t *testing.T, program string, args ...string) (address string) {
	t.Helper()
	args = append([]string{"serve", "--listen", "tcp://127.0.0.1:0"}, args...)
	cmd := exec.Command(program, args...)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := bufio.NewReader(said)
	line, err := log.ReadString('\n')
	drained := make(chan struct{})
	go func() { // or it could log no more, and wait, once the pipe is full
		defer close(drained)
		io.Copy(t.Output(), log)
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-drained
		cmd.Wait()
	})
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on tcp://")
	if !ok {
		t.Fatalf("it said %q, %v", line, err)
	}
	return address
}
