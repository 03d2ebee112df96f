package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"time"
)

// A Terminal is the host's end of a connection to a process in a terminal. One goroutine at a time
// may write to it; Close is safe at any time.
type Terminal struct {
	conn net.Conn
	out  *json.Encoder
	ctx  context.Context
	gone chan struct{} // closed when nothing watches the connection any more
}

func newTerminal(conn net.Conn) *Terminal {
	ctx, cancel := context.WithCancelCause(context.Background())
	t := &Terminal{
		conn: conn, out: json.NewEncoder(conn), ctx: ctx, gone: make(chan struct{}),
	}
	go func() {
		defer close(t.gone)
		io.Copy(io.Discard, conn) // the process says nothing more: this ends when it does
		cancel(errors.New("the terminal is gone"))
	}()
	return t
}

// Context ends when the process in the terminal does.
func (t *Terminal) Context() context.Context { return t.ctx }

// Write prints what the program prints. It waits for a terminal that is slow.
func (t *Terminal) Write(text string) error { return t.out.Encode(message{Output: text}) }

// partingTime is how long the process gets to print the rest and exit.
const partingTime = time.Second

// End prints an error, if there is one, makes the process exit with a code, and closes the
// terminal.
func (t *Terminal) End(code int, text string) {
	defer t.Close()
	t.conn.SetWriteDeadline(time.Now().Add(partingTime))
	if t.out.Encode(message{Error: text, Exit: &code}) != nil {
		return
	}
	select {
	case <-t.gone:
	case <-time.After(partingTime):
	}
}

// Close ends the connection. The process, if it is still there, exits with an error.
func (t *Terminal) Close() {
	t.conn.Close()
	<-t.gone
}
