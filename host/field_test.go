package host_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"triplex/framing"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// The tests of this file are named after cases of real peers that public issues tell of. Those
// whose symptom is one of a protocol are tested with that protocol.

// h01: a second client on the same port got no answer.
func TestFieldH01SecondClient(t *testing.T) {
	_, address := listening(t, hostOf(echo.Set{}))
	a, b := dial(t, address, framing.ContentLength), dial(t, address, framing.ContentLength)
	a.Send(notification("count", ""), request("1", "sleep", `{"ms":1}`))
	b.Send(request("1", "echo", `["b"]`))
	b.Expect(result("1", `["b"]`))
	a.Expect(result("1", `"done"`))
	for p, count := range map[*hosttest.Peer]string{a: "1", b: "0"} {
		p.Send(request("2", "counted", ""))
		p.Expect(result("2", count))
	}
}

// h05: after a lost connection the client or the server was of no use until it was restarted.
func TestFieldH05EditorRestartsTheConnection(t *testing.T) {
	h := hostOf(echo.Set{})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(ln) }()
	a := connect(t, ln.Addr().String())
	echoes(t, hosttest.NewPeer(t, a, framing.ContentLength))
	session := sessionOf(t, h, a)
	a.SetLinger(0)
	a.Close()
	b := dial(t, ln.Addr().String(), framing.ContentLength)
	echoes(t, b)
	<-session.Done()
	if n := len(h.Sessions()); n != 1 {
		t.Errorf("%d sessions are left, want 1", n)
	}
	h.Close()
	<-served
	again, err := net.Listen("tcp", ln.Addr().String()) // while b still holds its socket
	if err != nil {
		t.Fatalf("the port is not free again: %v", err)
	}
	h = hostOf(echo.Set{})
	go func() { served <- h.Serve(again) }()
	echoes(t, dial(t, again.Addr().String(), framing.ContentLength))
	h.Close()
	<-served
}

var greetMCP = request("1", "echo", `{"protocolVersion":"2025-06-18"}`)

// h09: the client spoke lines and the server waited for headers, or the reverse.
func TestFieldH09FramingConfusion(t *testing.T) {
	headers := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(greetMCP), greetMCP)
	answer := result("1", `{"protocolVersion":"2025-06-18"}`)
	for _, c := range []struct {
		name, bytes string
		answer      framing.Framing
	}{
		{"lines", greetMCP + "\n", framing.Newline},
		{"headers", headers, framing.ContentLength},
		{"lower case", strings.Replace(headers, "Content-L", "content-l", 1), framing.ContentLength},
		{"blank lines first", "\n\r\n  " + greetMCP + "\n", framing.Newline},
		{"blank lines before headers", "\r\n\n" + headers, framing.ContentLength},
		{"byte order mark", "\uFEFF" + greetMCP + "\n", framing.Newline},
	} {
		for _, size := range []int{1, len(c.bytes)} {
			t.Run(fmt.Sprintf("%s, %d at a time", c.name, size), func(t *testing.T) {
				p := hosttest.Start(t, hostOf(echo.Set{}), c.answer)
				for at := 0; at < len(c.bytes); at += size {
					p.SendRaw(c.bytes[at : at+size])
				}
				p.Expect(answer)
			})
		}
	}
}

// h11: header variants of real peers, for which strict readers waited for ever.
func TestFieldH11HeaderVariants(t *testing.T) {
	body := request("1", "echo", "[]")
	n := len(body)
	for _, c := range []struct{ name, header string }{
		{"LF only", fmt.Sprintf("Content-Length: %d\n\n", n)},
		{"no space, lower case", fmt.Sprintf("content-length:%d\r\n\r\n", n)},
		{"type first", fmt.Sprintf("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"+
			"Content-Length: %d\r\n\r\n", n)},
		{"utf8", fmt.Sprintf("Content-Length: %d\r\n"+
			"Content-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n", n)},
		{"windows text mode", fmt.Sprintf("Content-Length: %d\r\r\n\r\r\n", n)},
		{"unknown field", fmt.Sprintf("X-Foo: bar\r\nContent-Length: %d\r\n\r\n", n)},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
			p.SendRaw(c.header + body)
			p.Expect(result("1", "[]"))
		})
	}
	t.Run("empty body", func(t *testing.T) {
		p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
		p.SendRaw("Content-Length: 0\r\n\r\n")
		wantError(t, p, "null", "-32700")
		echoes(t, p)
	})
	for _, length := range []string{"-1", "999999999999", "abc", ""} {
		t.Run("length "+length, func(t *testing.T) {
			near, s := attach(t, hostOf(echo.Set{}))
			p := hosttest.NewPeer(t, near, framing.ContentLength)
			p.SendRaw("Content-Length: " + length + "\r\n\r\n")
			wantError(t, p, "null", "Content-Length")
			p.ExpectEnd()
			p.Close()
			<-s.Done()
			wantIn(t, fmt.Sprint(s.Err()), "Content-Length")
		})
	}
}

// h13: the length was counted in characters, or off by one.
func TestFieldH13LengthCountedWrong(t *testing.T) {
	body := request("1", "echo", `["größe"]`)
	for _, c := range []struct {
		name   string
		length int
	}{
		{"in characters", len([]rune(body))},
		{"one too long", len(body) + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			near, s := attach(t, hostOf(echo.Set{}))
			p := hosttest.NewPeer(t, near, framing.ContentLength)
			p.SendRaw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", c.length, body))
			go near.Write([]byte("Content-Length: 2\r\n\r\n{}"))
			wantError(t, p, "null", "-32700")
			io.Copy(io.Discard, near) // it ends, whatever the rest is taken for
			p.Close()
			<-s.Done()
		})
	}
	t.Run("our own", func(t *testing.T) {
		p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
		p.Send(body)
		p.Expect(result("1", `["größe"]`))
	})
}

// h15: servers went silent on CR LF and on a byte order mark.
func TestFieldH15LineEndsAndByteOrderMark(t *testing.T) {
	for _, c := range []struct{ name, bytes string }{
		{"byte order mark and CR LF", "\uFEFF" + greetMCP + "\r\n"},
		{"LF", greetMCP + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			near, _ := attach(t, hostOf(echo.Set{}))
			go near.Write([]byte(c.bytes))
			want := result("1", `{"protocolVersion":"2025-06-18"}`) + "\n"
			got := make([]byte, len(want))
			if _, err := io.ReadFull(near, got); err != nil {
				t.Fatal(err)
			}
			if string(got) != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
