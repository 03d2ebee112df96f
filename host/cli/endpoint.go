package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"triplex/host"
	"triplex/host/transport"
)

// endpoint is the one stream that a host was started for: it ends with it.
type endpoint struct {
	stream io.ReadWriteCloser
	peer   host.PeerInfo
}

// openEndpoint opens what --stdio, --pipe or --socket name; nil if the host only listens.
func (f *serveFlags) openEndpoint(ctx context.Context) (*endpoint, error) {
	switch {
	case f.stdio:
		stream, err := transport.TakeStdio()
		if err != nil {
			return nil, err
		}
		return &endpoint{stream, host.PeerInfo{Network: "stdio"}}, nil
	case f.pipe != "":
		return dialEndpoint(ctx, transport.Address{Network: "unix", Path: f.pipe})
	case f.socket != "":
		port, err := strconv.ParseUint(f.socket, 10, 16)
		if err != nil || port == 0 {
			return nil, usagef("--socket %s: want a port, a number from 1 to 65535", f.socket)
		}
		return dialEndpoint(ctx, transport.Address{
			Network: "tcp", Host: "localhost", Port: uint16(port),
		})
	}
	return nil, nil
}

func dialEndpoint(ctx context.Context, a transport.Address) (*endpoint, error) {
	conn, err := transport.Dial(ctx, a, nil)
	if err != nil {
		return nil, fmt.Errorf("connect to the editor: %w", err)
	}
	peer := host.PeerInfo{Network: a.Network, Address: conn.RemoteAddr().String()}
	return &endpoint{conn, peer}, nil
}
