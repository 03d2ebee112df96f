package lsp

import (
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

// Rules O2 and O3 (and microsoft/typescript-go#2765) on a real connection: of changes and requests
// that come mixed, as fast as they can be sent, each request sees exactly the changes before it.
func TestO2AndO3OverTCP(t *testing.T) {
	const rounds = 1000
	p := dialled(t, reading(nil))
	p.Send(hello("{}"))
	answer(t, p, "0")
	p.Send(notification("initialized", "{}"), didOpenOf("file:///a", ""))

	var sending sync.WaitGroup
	defer sending.Wait()
	sending.Go(func() {
		for i := 1; i <= rounds; i++ {
			p.Send(
				didChangeOf("file:///a", i+1, fmt.Sprintf(`[{"text":"%d"}]`, i)),
				request(fmt.Sprint(i), "test/text", `{"uri":"file:///a"}`),
			)
		}
	})
	for range rounds {
		m := hear(t, p)
		var got string
		if err := json.Unmarshal(m.Result, &got); err != nil {
			t.Fatal(err)
		}
		var id int
		if _, err := fmt.Sscan(string(m.ID), &id); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("v%d %d", id+1, id); got != want {
			t.Fatalf("request %d saw %q, want %q", id, got, want)
		}
	}
}

// dialled returns a peer that is connected to srv over TCP.
func dialled(t *testing.T, srv *Server) *hosttest.Peer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &host.Host{Mounts: []host.MethodSet{srv}}
	var serving sync.WaitGroup
	serving.Go(func() { h.Serve(ln) })
	conn, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		h.Close()
		serving.Wait()
	})
	return hosttest.NewPeer(t, conn, framing.ContentLength)
}
