package lsp_test

import (
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
	"triplex/lsp"
)

// The leave-taking used to complain of a server that the client's own request had shut down.
func TestHandshakeAroundAShutdown(t *testing.T) {
	server := &host.Host{Mounts: []host.MethodSet{new(lsp.Server)}}
	client := &host.Host{Mounts: []host.MethodSet{echo.Set{}}, Framing: framing.ContentLength}
	atServer, s := hosttest.Pair(t, server, client)
	if err := lsp.Dialect.Handshake.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := s.Call(t.Context(), "shutdown", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := lsp.Dialect.Handshake.Close(t.Context(), s); err != nil {
		t.Error(err)
	}
	<-atServer.Done()
	if status := atServer.ExitStatus(); status != 0 {
		t.Errorf("the server's exit status is %d", status)
	}
}
