package child

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// firstRetry and lastRetry bound the pause between two attempts to dial a child, which doubles.
const (
	firstRetry = 10 * time.Millisecond
	lastRetry  = 250 * time.Millisecond
)

// fillPort replaces every ${port} in args by a free loopback port. The port is 0, and args are
// returned as they are, when there is none.
func fillPort(args []string) (filled []string, port int, err error) {
	filled = make([]string, len(args))
	for i, arg := range args {
		if strings.Contains(arg, portWord) && port == 0 {
			if port, err = freePort(); err != nil {
				return nil, 0, err
			}
		}
		filled[i] = strings.ReplaceAll(arg, portWord, strconv.Itoa(port))
	}
	return filled, port, nil
}

// freePort returns a loopback port that nobody listened on a moment ago. Another process may take
// it before the child does; the child then ends, and so does the attempt to start it.
func freePort() (int, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port for %s: %w", portWord, err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// errDied is the cause of a dial that a child's end cut short.
var errDied = errors.New("the child ended")

// dial connects to a loopback port, again and again until something listens there, ctx ends or
// died is closed. Both address families are tried: a child told "localhost" may listen on ::1
// alone.
func dial(ctx context.Context, port int, died <-chan struct{}) (Conn, error) {
	var dialer net.Dialer
	for pause := firstRetry; ; pause = min(2*pause, lastRetry) {
		for _, host := range []string{"127.0.0.1", "::1"} {
			address := net.JoinHostPort(host, strconv.Itoa(port))
			conn, err := dialer.DialContext(ctx, "tcp", address)
			if err == nil {
				return conn.(*net.TCPConn), nil
			}
		}
		select {
		case <-died:
			return nil, errDied
		case <-ctx.Done():
			return nil, fmt.Errorf("nothing listens on its port %d: %w", port, context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}
