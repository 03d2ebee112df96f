package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"triplex/host/transport"
)

// dial connects to a host, and says how to start one where none listens.
func (a *app) dial(
	ctx context.Context, address transport.Address, secured *tls.Config,
) (net.Conn, error) {
	conn, err := transport.Dial(ctx, address, secured)
	var cause syscall.Errno
	if errors.As(err, &cause) && (cause == syscall.ECONNREFUSED || cause.Is(fs.ErrNotExist)) {
		return nil, fmt.Errorf("no host listens there (%w); to start one: %s serve --listen %s",
			cause, a.Name, address)
	}
	return conn, err
}
