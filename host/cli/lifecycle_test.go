package cli

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"testing"
)

func TestSignalsDrain(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			p := start(t, "serve", "--listen", anyPort)
			conn := p.dial()
			r := bufio.NewReader(conn)
			io.WriteString(conn, request(1, "sleep", `{"ms":300}`))
			roundTrip(t, conn, r, 2)
			p.cmd.Process.Signal(signal)
			expect(t, r, answer(1, `"done"`))
			p.want(0)
		})
	}
}

func TestSignalEndsStdioWithZero(t *testing.T) {
	p := start(t, "serve", "--stdio")
	roundTrip(t, p.stdin, p.stdout, 1)
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.want(0)
}

func TestSecondSignalEndsAtOnce(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--drain-timeout", "1h")
	conn := p.dial()
	io.WriteString(conn, request(1, "sleep", `{"ms":3600000}`))
	roundTrip(t, conn, bufio.NewReader(conn), 2)
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.line("shutting down")
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.want(-1)
}

func TestEndsWithItsClient(t *testing.T) {
	client := exec.Command("sleep", "3600")
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	p := start(t, "serve", "--listen", anyPort, fmt.Sprint("--clientProcessId=", client.Process.Pid))
	conn := p.dial()
	roundTrip(t, conn, bufio.NewReader(conn), 1)
	client.Process.Kill() // and nobody has asked for its status when the host looks
	p.want(0)
	client.Wait()
}

// The client may live in another container, where its number means nothing here.
func TestInvisibleClientIsNotMissed(t *testing.T) {
	const noProcess = 1 << 30
	p := start(t, "serve", fmt.Sprint("--client-process-id=", noProcess))
	p.line("not watched")
	roundTrip(t, p.stdin, p.stdout, 1)
}

func TestExitWhenIdle(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--exit-when-idle")
	first, second := p.dial(), p.dial()
	roundTrip(t, first, bufio.NewReader(first), 1)
	roundTrip(t, second, bufio.NewReader(second), 1)
	first.Close()
	roundTrip(t, second, bufio.NewReader(second), 2)
	second.Close()
	p.want(0)
}

func TestExitWithoutSessions(t *testing.T) {
	start(t, "serve", "--listen", anyPort, "--exit-when-idle=50ms").want(0)
}

func TestIdleTimeoutEndsASession(t *testing.T) {
	p := start(t, "serve", "--listen", anyPort, "--idle-timeout", "100ms", "--log-level", "debug")
	if rest, err := io.ReadAll(p.dial()); err != nil || len(rest) > 0 {
		t.Errorf("read %q, %v", rest, err)
	}
	p.line("idle for 100ms (--idle-timeout)")
}
