package mount_test

import (
	"testing"

	"triplex/framing"
	"triplex/host/mount"
)

// TestAMountThatIsNoServer: the clients of such mounts used to wait for ever.
func TestAMountThatIsNoServer(t *testing.T) {
	const handshake = `{"protocolVersion":"2025-06-18","capabilities":{}}`
	const launch = `{"seq":1,"type":"request","command":"initialize","arguments":{}}`
	lines := "print=" + string(framing.Newline.Append(nil, []byte(result("1", "{}"))))
	headers := "print=" + string(framing.ContentLength.Append(nil, []byte(result("1", "{}"))))
	tests := []struct {
		name, message string
		set           *mount.Set
		want          string
	}{
		{"an echo", request("1", "initialize", `{"processId":1}`), parse("lsp=exec:cat"),
			"initialize was not answered: cat sends back what it is sent: it is no server that speaks lsp"},
		{"an echo of lines", request("1", "initialize", handshake), parse("mcp=exec:cat"),
			"cat sends back what it is sent: it is no server that speaks mcp"},
		{"an echo for a debugger", launch, parse("dap=exec:cat"),
			"cat sends back what it is sent: it is no server that speaks dap"},
		{"lines for headers", request("1", "initialize", "{}"),
			fakeMount(t, "lsp", framing.ContentLength, lines),
			"sends lines, without headers: give it --mount-framing lsp=newline"},
		{"headers for lines", request("1", "initialize", handshake),
			fakeMount(t, "mcp", framing.Newline, headers),
			"sends headers, not lines: give it --mount-framing mcp=content-length"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Cleanup(func() { tt.set.Close() })
			p := start(t, tt.set)
			p.Send(tt.message)
			wantIn(t, string(p.Receive()), tt.want)
		})
	}
}

// TestWhatMayComeBack: a server may pass on to all what one of them says, and a peer may begin with
// the same words, in which it used to be taken for an echo.
func TestWhatMayComeBack(t *testing.T) {
	for _, message := range []string{notification("news", "[1]"), request("1", "hello", "[1]")} {
		set := parse("plain=exec:cat")
		t.Cleanup(func() { set.Close() })
		p := start(t, set)
		p.Send(message)
		p.Expect(message)
	}
}
