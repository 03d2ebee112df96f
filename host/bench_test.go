package host_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// BenchmarkRequest measures a request from its client's write to the answer read, with a client
// that does nothing but frame.
func BenchmarkRequest(b *testing.B) {
	for _, transport := range []string{"memory", "tcp"} {
		for _, c := range []struct {
			name   string
			size   int // bytes of params
			window int // requests on their way at a time
		}{
			{"one at a time", 10, 1},
			{"64 pipelined", 10, 64},
			{"10 kB", 10_000, 1},
			{"1 MiB", 1 << 20, 1},
		} {
			b.Run(transport+"/"+c.name, func(b *testing.B) {
				conn := benchConn(b, transport, hostOf(echo.Set{}))
				text := strings.Repeat("x", c.size-4)
				exchange(b, conn, request("1", "echo", `["`+text+`"]`), c.window)
			})
		}
	}
}

// benchConn returns a connection to a session of h.
func benchConn(b *testing.B, transport string, h *host.Host) io.ReadWriteCloser {
	b.Helper()
	if transport == "tcp" {
		_, address := listening(b, h)
		return connect(b, address)
	}
	near, far := hosttest.Streams()
	if _, err := h.Attach(far, host.PeerInfo{Network: "pipe"}); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		near.Close()
		h.Close()
	})
	return near
}

// exchange sends a request over and over, window at a time, each with an id of its own, and reads
// the answers.
func exchange(b *testing.B, conn io.ReadWriter, request string, window int) {
	b.Helper()
	var batch []byte
	for i := range window {
		frame := strings.Replace(request, `"id":1`, fmt.Sprintf(`"id":%d`, i), 1)
		batch = framing.ContentLength.Append(batch, []byte(frame))
	}
	in := framing.NewReader(conn, framing.ContentLength, framing.Limits{})
	b.SetBytes(int64(len(request)))
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += window {
		sent := make(chan error, 1)
		if len(batch) > 64<<10 { // more than fits into the buffers in between
			go func() { _, err := conn.Write(batch); sent <- err }()
		} else {
			_, err := conn.Write(batch)
			sent <- err
		}
		for range window {
			if _, err := in.Next(); err != nil {
				b.Fatal(err)
			}
		}
		if err := <-sent; err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall measures a request of the host from the call to the answer decoded.
func BenchmarkCall(b *testing.B) {
	for _, transport := range []string{"memory", "tcp"} {
		b.Run(transport+"/one at a time", func(b *testing.B) {
			s := benchCaller(b, transport)
			b.ReportAllocs()
			for b.Loop() {
				ask(b, s)
			}
		})
		b.Run(transport+"/64 at a time", func(b *testing.B) {
			s := benchCaller(b, transport)
			b.ReportAllocs()
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					ask(b, s)
				}
			})
		})
	}
}

// benchCaller returns a session whose peer answers every request.
func benchCaller(b *testing.B, transport string) *host.Session {
	b.Helper()
	sessions := make(chan *host.Session, 1)
	h := hostOf(set{open: func(_ context.Context, s *host.Session) (host.Handler, error) {
		sessions <- s
		return methods{}, nil
	}})
	go answering(benchConn(b, transport, h))
	return <-sessions
}

func ask(b *testing.B, s *host.Session) {
	var answer []int
	if err := s.Call(b.Context(), "ask", []int{1}, &answer); err != nil {
		b.Error(err)
	}
}

// answering answers every request on conn with a result until conn ends.
func answering(conn io.ReadWriter) {
	in := framing.NewReader(conn, framing.Newline, framing.Limits{})
	for {
		frame, err := in.Next()
		if err != nil {
			return
		}
		id, _ := host.Member(frame, "id")
		answer := framing.Newline.Append(nil, []byte(result(string(id), "[2]")))
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

// BenchmarkTyped measures what typed methods add on both sides, between two hosts.
func BenchmarkTyped(b *testing.B) {
	type point struct{ X, Y int }
	move := host.Request[*host.Session, *point, *point]{Method: "move"}
	var mux host.Mux[*host.Session]
	move.Handle(&mux, func(_ context.Context, _ *host.Session, p *point) (*point, error) {
		return &point{p.X + 1, p.Y + 1}, nil
	})
	side := hostOf(set{open: func(_ context.Context, s *host.Session) (host.Handler, error) {
		return host.HandlerFunc(func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
			return mux.Serve(ctx, s, req)
		}), nil
	}})
	s, _ := hosttest.Pair(b, side, side)
	b.ReportAllocs()
	for b.Loop() {
		if p, err := move.Call(b.Context(), s, &point{1, 2}); err != nil || p.X != 2 {
			b.Fatal(p, err)
		}
	}
}

// BenchmarkSessions measures a request of one session while others are idle: their number must not
// matter.
func BenchmarkSessions(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := hostOf(echo.Set{})
			for range n - 1 {
				near, far := net.Pipe() // two of these are what hosttest.Streams has
				if _, err := h.Attach(far, host.PeerInfo{Network: "pipe"}); err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { near.Close() })
			}
			exchange(b, benchConn(b, "memory", h), request("1", "echo", "[1]"), 1)
		})
	}
}
