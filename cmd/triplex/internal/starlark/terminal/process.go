package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
)

// role is the argument, before the address of the host, by which a process knows that it is to
// stand for a program in a terminal. tokenVariable is where it finds the token: arguments can be
// seen by all users of a machine.
const (
	role          = "debuggee"
	tokenVariable = "TRIPLEX_TERMINAL_TOKEN"
)

// MaybeServe does the work of the process in the terminal, and exits as the program does, if this
// process was started by a command of [Listener.Command]. Else it does nothing. It must come before
// anything else that main does.
func MaybeServe() {
	token := os.Getenv(tokenVariable)
	if token == "" || len(os.Args) != 3 || os.Args[1] != role {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code, err := serve(ctx, os.Args[2], token, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "triplex:", err)
		code = 1
	}
	os.Exit(code)
}

// serve connects to the host at addr, shows the token, prints, and returns the exit code of the
// program when that has ended. An error is that there is no host or no more.
func serve(ctx context.Context, addr, token string, stdout, stderr io.Writer) (int, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return 0, fmt.Errorf("connect to the debugger: %w", err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if err := json.NewEncoder(conn).Encode(hello{token}); err != nil {
		return 0, fmt.Errorf("connect to the debugger: %w", err)
	}
	in := json.NewDecoder(conn)
	for {
		var m message
		if err := in.Decode(&m); err != nil {
			return 0, gone(ctx, err)
		}
		if err := m.print(stdout, stderr); err != nil {
			return 0, fmt.Errorf("print: %w", err)
		}
		if m.Exit != nil {
			return *m.Exit, nil
		}
	}
}

// gone says why there is nothing more to print.
func gone(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the debugger is gone, or did not expect this process")
	}
	return fmt.Errorf("listen to the debugger: %w", err)
}

func (m *message) print(stdout, stderr io.Writer) error {
	if _, err := io.WriteString(stdout, m.Output); err != nil {
		return err
	}
	_, err := io.WriteString(stderr, m.Error)
	return err
}
