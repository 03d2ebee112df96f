package mcp

import (
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

func TestHandshake(t *testing.T) {
	client := &host.Host{Mounts: []host.MethodSet{echo.Set{}}, Framing: framing.Newline}
	_, s := hosttest.Pair(t, newHost(), client)
	if err := Dialect.Handshake.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := s.Call(t.Context(), "tools/list", nil, nil); err != nil {
		t.Error(err)
	}
}
