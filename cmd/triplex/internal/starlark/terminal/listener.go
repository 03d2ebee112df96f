package terminal

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"time"

	"triplex/host/transport"
)

// A Listener waits for the one process that knows its token.
type Listener struct {
	ln    *transport.Listener
	token string
	found chan *Terminal // has room for the one
	work  sync.WaitGroup
	ctx   context.Context // ends with Close
	close context.CancelFunc
}

// Listen listens on a port of this machine, for processes of its own user. The logger is told of
// those that were refused; nil discards that. The caller must close the listener.
func Listen(ctx context.Context, log *slog.Logger) (*Listener, error) {
	config := transport.Config{Logger: log}
	lns, err := config.Listen(ctx, transport.Address{Network: "tcp", Host: "127.0.0.1"})
	if err != nil {
		return nil, fmt.Errorf("wait for the terminal: %w", err)
	}
	l := &Listener{ln: lns[0], token: rand.Text(), found: make(chan *Terminal, 1)}
	l.ctx, l.close = context.WithCancel(context.Background())
	l.work.Go(l.accept)
	return l, nil
}

// Command returns what to run in the terminal: this program, whose main calls [MaybeServe], and
// what its environment needs beside the usual.
func (l *Listener) Command() (args []string, env map[string]string, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, fmt.Errorf("find the program to run in the terminal: %w", err)
	}
	args = []string{program, role, l.ln.Addr().String()}
	return args, map[string]string{tokenVariable: l.token}, nil
}

// Accept returns the process once it has connected.
func (l *Listener) Accept(ctx context.Context) (*Terminal, error) {
	select {
	case t := <-l.found:
		return t, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for the terminal: %w", context.Cause(ctx))
	}
}

// Close stops listening. A process that has connected and was not accepted is turned away.
func (l *Listener) Close() {
	l.ln.Close()
	l.close()
	l.work.Wait()
	select {
	case t := <-l.found:
		t.Close()
	default:
	}
}

// maxStrangers is how many connections may be waiting for their token at one time.
const maxStrangers = 8

func (l *Listener) accept() {
	places := make(chan struct{}, maxStrangers)
	for {
		conn, err := l.ln.Accept()
		if err != nil {
			return
		}
		places <- struct{}{} // for no longer than helloTime, or until Close
		l.work.Go(func() {
			defer func() { <-places }()
			l.meet(conn)
		})
	}
}

// helloTime is how long a process may take to show its token, helloSize what it may say until then.
const (
	helloTime = 30 * time.Second
	helloSize = 256
)

// meet lets a process in that knows the token, once.
func (l *Listener) meet(conn net.Conn) {
	stop := context.AfterFunc(l.ctx, func() { conn.Close() })
	defer stop()
	conn.SetReadDeadline(time.Now().Add(helloTime))
	var h hello
	err := json.NewDecoder(io.LimitReader(conn, helloSize)).Decode(&h)
	if err != nil || subtle.ConstantTimeCompare([]byte(h.Token), []byte(l.token)) != 1 {
		conn.Close()
		return
	}
	if !stop() {
		return // Close has closed it
	}
	conn.SetReadDeadline(time.Time{})
	t := newTerminal(conn)
	select {
	case l.found <- t:
		l.ln.Close() // the token has been used
	default:
		t.Close()
	}
}
