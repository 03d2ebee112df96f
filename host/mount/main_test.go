//go:build unix

package mount_test

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"triplex/dap"
	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
	"triplex/host/mount"
	"triplex/host/mount/child"
	"triplex/lsp"
	"triplex/mcp"
)

// The first argument that makes the test binary play a part.
const (
	roleFake     = "role:fake"
	roleStubborn = "role:stubborn"
	roleHost     = "role:host"
	roleSDK      = "role:sdk"
	roleFloor    = "role:floor"
)

func TestMain(m *testing.M) {
	child.MaybeGuard()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case roleFake:
			os.Exit(serveFake(os.Args[2:]))
		case roleStubborn:
			os.Exit(stubborn())
		case roleHost:
			os.Exit(serveHost(os.Args[2:]))
		case roleSDK:
			os.Exit(serveSDK())
		case roleFloor:
			os.Exit(serveFloor())
		}
	}
	// Guards and servers run with the race detector too, which waits a second before an exit.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	goleak.VerifyTestMain(m)
}

var dialects = []*host.Dialect{host.Plain, lsp.Dialect, dap.Dialect, mcp.Dialect}

func parse(spec string) *mount.Set {
	set, err := mount.Parse(spec, dialects)
	if err != nil {
		panic(err)
	}
	return set
}

// fakeMount returns a mount of the fake server, with patience for nobody. At the end of the test
// nothing of its servers may be left.
func fakeMount(t testing.TB, kind string, f framing.Framing, options ...string) *mount.Set {
	args := []string{kind + "=exec:" + os.Args[0], roleFake, f.String()}
	for _, o := range options {
		args = append(args, "'"+o+"'")
	}
	set := parse(strings.Join(args, " "))
	set.Options.Framing = f
	set.Options.StdinGrace, set.Options.TermGrace = 100*time.Millisecond, 100*time.Millisecond
	t.Cleanup(func() { set.Close() }) // after the sessions
	return set
}

// start serves a mount to a client that speaks newline framing.
func start(t testing.TB, set *mount.Set) *hosttest.Peer {
	t.Helper()
	return hosttest.Start(t, &host.Host{Mounts: []host.MethodSet{set}}, framing.Newline)
}

// request returns the text of a request; params may be empty.
func request(id, method, params string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,` + call(method, params)
}

// notification returns the text of a notification; params may be empty.
func notification(method, params string) string {
	return `{"jsonrpc":"2.0",` + call(method, params)
}

func call(method, params string) string {
	if params == "" {
		return `"method":"` + method + `"}`
	}
	return `"method":"` + method + `","params":` + params + `}`
}

func result(id, result string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`
}

// wantIn fails the test unless text has every part in it.
func wantIn(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("got %s\nwant something with %q in it", text, part)
		}
	}
}

// pipes are the two pipes of a process as one stream.
type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

// SetReadDeadline lets a peer lose its patience.
func (p pipes) SetReadDeadline(at time.Time) error {
	return p.ReadCloser.(*os.File).SetReadDeadline(at)
}

// Close implements io.Closer.
func (p pipes) Close() error {
	p.WriteCloser.Close()
	return p.ReadCloser.Close()
}
