package mcp

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"triplex/host"
)

// dial connects a client of the SDK with the fixture on one side or the other of a socket, because
// pipes in memory make every write wait.
func dial(tb testing.TB, serve func(net.Conn), era string) *sdk.ClientSession {
	tb.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer ln.Close()
	near, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	far, err := ln.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	serve(far)
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &sdk.IOTransport{Reader: near, Writer: near},
		&sdk.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		tb.Fatal(err)
	}
	return session
}

// mounted serves the fixture on a session of a host.
func mounted(tb testing.TB) func(net.Conn) {
	return func(c net.Conn) {
		s, err := newHost().Attach(c, host.PeerInfo{})
		if err != nil {
			tb.Error(err)
			return
		}
		tb.Cleanup(func() { <-s.Done() })
	}
}

// stock serves the fixture with the SDK alone.
func stock(tb testing.TB) func(net.Conn) {
	return func(c net.Conn) {
		s, err := newServer(nil).Connect(context.Background(),
			&sdk.IOTransport{Reader: c, Writer: c}, nil)
		if err != nil {
			tb.Error(err)
			return
		}
		tb.Cleanup(func() { s.Wait() })
	}
}

func add(session *sdk.ClientSession, a, b int) error {
	res, err := session.CallTool(context.Background(), &sdk.CallToolParams{
		Name: "add", Arguments: sum{a, b},
	})
	if err != nil {
		return err
	}
	got := res.Content[0].(*sdk.TextContent).Text
	if want := fmt.Sprintf(`{"total":%d}`, a+b); got != want {
		return fmt.Errorf("%d+%d: got %s", a, b, got)
	}
	return nil
}

func TestFiftyCallsAtATime(t *testing.T) {
	session := dial(t, mounted(t), latest)
	defer session.Close()
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			for j := range 20 {
				if err := add(session, i, j); err != nil {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
}

func TestManyCallsLeaveNothingBehind(t *testing.T) {
	calls := 10_000
	if testing.Short() {
		calls = 1000
	}
	for _, era := range []string{latest, modernEra} {
		t.Run(era, func(t *testing.T) {
			session := dial(t, mounted(t), era)
			defer session.Close()
			run := func(n int) {
				for i := range n {
					if err := add(session, i, 1); err != nil {
						t.Fatal(err)
					}
				}
			}
			run(calls / 10)
			before := inUse()
			run(calls)
			// Buffers come and go; what each call left behind would be more than 100 bytes.
			if grown := inUse() - before; grown > 1<<20 {
				t.Errorf("%d calls left %d bytes behind", calls, grown)
			}
		})
	}
}

// inUse returns the bytes of memory that are in use.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// cpu returns the CPU time that the process has used.
func cpu(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCall compares the CPU time of a call on a session of a host with that on the SDK's own
// transport: the same client calls both in turn, so that what else the machine does costs both the
// same. The client's share is in both figures.
func BenchmarkCall(b *testing.B) {
	for _, era := range []string{latest, modernEra} {
		b.Run(era, func(b *testing.B) {
			sessions := map[string]*sdk.ClientSession{
				"mounted": dial(b, mounted(b), era), "stock": dial(b, stock(b), era),
			}
			used := map[string]time.Duration{}
			const turn = 100
			for i := 0; i < b.N; i += turn {
				for name, session := range sessions {
					began := cpu(b)
					for range turn {
						if err := add(session, 1, 2); err != nil {
							b.Fatal(err)
						}
					}
					used[name] += cpu(b) - began
				}
			}
			calls := float64((b.N + turn - 1) / turn * turn)
			for name, session := range sessions {
				b.ReportMetric(float64(used[name].Microseconds())/calls, name+"-cpu-µs/call")
				session.Close()
			}
			b.ReportMetric(float64(used["mounted"])/float64(used["stock"]), "ratio")
		})
	}
}

// spawn starts a server of a kind, and connects a client of the SDK with its pipes.
func spawn(tb testing.TB, kind, era string) (*exec.Cmd, *sdk.ClientSession) {
	tb.Helper()
	server := child(tb, kind)
	client := sdk.NewClient(&sdk.Implementation{Name: "client", Version: "1"}, nil)
	session, err := client.Connect(tb.Context(), &sdk.CommandTransport{Command: server},
		&sdk.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		tb.Fatal(err)
	}
	return server, session
}

// BenchmarkCallOverStdio compares the CPU time of two server processes, one that is mounted and one
// of the SDK alone, which the same client calls in turn over their pipes. Their start is in both
// figures, so that they are worth something from some thousand calls on.
func BenchmarkCallOverStdio(b *testing.B) {
	for _, era := range []string{latest, modernEra} {
		b.Run(era, func(b *testing.B) {
			mounted, toMounted := spawn(b, mountedServer, era)
			stock, toStock := spawn(b, stockServer, era)
			sessions := []*sdk.ClientSession{toMounted, toStock}
			const turn = 100
			for i := 0; i < b.N; i += turn {
				for _, session := range sessions {
					for range turn {
						if err := add(session, 1, 2); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
			for _, session := range sessions {
				if err := session.Close(); err != nil {
					b.Error(err)
				}
			}
			calls := float64((b.N + turn - 1) / turn * turn)
			used := func(server *exec.Cmd) float64 {
				end := server.ProcessState
				return float64((end.UserTime() + end.SystemTime()).Microseconds()) / calls
			}
			b.ReportMetric(used(mounted), "mounted-cpu-µs/call")
			b.ReportMetric(used(stock), "stock-cpu-µs/call")
			b.ReportMetric(used(mounted)/used(stock), "ratio")
		})
	}
}
