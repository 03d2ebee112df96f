package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal returns the two ends of a terminal: what is typed and shown, and what programs have.
func terminal(t *testing.T) (user, device *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { user.Close() })
	if err := unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	device, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { device.Close() })
	return user, device
}

// The logging library used to ask a terminal for its colours, and to take what was typed, the
// protocol's input, for the answer.
func TestServesATerminal(t *testing.T) {
	user, device := terminal(t)
	cmd := command("serve")
	cmd.Env = append(cmd.Env, "TERM=xterm", "CI=", "NO_COLOR=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = device, device, device
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	device.Close()
	hung := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer hung.Stop()
	line := request(1, "echo", "[1]")
	io.WriteString(user, line)
	r := bufio.NewReader(user)
	expect(t, r, strings.TrimSpace(line)+"\r\n") // the terminal's own echo
	expect(t, r, strings.TrimSpace(answer(1, "[1]"))+"\r\n")
	io.WriteString(user, "\x03") // an interrupt, while a read of the terminal is under way
	shown, _ := io.ReadAll(r)
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(string(shown), "\x1b[") {
		t.Errorf("what is logged has no colours: %q", shown)
	}
}

func TestResultsAreIndentedForATerminal(t *testing.T) {
	user, device := terminal(t)
	cmd := command("call", "echo", `{"a":[1]}`, "--", os.Args[0], "serve")
	cmd.Stdout = device
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	device.Close()
	shown, _ := io.ReadAll(user)
	if want := "{\r\n  \"a\": [\r\n    1\r\n  ]\r\n}\r\n"; string(shown) != want {
		t.Errorf("it shows %q, want %q", shown, want)
	}
}
