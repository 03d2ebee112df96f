package hosttest_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) {
	hosttest.ServeChild(func() *host.Host {
		return &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
	})
	goleak.VerifyTestMain(m)
}

func ExamplePeer() {
	var t *testing.T // of the test

	h := &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
	p := hosttest.Start(t, h, framing.ContentLength)
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":["hi"]}`)
	p.Expect(`{"jsonrpc":"2.0","id":1,"result":["hi"]}`)
}

func TestPlay(t *testing.T) {
	h := &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
	hosttest.Start(t, h, framing.Newline).Play(`
# The notifications come first.
-> {"jsonrpc":"2.0","id":"t","method":"tell","params":{"method":"m","times":1}}
<- {"jsonrpc":"2.0","method":"m"}
<- {"jsonrpc":"2.0","id":"t","result":1}

-> {"jsonrpc":"2.0","id":1,"method":"echo","params":[1.50]}
-> {"jsonrpc":"2.0","id":2,"method":"what"}
<~ {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"$any"}}
<~ {"jsonrpc":"2.0","id":1,"result":[1.50]}
-> [{"jsonrpc":"2.0","id":1,"method":"echo"},{"jsonrpc":"2.0","id":2,"method":"echo"}]
<- [{"jsonrpc":"2.0","id":2,"result":null},{"jsonrpc":"2.0","id":1,"result":null}]
close
`)
}

func TestPlayFailsOnWhatWasNotExpected(t *testing.T) {
	const ask = `-> {"jsonrpc":"2.0","id":1,"method":"echo","params":[1.50]}` + "\n"
	for _, c := range []struct{ name, script, fault string }{
		{"another id", ask + `<- {"jsonrpc":"2.0","id":"1","result":[1.50]}`, "received"},
		{"another spelling", ask + `<- {"jsonrpc":"2.0","id":1,"result":[1.5]}`, "received"},
		{"a member too many", ask + `<- {"jsonrpc":"2.0","id":1}`, "received"},
		{"an array", ask + `<- [{"jsonrpc":"2.0","id":1,"result":[1.50]}]`, "received"},
		{"a message too many", ask, "expected the end"},
		{"a message too few", `<- {}`, "receive"},
		{"no such line", "what", `not with "what"`},
		// The rest of a message that went on over lines used to be passed over.
		{"a message of two lines", "-> {\n  }", `begins with blanks: "  }"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
				near, far := hosttest.Streams()
				t.Cleanup(func() { near.Close() })
				s, err := h.Attach(far, host.PeerInfo{Network: "pipe"})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { s.Close(); <-s.Done() })
				fault := failure(func(t testing.TB) {
					hosttest.NewPeer(t, near, framing.Newline).Play(c.script)
				})
				if !strings.Contains(fault, c.fault) {
					t.Errorf("failed with %q, want %q", fault, c.fault)
				}
			})
		})
	}
}

// failure runs f with a test of its own and returns what that failed with.
func failure(f func(t testing.TB)) string {
	t := new(recorder)
	var running sync.WaitGroup
	running.Go(func() { f(t) })
	running.Wait()
	return t.fault
}

// recorder is a test that notes its failure.
type recorder struct {
	testing.TB
	fault string
}

func (*recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.fault = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestPairConnectsTwoHosts(t *testing.T) {
	server := &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
	client := &host.Host{Mounts: []host.MethodSet{echo.Set{}}}
	atServer, atClient := hosttest.Pair(t, server, client)
	for _, s := range []*host.Session{atServer, atClient} {
		var answer []int
		err := s.Call(t.Context(), "echo", []int{7}, &answer)
		if err != nil || len(answer) != 1 || answer[0] != 7 {
			t.Errorf("got %v, %v", answer, err)
		}
	}
}
