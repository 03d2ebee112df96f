package terminal

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	MaybeServe()
	goleak.VerifyTestMain(m)
}

func listen(t *testing.T) *Listener {
	t.Helper()
	l, err := Listen(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// A process is what [MaybeServe] makes of this program.
type process struct {
	*exec.Cmd
	stdout, stderr bytes.Buffer
}

// run starts the command of a listener, with another token if one is given.
func run(t *testing.T, l *Listener, token string) *process {
	t.Helper()
	args, env, err := l.Command()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(args[0], args[1:]...)}
	p.Env, p.Stdout, p.Stderr = os.Environ(), &p.stdout, &p.stderr
	for name, value := range env {
		if token != "" {
			value = token
		}
		p.Env = append(p.Env, name+"="+value)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p
}

// exits waits for the process to exit with a code.
func (p *process) exits(t *testing.T, code int) {
	t.Helper()
	p.Wait()
	if got := p.ProcessState.ExitCode(); got != code {
		t.Errorf("the process exited with %d, want %d: %s", got, code, p.stderr.String())
	}
}

func accept(t *testing.T, l *Listener) *Terminal {
	t.Helper()
	term, err := l.Accept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return term
}

func TestPrint(t *testing.T) {
	l := listen(t)
	p := run(t, l, "")
	term := accept(t, l)
	for _, text := range []string{"one\n", "", "é🍮 <&>\n"} {
		if err := term.Write(text); err != nil {
			t.Error(err)
		}
	}
	term.End(3, "it failed\n")
	p.exits(t, 3)
	if got := p.stdout.String(); got != "one\né🍮 <&>\n" {
		t.Errorf("printed %q", got)
	}
	if got := p.stderr.String(); got != "it failed\n" {
		t.Errorf("complained %q", got)
	}
}

// TestToken lets only one process in, and only with the token.
func TestToken(t *testing.T) {
	l := listen(t)
	stranger := run(t, l, "guessed")
	stranger.exits(t, 1)
	if got := stranger.stderr.String(); !strings.Contains(got, "did not expect this process") {
		t.Errorf("the stranger is told %q", got)
	}
	first := run(t, l, "")
	term := accept(t, l)
	run(t, l, "").exits(t, 1)
	term.End(0, "")
	first.exits(t, 0)
}

// TestStrangers does not let connections that say nothing, or too much, keep the process out.
func TestStrangers(t *testing.T) {
	l := listen(t)
	for _, says := range []string{"", "GET / HTTP/1.1\r\n\r\n", "{}\n", strings.Repeat("[", 1000)} {
		conn, err := net.Dial("tcp", l.ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.Write([]byte(says))
	}
	p := run(t, l, "")
	accept(t, l).End(0, "")
	p.exits(t, 0)
}

// TestProcessGone tells when the user closes the terminal.
func TestProcessGone(t *testing.T) {
	l := listen(t)
	p := run(t, l, "")
	term := accept(t, l)
	p.Process.Kill()
	p.Wait()
	<-term.Context().Done()
	term.End(0, "")
}

// TestHostGone ends a process whose host does not say goodbye.
func TestHostGone(t *testing.T) {
	l := listen(t)
	p := run(t, l, "")
	accept(t, l).Close()
	p.exits(t, 1)
	if got := p.stderr.String(); !strings.Contains(got, "the debugger is gone") {
		t.Errorf("complained %q", got)
	}
}

func TestInterrupt(t *testing.T) {
	l := listen(t)
	p := run(t, l, "")
	term := accept(t, l)
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Skip("processes cannot be interrupted here: ", err)
	}
	<-term.Context().Done()
	p.exits(t, 1)
	term.Close()
}

// TestNobodyComes gives up with its context, and closes at once whoever is still outside.
func TestNobodyComes(t *testing.T) {
	l := listen(t)
	conn, err := net.Dial("tcp", l.ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	want := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(want)
	if _, err := l.Accept(ctx); !errors.Is(err, want) {
		t.Errorf("Accept: %v", err)
	}
	began := time.Now()
	l.Close()
	if took := time.Since(began); took >= helloTime {
		t.Errorf("Close took %s", took)
	}
}

// TestNotAccepted turns a process away that nobody wants any more.
func TestNotAccepted(t *testing.T) {
	l := listen(t)
	p := run(t, l, "")
	l.found <- <-l.found // it is there
	l.Close()
	p.exits(t, 1)
}

func TestNoHost(t *testing.T) {
	l := listen(t)
	args, env, err := l.Command()
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, err = serve(t.Context(), args[2], env[tokenVariable], os.Stdout, os.Stderr)
	if err == nil || !strings.Contains(err.Error(), "connect to the debugger") {
		t.Errorf("serve: %v", err)
	}
}
