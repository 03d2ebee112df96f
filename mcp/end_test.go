package mcp

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/framing"
)

// child returns the fixture as a process.
func child(t testing.TB, kind string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), stdioServer+"="+kind, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// Report 2 (go-sdk#1061, python-sdk#2678, rust-sdk#753): the answers were lost when the input
// ended before they were written.
func TestRule33Report2OneShotPipe(t *testing.T) {
	cmd := child(t, mountedServer)
	cmd.Stdin = strings.NewReader(strings.Join([]string{
		line("1", "initialize", initializeParams(latest)),
		line("", "notifications/initialized", ""),
		line("2", "tools/call", toolParams("sleep", `{"ms":100}`)), // without a final line end
	}, "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != 2 || !bytes.Contains(lines[1], []byte(`"slept"`)) {
		t.Errorf("got %s", out)
	}
}

// Report 3 (python-sdk#2231, mongodb-mcp-server#1515, likec4#3092): servers outlived their input.
func TestRule33Report3NoInput(t *testing.T) {
	out, err := child(t, mountedServer).Output() // the standard input is the null device
	if err != nil || len(out) > 0 {
		t.Errorf("%q, %v", out, err)
	}
	synctest.Test(t, func(t *testing.T) { // where a wait shows, however busy the machine is
		c := connect(t, newHost(), framing.Newline)
		began := time.Now()
		c.CloseWrite()
		c.ExpectEnd()
		if took := time.Since(began); took > 0 {
			t.Errorf("the end took %s", took)
		}
	})
}

func TestEndWaitsForWhatIsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newHost(), framing.Newline)
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("sleep", `{"ms":2000}`))
		c.request("2", "tools/call", modernly(toolParams("sleep", `{"ms":1000}`)))
		c.CloseWrite()
		c.answer("2")
		c.answer("1")
		c.ExpectEnd()
	})
}

// ServerSession.Close waits for tools without limit: a host that waited for it never ended.
func TestEndDoesNotWaitForAToolThatIgnoresIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deaf := make(chan struct{})
		server := newServer(nil)
		sdk.AddTool(server, &sdk.Tool{Name: "deaf"}, func(
			context.Context, *sdk.CallToolRequest, any,
		) (*sdk.CallToolResult, any, error) {
			<-deaf
			return text("too late"), nil, nil
		})
		h := hostOf(server, nil)
		h.Limits.DrainTimeout = 3 * time.Second
		c := connect(t, h, framing.Newline)
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("deaf", `{}`))
		synctest.Wait()
		began := time.Now()
		c.CloseWrite()
		c.expectError(c.answer("1"), -32603)
		c.ExpectEnd()
		<-c.Session.Done()
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("the end took %s", took)
		}
		close(deaf)
	})
}

func TestEndFailsWhatTheServerAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newHost(), framing.Newline)
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("elicit", "{}"))
		c.receive()
		began := time.Now()
		c.CloseWrite()
		if got := toolText(t, c.answer("1").Result); !strings.HasPrefix(got, "error: ") {
			t.Error(got)
		}
		c.ExpectEnd()
		if took := time.Since(began); took > 0 {
			t.Errorf("the end took %s", took)
		}
	})
}

func TestCloseCancelsTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cancelled := make(chan error, 1)
		server := newServer(nil)
		sdk.AddTool(server, &sdk.Tool{Name: "hang"}, func(
			ctx context.Context, _ *sdk.CallToolRequest, _ any,
		) (*sdk.CallToolResult, any, error) {
			<-ctx.Done()
			cancelled <- ctx.Err()
			return nil, nil, ctx.Err()
		})
		c := connect(t, hostOf(server, nil), framing.Newline)
		c.initialize(latest)
		c.request("1", "tools/call", toolParams("hang", `{}`))
		c.request("2", "tools/call", modernly(toolParams("hang", `{}`)))
		synctest.Wait()
		c.Session.Close()
		for range 2 {
			if err := <-cancelled; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		<-c.Session.Done()
	})
}

// A server that hangs up, as on a client that does not answer its pings, ends the session.
func TestServerHangsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(nil)
		c := connect(t, hostOf(server, nil), framing.Newline)
		c.initialize(latest)
		for s := range server.Sessions() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		c.ExpectEnd()
	})
}

// A modern client is sent no requests, and lives without them.
func TestModernClientIsNotPinged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newServer(&sdk.ServerOptions{KeepAlive: time.Second})
		c := connect(t, hostOf(server, nil), framing.Newline)
		c.result("1", "tools/list", modernly(""))
		time.Sleep(10 * time.Second)
		c.silent()
	})
}
