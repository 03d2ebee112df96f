package starlark

import (
	"testing"

	"go.uber.org/goleak"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Whatever a client says first, it gets the face that speaks its protocol.
func TestFirstMessageChoosesTheFace(t *testing.T) {
	for _, tt := range []struct{ name, first, want string }{
		{"an editor", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{` +
			`"processId":null,"rootUri":null,"capabilities":{}}}`, "starlark-lsp"},
		{"a debug client", `{"seq":1,"type":"request","command":"initialize","arguments":{` +
			`"adapterID":"starlark"}}`, "starlark-dap"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := hosttest.Start(t, &host.Host{Mounts: New()}, framing.ContentLength)
			p.Send(tt.first)
			p.Receive()
			if got := p.Session.Stats().Mount; got != tt.want {
				t.Errorf("it got %s, want %s", got, tt.want)
			}
		})
	}
}
