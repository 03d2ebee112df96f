package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
)

// Serve is the work of the process in the terminal: it connects to the host at addr, shows the
// token, prints, and returns the exit code of the program when that has ended. An error is that
// there is no host or no more.
func Serve(ctx context.Context, addr, token string, stdout, stderr io.Writer) (int, error) {
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
			return 0, gone(err)
		}
		if err := m.print(stdout, stderr); err != nil {
			return 0, fmt.Errorf("print: %w", err)
		}
		if m.Exit != nil {
			return *m.Exit, nil
		}
	}
}

func gone(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
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
