//go:build !unix

package transport

import (
	"context"
	"errors"
	"net"
)

var errNoSockets = errors.New("unix sockets are not supported on this system: use tcp://HOST:PORT")

func checkSocketPath(string) error { return errNoSockets }

func listens(int) bool { return true }

func listenUnix(context.Context, string) (net.Listener, error) { return nil, errNoSockets }
