package transport

import (
	"context"
	"crypto/tls"
	"net"
)

// Dial connects to an address of the network tcp or unix. With config, a TCP connection is
// secured with TLS; the handshake is part of the dialling.
func Dial(ctx context.Context, a Address, config *tls.Config) (net.Conn, error) {
	switch {
	case a.Network == "unix":
		if err := checkSocketPath(a.Path); err != nil {
			return nil, err
		}
		return new(net.Dialer).DialContext(ctx, "unix", a.Path)
	case config != nil:
		return (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", a.hostPort())
	}
	return new(net.Dialer).DialContext(ctx, "tcp", a.hostPort())
}
