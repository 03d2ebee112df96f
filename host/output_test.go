package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// wholeOnly is a stream without deadlines and half-closing, such as a terminal or a test's.
type wholeOnly struct{ io.ReadWriteCloser }

func TestFaultPeerThatStopsReading(t *testing.T) {
	for _, c := range []struct {
		name string
		wrap func(io.ReadWriteCloser) io.ReadWriteCloser
	}{
		{"with deadlines", func(c io.ReadWriteCloser) io.ReadWriteCloser { return c }},
		{"without", func(c io.ReadWriteCloser) io.ReadWriteCloser { return wholeOnly{c} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := hostOf(echo.Set{})
				other := hosttest.Start(t, h, framing.Newline)
				near, far := hosttest.Streams()
				s, err := h.Attach(c.wrap(far), host.PeerInfo{Network: "pipe"})
				if err != nil {
					t.Fatal(err)
				}
				p := hosttest.NewPeer(t, near, framing.Newline)
				p.Send(request("1", "echo", "[]"), request("2", "ask", `{"method":"m"}`))
				echoes(t, other) // nobody else notices
				start := time.Now()
				<-s.Done()
				if took := time.Since(start); took < 20*time.Second || took > 40*time.Second {
					t.Errorf("ended after %s", took)
				}
				wantIn(t, fmt.Sprint(s.Err()), "slow peer")
				echoes(t, other)
			})
		})
	}
}

func TestFaultPeerThatStopsReadingOverTCP(t *testing.T) {
	h := hostOf(echo.Set{})
	h.Limits.WriteTimeout = 100 * time.Millisecond
	_, address := listening(t, h)
	c := connect(t, address)
	p := hosttest.NewPeer(t, c, framing.Newline)
	p.Send(request("1", "tell", `{"method":"m","times":1000000000}`))
	for len(h.Sessions()) == 0 { // until the connection has been accepted
		echoes(t, dial(t, address, framing.Newline))
	}
	for _, s := range h.Sessions() {
		if s.Peer().Address == c.LocalAddr().String() {
			<-s.Done()
			wantIn(t, fmt.Sprint(s.Err()), "slow peer")
		}
	}
}

// A peer that had ended its input, and read nothing, used to keep a program for the write timeout.
func TestFaultPeerThatReadsNothingAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		wrap func(io.ReadWriteCloser) io.ReadWriteCloser
	}{
		{"with deadlines", func(c io.ReadWriteCloser) io.ReadWriteCloser { return c }},
		{"without", func(c io.ReadWriteCloser) io.ReadWriteCloser { return wholeOnly{c} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := hostOf(echo.Set{})
				h.Limits = host.Limits{WriteTimeout: time.Hour, DrainTimeout: 4 * time.Second}
				near, far := hosttest.Streams()
				s, err := h.Attach(c.wrap(far), host.PeerInfo{Network: "pipe"})
				if err != nil {
					t.Fatal(err)
				}
				hosttest.NewPeer(t, near, framing.Newline).Send(request("1", "echo", "[]"))
				synctest.Wait() // the answer is being written
				near.CloseWrite()
				ends(t, s, 7*time.Second)
				wantIn(t, fmt.Sprint(s.Err()), "slow peer")
			})
		})
	}
}

// A peer that was not there to read within a short drain timeout used to lose its answers.
func TestAShortDrainTimeoutLeavesTimeToRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := hostOf(echo.Set{})
		h.Limits.DrainTimeout = time.Millisecond
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(request("1", "echo", "[]"))
		p.CloseWrite()
		time.Sleep(time.Second / 2)
		p.Expect(result("1", "[]"))
		p.ExpectEnd()
	})
}

func TestALargeAnswerReachesASlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 10 << 20
		h := hostOf(echo.Set{})
		h.Limits.QueuedOut = 1 << 20
		near, s := attach(t, h)
		p := hosttest.NewPeer(t, slowReader{near}, framing.ContentLength)
		large := `["` + strings.Repeat("x", size) + `"]`
		p.Send(request("1", "echo", large))
		near.(interface{ CloseWrite() error }).CloseWrite() // the host must not get impatient
		var m struct{ Result []string }
		if err := json.Unmarshal(p.Receive(), &m); err != nil || len(m.Result[0]) != size {
			t.Errorf("got %d bytes, %v", len(m.Result[0]), err)
		}
		if s.Err() != nil {
			t.Error(s.Err())
		}
	})
}

// slowReader reads at most 16 KiB a second: what is written at a time takes longer than the drain
// timeout.
type slowReader struct{ io.ReadWriteCloser }

func (r slowReader) Read(p []byte) (int, error) {
	time.Sleep(time.Second)
	return r.ReadWriteCloser.Read(p[:min(len(p), 16<<10)])
}

func TestLimitQueuedOut(t *testing.T) {
	t.Run("senders wait for room", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := limited(t, host.Limits{QueuedOut: 1000}, framing.Newline)
			big := []string{strings.Repeat("x", 2000)}
			send := func(ctx context.Context) <-chan error {
				sent := make(chan error, 1)
				go func() { sent <- p.Session.Notify(ctx, "note", big) }()
				synctest.Wait()
				return sent
			}
			first := send(t.Context()) // is being written, by whoever it is
			second := send(t.Context())
			if len(second) != 0 {
				t.Errorf("the second send did not wait: %v", <-second)
			}
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			if err := <-send(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			for _, sent := range []<-chan error{first, second} {
				p.Receive()
				if err := <-sent; err != nil {
					t.Error(err)
				}
			}
		})
	})
	t.Run("what a peer causes and does not read ends the session", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			h := hostOf(echo.Set{})
			h.Limits.QueuedOut = 1000
			near, s := attach(t, h)
			go io.WriteString(near, strings.Repeat("{}\n", 1000))
			<-s.Done()
			wantIn(t, fmt.Sprint(s.Err()), "slow peer: its answers fill the output queue")
		})
	})
}

// A peer that did not read could have any number of requests handled until the write timeout: the
// answers that waited for room were in no table, and took gigabytes.
func TestAnswersNobodyReadsKeepOutRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits host.Limits
		size   int
	}{
		{"many", host.Limits{QueuedOut: 1000, InFlight: 10}, 10},
		{"large", host.Limits{QueuedOut: 1000, QueuedIn: 20_000}, 5000},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := hostOf(echo.Set{})
				h.Limits = c.limits
				near, s := attach(t, h)
				start := time.Now()
				params := `["` + strings.Repeat("x", c.size) + `"]`
				for i := range 500 {
					if _, err := fmt.Fprintln(near, request(fmt.Sprint(i), "echo", params)); err != nil {
						break
					}
				}
				<-s.Done()
				wantIn(t, fmt.Sprint(s.Err()), "slow peer: its answers fill the output queue")
				if took := time.Since(start); took > 10*time.Second {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

func TestFramesAreWrittenWhole(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	const senders, each = 16, 100
	var sending sync.WaitGroup
	for i := range senders {
		sending.Go(func() {
			for j := range each {
				p.Session.Notify(t.Context(), "note", []any{i, j, strings.Repeat("x", j*50)})
			}
		})
	}
	next := make([]int, senders)
	for range senders * each {
		var m struct{ Params [2]int }
		raw := p.Receive()
		var note struct{ Params []json.RawMessage }
		if err := json.Unmarshal(raw, &note); err != nil {
			t.Fatalf("%v: %s", err, raw)
		}
		for i := range m.Params {
			if err := json.Unmarshal(note.Params[i], &m.Params[i]); err != nil {
				t.Fatal(err)
			}
		}
		if i, j := m.Params[0], m.Params[1]; next[i] != j {
			t.Fatalf("sender %d: %d came in place of %d", i, j, next[i])
		}
		next[m.Params[0]]++
	}
	sending.Wait()
}

// The reading must go on while nobody reads what is written: the peer may be waiting in a write of
// its own.
func TestReadingGoesOnWhileOutputWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := make(chan struct{}, 1000)
		p := hosttest.Start(t, serving(host.HandlerFunc(
			func(_ context.Context, req *jsonrpc2.Request) (any, error) {
				handled <- struct{}{}
				return req.Params, nil
			})), framing.ContentLength)
		var want []string
		for i := range cap(handled) {
			p.Send(request(fmt.Sprint(i), "m", `["0123456789"]`)) // returns once it is read
			want = append(want, result(fmt.Sprint(i), `["0123456789"]`))
		}
		p.Expect(want...)
	})
}

func TestAWriteErrorEndsTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := hosttest.Streams()
		s, err := hostOf(echo.Set{}).Attach(brokenWriter{far}, host.PeerInfo{Network: "pipe"})
		if err != nil {
			t.Fatal(err)
		}
		hosttest.NewPeer(t, near, framing.Newline).Send(request("1", "echo", "[]"))
		<-s.Done()
		if !errors.Is(s.Err(), errBroken) {
			t.Errorf("got %v", s.Err())
		}
	})
}

var errBroken = errors.New("broken pipe")

type brokenWriter struct{ io.ReadWriteCloser }

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
