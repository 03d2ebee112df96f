package host_test

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

func TestFaultPeerVanishesInsideAFrame(t *testing.T) {
	for _, c := range []struct{ name, bytes string }{
		{"in the header", "Content-Len"},
		{"in the body", "Content-Length: 50\r\n\r\n" + `{"jsonrpc":"2.0","id":9`},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
				p.Send(request("1", "sleep", `{"ms":100}`))
				p.SendRaw(c.bytes)
				p.CloseWrite()
				wantError(t, p, "null", "input ended inside")
				p.Expect(result("1", `"done"`))
				p.ExpectEnd()
				<-p.Session.Done()
				wantIn(t, fmt.Sprint(p.Session.Err()), "input ended inside")
			})
		})
	}
}

func TestFaultPeerResetsItsConnection(t *testing.T) {
	h, address := listening(t, hostOf(echo.Set{}))
	other := dial(t, address, framing.Newline)
	echoes(t, other)
	c := connect(t, address)
	p := hosttest.NewPeer(t, c, framing.ContentLength)
	echoes(t, p)
	session := sessionOf(t, h, c)
	p.Send(request("1", "sleep", `{"ms":60000}`), request("2", "ask", `{"method":"m"}`))
	p.Receive()
	c.SetLinger(0)
	c.Close()
	<-session.Done()
	if session.Err() == nil {
		t.Error("the connection was cut, but the session has no cause")
	}
	echoes(t, other)
}

// sessionOf returns the session at the other end of c, which must have been heard from.
func sessionOf(t *testing.T, h *host.Host, c net.Conn) *host.Session {
	t.Helper()
	for _, s := range h.Sessions() {
		if s.Peer().Address == c.LocalAddr().String() {
			return s
		}
	}
	t.Fatalf("no session of %s", c.LocalAddr())
	return nil
}

func TestFaultHeaderFlood(t *testing.T) {
	near, s := attach(t, hostOf(echo.Set{}))
	p := hosttest.NewPeer(t, near, framing.ContentLength)
	go func() { // until the host has had enough
		for line := strings.Repeat("X-Flood: 1\r\n", 1000); ; {
			if _, err := io.WriteString(near, line); err != nil {
				return
			}
		}
	}()
	wantError(t, p, "null", "--max-header")
	<-s.Done()
	if n := s.Stats().BytesIn; n > 1<<20 {
		t.Errorf("%d bytes were read", n)
	}
}

func TestFaultLengthOfGigabytes(t *testing.T) {
	for _, length := range []string{"4294967296", "9223372036854775807", "99999999999999999999"} {
		t.Run(length, func(t *testing.T) {
			p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
			echoes(t, p)
			before := allocated()
			p.SendRaw("Content-Length: " + length + "\r\n\r\n{")
			wantError(t, p, "null", length)
			p.ExpectEnd()
			if grown := allocated() - before; grown > 8<<20 {
				t.Errorf("%d bytes were allocated", grown)
			}
		})
	}
}

// allocated returns the bytes allocated so far, freed ones included.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestFaultDeepJSON(t *testing.T) {
	const levels = 100_000
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	for _, open := range []string{"[", `{"a":`, `[{"a":`} {
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":` + strings.Repeat(open, levels))
		wantError(t, p, "null", "10000 levels")
	}
	p.Send(strings.Repeat("[", levels))
	wantError(t, p, "null", "10000 levels")
	deep := strings.Repeat("[", 9999) + strings.Repeat("]", 9999)
	p.Send(request("1", "echo", deep))
	p.Expect(result("1", deep))
}

func TestFaultHTTPRequest(t *testing.T) {
	for _, f := range append(framings, framing.Auto) {
		for _, first := range []string{"POST / HTTP/1.1\r\n", "GET /x?y HTTP/1.0\r\n"} {
			t.Run(f.String()+" "+first[:4], func(t *testing.T) {
				h := hostOf(echo.Set{})
				h.Framing = f
				near, s := attach(t, h)
				go io.WriteString(near, first+"Content-Length: 51\r\n\r\n"+
					request("1", "tell", `{"method":"m","times":1}`)+"\n")
				said, err := io.ReadAll(near)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(said), `"m"`) || strings.Count(string(said), "jsonrpc") > 1 {
					t.Errorf("the host said %s", said)
				}
				near.Close()
				<-s.Done()
				wantIn(t, fmt.Sprint(s.Err()), "HTTP")
			})
		}
	}
}

func TestManySessionsAtOnce(t *testing.T) {
	h, address := listening(t, hostOf(echo.Set{}))
	var all sync.WaitGroup
	for i := range 50 {
		p := dial(t, address, framings[i%2])
		all.Go(func() {
			for j := range 20 {
				id, params := fmt.Sprint(j), fmt.Sprintf("[%d,%d]", i, j)
				p.Send(request(id, "echo", params), notification("count", ""))
				p.Expect(result(id, params))
			}
			p.Send(request(`"n"`, "counted", ""))
			p.Expect(result(`"n"`, "20"))
			p.CloseWrite()
			p.ExpectEnd()
		})
	}
	all.Wait()
	for _, s := range h.Sessions() {
		<-s.Done()
	}
	if n := len(h.Sessions()); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}
