package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

// scaleVariable asks for the tests that take minutes and most of a machine. .ci/interop sets it.
const scaleVariable = "TRIPLEX_SCALE"

// large is a host under so much load that tests of it are seldom run.
type large struct {
	*program
	metrics string             // URL
	before  map[string]float64 // gauges before there was load
}

// What sessions must leave as it was, and by how much it may differ: the runtime has goroutines
// and files of its own, and does not compact its heap.
var leftovers = map[string]float64{
	"triplex_sessions": 0, "triplex_requests_in_flight": 0,
	"go_goroutines": 5, "process_open_fds": 5, "go_memstats_heap_alloc_bytes": 16 << 20,
}

func startLarge(t *testing.T) *large {
	if os.Getenv(scaleVariable) == "" {
		t.Skip("skipped: set " + scaleVariable + ", or run .ci/interop scale")
	}
	p := start(t, "serve", "--listen", anyPort, "--metrics", "http://127.0.0.1:0/metrics",
		"--log-level", "error")
	l := &large{program: p, metrics: p.line("metrics at "), before: map[string]float64{}}
	l.each(100, 10, func(i int) error { return l.trip(i) }) // what the first sessions leave, stays
	for name := range leftovers {
		l.before[name] = l.gauge(name)
	}
	return l
}

func (l *large) gauge(name string) float64 { return gauge(l.t, l.metrics, name) }

// each does something n times, width at a time.
func (l *large) each(n, width int, do func(i int) error) {
	l.t.Helper()
	var all errgroup.Group
	all.SetLimit(width)
	for i := range n {
		all.Go(func() error { return do(i) })
	}
	if err := all.Wait(); err != nil {
		l.t.Fatal(err)
	}
}

// connect opens a connection. The many ports come from several addresses of this machine, so that
// the system does not run out of them.
func (l *large) connect(i int) (net.Conn, error) {
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(i%8))}}
	conn, err := from.DialContext(context.Background(), "tcp",
		strings.TrimPrefix(l.address(), "tcp://"))
	if err == nil {
		conn.SetDeadline(time.Now().Add(time.Minute))
	}
	return conn, err
}

// trip is a session of one request.
func (l *large) trip(i int) error {
	conn, err := l.connect(i)
	if err != nil {
		return err
	}
	defer conn.Close()
	return swap(conn, request(i, "echo", "[]"), answer(i, "[]"))
}

// swap sends a line and wants another one back.
func swap(conn net.Conn, line, want string) error {
	if _, err := io.WriteString(conn, line); err != nil {
		return err
	}
	got, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || got != want {
		return fmt.Errorf("sent %s, received %s, %w", line, got, err)
	}
	return nil
}

// settles waits until the host is as it was before the load. Its last garbage goes when the
// collector runs, every two minutes at least.
func (l *large) settles() {
	l.t.Helper()
	late, tick := time.After(3*time.Minute), time.Tick(time.Second)
	for {
		left := ""
		for name, before := range l.before {
			if now := l.gauge(name); now > before+leftovers[name] {
				left += fmt.Sprintf("%s was %v and is %v; ", name, before, now)
			}
		}
		if left == "" {
			return
		}
		select {
		case <-tick:
		case <-late:
			l.t.Fatal(left)
		}
	}
}

// awaitGauge waits until a gauge has a value.
func (l *large) awaitGauge(name string, want float64) {
	l.t.Helper()
	for deadline := time.Now().Add(time.Minute); l.gauge(name) != want; {
		if time.Now().After(deadline) {
			l.t.Fatalf("%s is %v, want %v", name, l.gauge(name), want)
		}
	}
}

func TestScaleTenThousandSessions(t *testing.T) {
	const n, cancelled = 10_000, `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,` +
		`"message":"request cancelled"}}` + "\n"
	l := startLarge(t)
	conns := make([]net.Conn, n)
	for round := range 2 {
		l.each(n, 100, func(i int) (err error) {
			if conns[i], err = l.connect(i); err == nil {
				_, err = io.WriteString(conns[i], request(1, "sleep", `{"ms":600000}`))
			}
			return err
		})
		l.awaitGauge("triplex_requests_in_flight", n)
		began := time.Now()
		if err := l.trip(0); err != nil {
			t.Fatal(err)
		}
		t.Logf("round %d: one more is served in %s, the host takes %.1f KiB and %.2f goroutines for each",
			round+1, time.Since(began).Round(time.Microsecond),
			l.gauge("process_resident_memory_bytes")/n/1024, l.gauge("go_goroutines")/n)
		l.each(n, 100, func(i int) error {
			defer conns[i].Close()
			const cancel = `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}` + "\n"
			return swap(conns[i], cancel, cancelled)
		})
		l.settles()
	}
}

func TestScaleFiftyThousandConnections(t *testing.T) {
	l := startLarge(t)
	l.each(50_000, 50, func(i int) error {
		switch i % 3 {
		case 0:
			return l.trip(i)
		case 1: // it goes without a word
			conn, err := l.connect(i)
			if err == nil {
				conn.Close()
			}
			return err
		default: // it is cut off in the middle of a message
			conn, err := l.connect(i)
			if err == nil {
				io.WriteString(conn, `{"jsonrpc":"2.0",`)
				conn.(*net.TCPConn).SetLinger(0)
				conn.Close()
			}
			return err
		}
	})
	l.settles()
}
