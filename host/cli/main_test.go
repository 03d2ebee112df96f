package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/pflag"
	"go.uber.org/goleak"

	"triplex/dap"
	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/lsp"
	"triplex/mcp"
)

// mainVariable makes the test binary the program of testConfig.
const mainVariable = "CLI_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		Main(testConfig)
	}
	goleak.VerifyTestMain(m)
}

var testConfig = Config{
	Name:    "testhost",
	Version: "v1.2.3",
	Sets: []host.MethodSet{
		echo.Set{},
		testSet{"noisy", host.Plain, printEverywhere},
		testSet{"witness", host.Plain, createFile},
		testSet{"debugger", &host.Dialect{Name: "dap"}, createFile},
		webSet{testSet{"web", host.Plain, createFile}},
		webSet{testSet{"web2", host.Plain, createFile}},
		mcp.Mount(newTools(), &mcp.Options{Name: "tools"}),
		testSet{"marked", markedDialect, createFile},
		testSet{"language", lsp.Dialect, answerNull},
		testSet{"adapter", dap.Dialect, answerNull},
		testSet{"process", host.Plain, answerPID},
	},
	Default: "echo",
	Flags:   func(flags *pflag.FlagSet) { flags.String("flavour", "", "what a set wants to know") },
	Dialects: []*host.Dialect{
		politeDialect, curtDialect, markedDialect, lsp.Dialect, dap.Dialect, mcp.Dialect,
	},
}

// politeDialect is JSON-RPC with something to say before and after.
var politeDialect = &host.Dialect{Name: "polite", Handshake: host.Handshake{
	Open:  func(ctx context.Context, s *host.Session) error { return s.Notify(ctx, "count", nil) },
	Close: func(ctx context.Context, s *host.Session) error { return s.Call(ctx, "bye", nil, nil) },
}}

// curtDialect is JSON-RPC whose servers end a session before its client does.
var curtDialect = &host.Dialect{Name: "curt", Handshake: host.Handshake{
	Close: func(context.Context, *host.Session) error {
		return fmt.Errorf("disconnect: %w", host.ErrClosed)
	},
}}

// markedDialect is JSON-RPC with a mark in front of each message.
var markedDialect = &host.Dialect{
	Name:        "marked",
	Framing:     framing.ContentLength,
	NewEnvelope: func(l host.Limits) host.Envelope { return marked{host.JSONRPC{Depth: l.Depth}} },
}

type marked struct{ host.JSONRPC }

func (e marked) Decode(frame []byte, m *host.Message) *jsonrpc2.Error {
	rest, ok := bytes.CutPrefix(frame, []byte("!"))
	if !ok {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "no mark"}
	}
	return e.JSONRPC.Decode(rest, m)
}

func (e marked) Append(dst []byte, m *host.Message) []byte {
	return e.JSONRPC.Append(append(dst, '!'), m)
}

// testSet is a method set of one function.
type testSet struct {
	name    string
	dialect *host.Dialect
	handle  host.HandlerFunc
}

func (s testSet) Name() string           { return s.name }
func (s testSet) Dialect() *host.Dialect { return s.dialect }
func (s testSet) Open(context.Context, *host.Session) (host.Handler, error) {
	return s.handle, nil
}

// printEverywhere prints as a careless plug-in does.
func printEverywhere(context.Context, *jsonrpc2.Request) (any, error) {
	fmt.Println("printed")
	syscall.Write(1, []byte("printed\n"))
	child := exec.Command("echo", "printed")
	child.Stdout = os.NewFile(1, "stdout")
	return "done", child.Run()
}

// newTools returns a server with a tool that asks its client something.
func newTools() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "tools"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "ask"}, func(
		ctx context.Context, req *sdk.CallToolRequest, _ any,
	) (*sdk.CallToolResult, any, error) {
		return nil, nil, req.Session.Ping(ctx, nil)
	})
	return server
}

func answerNull(context.Context, *jsonrpc2.Request) (any, error) { return nil, nil }

func answerPID(context.Context, *jsonrpc2.Request) (any, error) { return os.Getpid(), nil }

// createFile creates the file that it gets as its one param, and so shows that it ran.
func createFile(_ context.Context, req *jsonrpc2.Request) (any, error) {
	var files []string
	if req.Params == nil || json.Unmarshal(*req.Params, &files) != nil || len(files) != 1 {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "want one file"}
	}
	return "done", os.WriteFile(files[0], nil, 0o600)
}

// patience bounds what a test waits for a process. A busy machine may need most of it.
const patience = time.Minute

// program is the program of testConfig at work. The test owns its standard input and output.
type program struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *bufio.Reader
	out    *os.File // that stdout reads

	mu    sync.Mutex // guards the fields below
	lines []string   // of standard error
	more  chan struct{}
	over  bool
}

// command returns the program with args.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), mainVariable+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// attachTo starts a host with flags, and attach to it.
func attachTo(t *testing.T, flags []string, attachFlags ...string) *program {
	t.Helper()
	h := start(t, append([]string{"serve", "--listen", anyPort}, flags...)...)
	return start(t, append([]string{"attach", h.address()}, attachFlags...)...)
}

// start starts the program with pipes to it, and ends it with the test.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: command(args...), more: make(chan struct{})}
	childIn, stdin := pipe(t)
	out, childOut := pipe(t)
	stderr, childErr := pipe(t)
	p.stdin, p.out, p.stdout = stdin, out, bufio.NewReader(out)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = childIn, childOut, childErr
	err := p.cmd.Start()
	childIn.Close()
	childOut.Close()
	childErr.Close()
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.readLines(stderr)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
		<-read
		if t.Failed() {
			t.Logf("standard error: %s", strings.Join(p.lines, "\n"))
		}
	})
	return p
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

func (p *program) readLines(stderr io.Reader) {
	scanner := bufio.NewScanner(stderr)
	for more := true; more; {
		more = scanner.Scan()
		p.mu.Lock()
		if more {
			p.lines = append(p.lines, scanner.Text())
		}
		p.over = !more
		close(p.more)
		p.more = make(chan struct{})
		p.mu.Unlock()
	}
}

// line waits for a line of standard error that contains text, and returns what follows the text.
func (p *program) line(text string) string {
	p.t.Helper()
	late := time.After(patience)
	for {
		p.mu.Lock()
		lines, more, over := p.lines, p.more, p.over
		p.mu.Unlock()
		for _, line := range lines {
			if _, after, ok := strings.Cut(line, text); ok {
				return after
			}
		}
		if over {
			p.t.Fatalf("the process has ended without a line %q", text)
		}
		select {
		case <-more:
		case <-late:
			p.t.Fatalf("no line %q", text)
		}
	}
}

// address waits for the announcement of an address.
func (p *program) address() string {
	p.t.Helper()
	return p.line("listening on ")
}

// dial connects to the announced address, until the test ends.
func (p *program) dial() net.Conn {
	p.t.Helper()
	network, target, _ := strings.Cut(p.address(), "://")
	conn, err := net.Dial(network, target)
	if err != nil {
		p.t.Fatal(err)
	}
	conn.SetDeadline(time.Now().Add(patience))
	p.t.Cleanup(func() { conn.Close() })
	return conn
}

// exit waits for the process to exit and returns its status, -1 after a signal.
func (p *program) exit() int {
	p.t.Helper()
	late := time.AfterFunc(patience, func() {
		p.t.Error("the process does not exit")
		p.cmd.Process.Kill()
	})
	defer late.Stop()
	p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

// want fails the test unless the process exits with status.
func (p *program) want(status int) {
	p.t.Helper()
	if got := p.exit(); got != status {
		p.t.Errorf("exit status %d, want %d", got, status)
	}
}

// request is a request in newline framing.
func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
}

// answer is the successful answer to a request.
func answer(id int, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", id, result)
}

// expect reads one line and compares it.
func expect(t *testing.T, r *bufio.Reader, want string) {
	t.Helper()
	got, err := r.ReadString('\n')
	if got != want {
		t.Fatalf("read %q (%v), want %q", got, err, want)
	}
}

// roundTrip has one request answered.
func roundTrip(t *testing.T, w io.Writer, r *bufio.Reader, id int) {
	t.Helper()
	params := fmt.Sprintf("[%d]", id)
	if _, err := io.WriteString(w, request(id, "echo", params)); err != nil {
		t.Fatal(err)
	}
	expect(t, r, answer(id, params))
}

// run runs the program to its end.
func run(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := command(args...)
	run := exec.CommandContext(ctx, cmd.Path, args...)
	run.Env = cmd.Env
	var out, errs strings.Builder
	run.Stdin, run.Stdout, run.Stderr = strings.NewReader(stdin), &out, &errs
	if err := run.Run(); err != nil && run.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), run.ProcessState.ExitCode()
}
