//go:build unix

package child_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"triplex/host/mount/child"
)

// roleVar names the environment variable that makes the test binary play a child.
const roleVar = "CHILD_TEST_ROLE"

// roles are what the test binary can be when a test runs it as a child. Each returns the exit
// status; hang keeps a process alive until it is ended from outside.
var roles = map[string]func() int{
	"echo":     echoRole,
	"argument": argumentRole,
	"fail":     failRole,
	"flood":    floodRole,
	"deaf":     func() int { ignoreTerm(); return hang() },
	"mute":     muteRole,
	"parent":   func() int { spawnRole("stubborn", false); return echoRole() },
	"daemon":   func() int { spawnRole("stubborn", true); return echoRole() },
	"leave":    func() int { spawnRole("stubborn", true); return 3 },
	"twice":    func() int { spawnRole("fork", true).Wait(); return echoRole() },
	"fork":     func() int { spawnRole("stubborn", true); fmt.Println("ready"); return 0 },
	"stubborn": func() int { ignoreTerm(); fmt.Println("ready"); return hang() },
	"listen":   listenRole,
	"host":     hostRole,
}

func TestMain(m *testing.M) {
	child.MaybeGuard()
	if role, ok := roles[os.Getenv(roleVar)]; ok {
		os.Exit(role())
	}
	// Guards run with the race detector too, which by default waits a second before an exit.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

func hang() int {
	select {}
}

func ignoreTerm() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
}

func echoRole() int {
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		return 1
	}
	return 0
}

// argumentRole prints its last argument and a variable, as bytes.
func argumentRole() int {
	fmt.Printf("%q %q", os.Args[len(os.Args)-1], os.Getenv("CHILD_TEST_BYTES"))
	return 0
}

func failRole() int {
	fmt.Fprintln(os.Stderr, "cannot open the database")
	fmt.Fprintln(os.Stderr, "giving up")
	return 3
}

// floodRole writes 8 MiB to stderr, the last of it one long line, and only then answers.
func floodRole() int {
	line := strings.Repeat("x", 1023) + "\n"
	for range 4 << 10 {
		os.Stderr.WriteString(line)
	}
	os.Stderr.WriteString(strings.Repeat("y", 4<<20))
	return echoRole()
}

// muteRole closes its stdout and goes on.
func muteRole() int {
	os.Stdout.Close()
	return hang()
}

// spawnRole starts this binary in another role, waits until it is ready and leaves it running: in
// its own session if detached, so that it is in no group that could be killed.
func spawnRole(role string, detached bool) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVar+"="+role)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: detached}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = bufio.NewReader(out).ReadString('\n')
	}
	if err != nil {
		panic(err)
	}
	return cmd
}

// listenRole echoes on one connection to the address in its last argument.
func listenRole() int {
	fmt.Println("about to listen")
	listener, err := net.Listen("tcp", os.Args[len(os.Args)-1])
	if err != nil {
		panic(err)
	}
	conn, err := listener.Accept()
	if err != nil {
		panic(err)
	}
	io.Copy(conn, conn)
	conn.Close()
	return 0
}

// hostRole starts a child that will not end and has descendants, says so, and waits to be killed.
func hostRole() int {
	os.Setenv(roleVar, "daemon")
	p, err := child.Start(context.Background(), child.Config{
		Args:       []string{os.Args[0]},
		StdinGrace: 10 * time.Millisecond,
		TermGrace:  10 * time.Millisecond,
	})
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(p.Conn(), "ready")
	line, err := bufio.NewReader(p.Conn()).ReadString('\n')
	if err != nil {
		panic(err)
	}
	fmt.Print(line)
	return hang()
}
