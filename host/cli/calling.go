package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/mount/child"
)

// run does the call.
func (c *call) run(ctx context.Context) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	limit := time.Duration(c.flags.timeout)
	late := fmt.Errorf("gave up after %s (--timeout)", limit)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	if c.command != nil {
		return c.spawn(ctx)
	}
	conn, err := c.dial(ctx, c.address, c.flags.tls.config)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("connect to %s: %w", c.address, err)
	}
	return c.converse(ctx, conn)
}

// spawn starts the server, does the call, and ends the server.
func (c *call) spawn(ctx context.Context) error {
	log, flush := c.logs.open(c.stderr)
	defer flush()
	server, err := child.Start(ctx, child.Config{Args: c.command, Logger: log})
	if err != nil {
		return err
	}
	err = c.converse(ctx, server.Conn())
	closeErr := server.Close()
	if errors.Is(err, host.ErrClosed) {
		if ended := server.Wait(); ended != nil {
			return errors.Join(err, ended)
		}
		return fmt.Errorf("the server ended, with exit status 0: %w", err)
	}
	return errors.Join(err, closeErr)
}

// converse does the call over a stream to the server.
func (c *call) converse(ctx context.Context, stream io.ReadWriteCloser) error {
	set := &clientSet{dialect: asClient(c.dialect, false), answers: c.answers}
	if c.flags.wait > 0 {
		set.notified = c.notification
	}
	return converse(stream, set, c.wireFraming(), func(s *host.Session) error {
		return wireError(c.talk(ctx, s))
	})
}

func (c *call) wireFraming() framing.Framing {
	for _, f := range []framing.Framing{c.flags.framing, c.dialect.Framing} {
		if f != framing.Auto {
			return f
		}
	}
	return framing.ContentLength
}

// talk does the handshake and what is to be done between its halves.
func (c *call) talk(ctx context.Context, s *host.Session) error {
	handshake := c.dialect.Handshake
	if handshake.Open != nil {
		if err := handshake.Open(ctx, s); err != nil {
			return fmt.Errorf("handshake: %w", wireError(err))
		}
	}
	err := c.exchange(ctx, s)
	if handshake.Close == nil || ctx.Err() != nil {
		return err
	}
	// What was called may have been to end the session, which is then over sooner or later.
	if left := handshake.Close(ctx, s); !errors.Is(left, host.ErrClosed) {
		err = errors.Join(err, left)
	}
	return err
}

// exchange sends the message, and prints what comes of it: notifications as they arrive, the result
// behind them.
func (c *call) exchange(ctx context.Context, s *host.Session) error {
	if c.flags.notify {
		return errors.Join(s.Notify(ctx, c.method, c.params), c.await(ctx, s))
	}
	var result json.RawMessage
	if err := s.Call(ctx, c.method, c.params, &result); err != nil {
		return c.hint(err)
	}
	return errors.Join(c.await(ctx, s), c.printResult(result))
}

// codeNotInitialized answers what comes before a handshake (LSP 3.17, ErrorCodes).
const codeNotInitialized = -32002

// hint says what does the handshake that the server wants.
func (c *call) hint(err error) error {
	var answer *jsonrpc2.Error
	if c.dialect.Handshake.Open != nil || !errors.As(err, &answer) ||
		answer.Code != codeNotInitialized {
		return err
	}
	return fmt.Errorf("%w; --as DIALECT does that", wireError(err))
}

// await waits for the notifications that are to be printed.
func (c *call) await(ctx context.Context, s *host.Session) (err error) {
	if c.flags.wait == 0 {
		return nil
	}
	select {
	case <-c.enough:
		return nil
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-s.Context().Done():
		err = context.Cause(s.Context())
	}
	return fmt.Errorf("--wait-notifications: %w", err)
}

// printResult prints a result as it came, or indented for a terminal.
func (c *call) printResult(result json.RawMessage) error {
	var text bytes.Buffer
	if !isTerminal(c.stdout) || json.Indent(&text, result, "", "  ") != nil {
		text.Reset()
		text.Write(result)
	}
	text.WriteByte('\n')
	_, err := c.stdout.Write(text.Bytes())
	return err
}

// notification prints a notification, one write for each, until there were enough.
func (c *call) notification(method string, params *json.RawMessage) {
	if c.notified == int(c.flags.wait) {
		return
	}
	line, err := json.Marshal(struct {
		Method string           `json:"method"`
		Params *json.RawMessage `json:"params,omitempty"`
	}{method, params})
	if err == nil {
		c.stdout.Write(append(line, '\n'))
	}
	c.notified++
	if c.notified == int(c.flags.wait) {
		close(c.enough)
	}
}

// wireError makes an error answer of the server readable.
func wireError(err error) error {
	var answer *jsonrpc2.Error
	if !errors.As(err, &answer) {
		return err
	}
	text := fmt.Sprintf("error %d: %s", answer.Code, answer.Message)
	if answer.Data != nil {
		text += fmt.Sprintf(" (data: %s)", *answer.Data)
	}
	return errors.New(printable(text))
}

// printable escapes what would make a terminal do something, but for the ends of lines and tabs.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}
