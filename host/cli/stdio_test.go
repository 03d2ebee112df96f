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

func TestPipedRequestIsAnswered(t *testing.T) {
	out, _, status := run(t, request(1, "echo", `["x"]`), "serve")
	if out != answer(1, `["x"]`) || status != 0 {
		t.Errorf("got %q, exit status %d", out, status)
	}
}

// A flag in the place of the command means serve: editors configured for other servers pass
// nothing else.
func TestSpellingsOfStdio(t *testing.T) {
	for _, args := range [][]string{
		{"serve"}, {"serve", "--stdio"}, {"--stdio"},
		{"--stdio", fmt.Sprintf("--clientProcessId=%d", os.Getpid())},
		{"serve", "--stdio", "--client-process-id", fmt.Sprint(os.Getpid())},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			p := start(t, args...)
			roundTrip(t, p.stdin, p.stdout, 1)
			p.stdin.Close()
			p.want(0)
		})
	}
}

// An editor that is gone is not waited for: how long that takes is up to the machine alone.
func TestEmptyInputEndsAtOnce(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	cmd := command("serve", "--drain-timeout", "1h", "--idle-timeout", "1h")
	cmd.Stdin = null
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	if cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); cpu > 5*time.Second {
		t.Errorf("it used %s of CPU", cpu)
	}
}

// nonBlockingPipe returns a pipe one end of which does not block, and stays so when it is passed to
// a child.
func nonBlockingPipe(t *testing.T, end int) (r, w *os.File) {
	t.Helper()
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(fds[0])
	syscall.CloseOnExec(fds[1])
	r, w = os.NewFile(uintptr(fds[0]), "r"), os.NewFile(uintptr(fds[1]), "w")
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	if err := syscall.SetNonblock(fds[end], true); err != nil {
		t.Fatal(err)
	}
	return r, w
}

// A parent such as node leaves its pipes non-blocking. A host that did not expect that used to see
// errors (EAGAIN) instead of waiting.
func TestPipesLeftNonBlocking(t *testing.T) {
	childIn, stdin := nonBlockingPipe(t, 0)
	stdout, childOut := nonBlockingPipe(t, 1)
	cmd := command("serve", "--framing", "newline")
	cmd.Stdin, cmd.Stdout = childIn, childOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	childIn.Close()
	childOut.Close()
	r := bufio.NewReaderSize(stdout, 1<<20)
	roundTrip(t, stdin, r, 1)
	large := `["` + strings.Repeat("x", 4<<20) + `"]` // more than a pipe holds
	go io.WriteString(stdin, request(2, "echo", large))
	expect(t, r, answer(2, large))
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// h17: a write to the closed pipe must not be the death of the process.
func TestStdoutReaderGone(t *testing.T) {
	p := start(t, "serve", "--stdio")
	roundTrip(t, p.stdin, p.stdout, 1)
	p.out.Close()
	io.WriteString(p.stdin, request(2, "echo", "[]"))
	p.want(0)
	p.line("the session ended early")
}

// A host whose answers found no room on a disk used to exit as if they had been written.
func TestStdoutOnAFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no device that is full")
	}
	defer full.Close()
	cmd := command("serve")
	cmd.Stdin, cmd.Stdout = strings.NewReader(request(1, "echo", "[]")), full
	var errs strings.Builder
	cmd.Stderr = &errs
	if cmd.Run(); cmd.ProcessState.ExitCode() != exitFailure ||
		!strings.Contains(errs.String(), "answers are lost") {
		t.Errorf("exit status %d: %s", cmd.ProcessState.ExitCode(), errs.String())
	}
}

// A parent that had said all it had to say, and did not read, used to be waited for until the write
// timeout.
func TestStdoutNobodyReadsAtTheEnd(t *testing.T) {
	p := start(t, "serve", "--framing", "newline", "--drain-timeout", "100ms",
		"--write-timeout", "1h")
	large := `["` + strings.Repeat("x", 4<<20) + `"]` // more than a pipe holds
	io.WriteString(p.stdin, request(1, "echo", large))
	p.stdout.ReadByte() // the answer is being written
	p.stdin.Close()
	p.line("slow peer")
	p.want(0)
}

// The flag belongs to what the parent opened, and is not for the host to leave changed.
func TestFailedStartLeavesStdinBlocking(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	stdin := os.NewFile(uintptr(fds[0]), "stdin")
	defer stdin.Close()
	defer syscall.Close(fds[1])
	cmd := command("serve", "--mount", "missing")
	cmd.Stdin = stdin
	if cmd.Run() == nil {
		t.Error("it started")
	}
	flags, err := unix.FcntlInt(uintptr(fds[0]), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_NONBLOCK != 0 {
		t.Errorf("the flags of its standard input are %x, %v", flags, err)
	}
}

func TestStderrReaderGone(t *testing.T) {
	childIn, stdin := pipe(t)
	stdout, childOut := pipe(t)
	stderr, childErr := pipe(t)
	cmd := command("serve", "--log-level", "debug")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, childErr
	stderr.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	childIn.Close()
	childOut.Close()
	childErr.Close()
	roundTrip(t, stdin, bufio.NewReader(stdout), 1)
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// Nobody reads standard error here, and each damaged message is logged.
func TestStderrNobodyReads(t *testing.T) {
	childIn, stdin := pipe(t)
	stdout, childOut := pipe(t)
	_, childErr := pipe(t)
	cmd := command("serve", "--framing", "newline", "--log-level", "debug")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = childIn, childOut, childErr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	childIn.Close()
	childOut.Close()
	r := bufio.NewReader(stdout)
	const messages = 2000 // whose lines are more than a pipe holds
	go func() {
		for range messages {
			io.WriteString(stdin, `{"jsonrpc":"2.0","id":9,"result":1}`+"\n")
		}
		io.WriteString(stdin, request(1, "echo", "[]"))
	}()
	expect(t, r, answer(1, "[]"))
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestTenMegabytesToASlowReader(t *testing.T) {
	p := start(t, "serve", "--framing", "newline")
	large := `["` + strings.Repeat("x", 1<<20) + `"]`
	const requests = 10
	go func() {
		for id := range requests {
			io.WriteString(p.stdin, request(id, "echo", large))
		}
		p.stdin.Close()
	}()
	// The first answer is there, and the rest waits, before the reader takes small bites.
	p.stdout.Peek(1)
	var total int
	bite := make([]byte, 1000)
	for {
		n, err := p.stdout.Read(bite)
		total += n
		if err != nil {
			break
		}
	}
	if want := requests * len(answer(0, large)); total != want {
		t.Errorf("read %d bytes, want %d", total, want)
	}
	p.want(0)
}

func TestPrintingPlugInsDoNoHarm(t *testing.T) {
	out, stderr, status := run(t, request(1, "print", "[]"), "serve", "--mount", "noisy")
	if out != answer(1, `"done"`) || status != 0 {
		t.Errorf("standard output has %q, exit status %d", out, status)
	}
	if n := strings.Count(stderr, "printed\n"); n != 3 {
		t.Errorf("standard error has %d of 3 printed lines: %s", n, stderr)
	}
}

func TestMountsAnotherServer(t *testing.T) {
	out, _, status := run(t, request(1, "echo", "[1]"), "serve", "--framing", "newline",
		"--mount", "far:plain=exec:"+os.Args[0]+" serve --framing content-length",
		"--mount-framing", "far=content-length")
	if out != answer(1, "[1]") || status != 0 {
		t.Errorf("got %q, exit status %d", out, status)
	}
}
