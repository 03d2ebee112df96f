package transport

import (
	"context"
	"errors"
	"log/slog"
	"net"
)

// userListener closes connections of other users' processes, as far as the system can tell.
type userListener struct {
	net.Listener
	allowOthers bool
	log         *slog.Logger
}

// The connections of processes of our own user.
type (
	ownTCP  struct{ *net.TCPConn }
	ownUnix struct{ *net.UnixConn }
)

// SameUser reports that the peer is a process of the host's own user.
func (ownTCP) SameUser() bool { return true }

// SameUser reports that the peer is a process of the host's own user.
func (ownUnix) SameUser() bool { return true }

// Accept implements net.Listener.
func (l userListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		switch err := checkUser(conn); {
		case err == nil:
			return own(conn), nil
		case l.allowOthers, errors.Is(err, errRemote), errors.Is(err, errUnknownUser):
			return conn, nil
		default:
			level := slog.LevelWarn
			if errors.Is(err, errGone) {
				level = slog.LevelDebug // it was a probe of the port, say
			}
			l.log.Log(context.Background(), level, "connection refused",
				"peer", conn.RemoteAddr().String(), "error", err)
			conn.Close()
		}
	}
}

func own(conn net.Conn) net.Conn {
	switch conn := conn.(type) {
	case *net.TCPConn:
		return ownTCP{conn}
	case *net.UnixConn:
		return ownUnix{conn}
	}
	return conn
}

// errRemote is that the peer is on another machine: TLS says who it is.
var errRemote = errors.New("the peer is on another machine")

// errGone is that nobody holds the other end any more.
var errGone = errors.New("the peer has gone")

// errUnknownUser is that this system does not say who the peer is.
var errUnknownUser = errors.New("the user of the peer is not known")

// isRemote reports whether conn comes from another machine. A connection to a loopback address
// cannot, whatever address it was made from.
func isRemote(conn *net.TCPConn) bool {
	local := conn.LocalAddr().(*net.TCPAddr)
	remote := conn.RemoteAddr().(*net.TCPAddr)
	return !local.IP.IsLoopback() && !remote.IP.IsLoopback() && !local.IP.Equal(remote.IP)
}
