package dap

import (
	"context"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/hosttest"
)

func TestHandshake(t *testing.T) {
	server := new(Server)
	Threads.Handle(server, func(context.Context, *Session, Empty) (*ThreadsResponseBody, error) {
		return &ThreadsResponseBody{}, nil
	})
	client := &host.Host{
		Mounts: []host.MethodSet{new(Server)}, Framing: framing.ContentLength,
	}
	atServer, s := hosttest.Pair(t, &host.Host{Mounts: []host.MethodSet{server}}, client)
	if err := Dialect.Handshake.Open(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := s.Call(t.Context(), "threads", nil, nil); err != nil {
		t.Error(err)
	}
	if err := Dialect.Handshake.Close(t.Context(), s); err != nil {
		t.Error(err)
	}
	<-atServer.Done()
}
