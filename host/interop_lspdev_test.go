package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"triplex/host"
	"triplex/host/echo"
)

type lspDev struct{ conn jsonrpc2.Conn }

func dialLSPDevHeaders(conn io.ReadWriteCloser, at *clientSide) caller {
	return newLSPDev(jsonrpc2.NewHeaderStream(conn), at)
}

func dialLSPDevLines(conn io.ReadWriteCloser, at *clientSide) caller {
	return newLSPDev(jsonrpc2.NewNDJSONStream(conn), at)
}

func newLSPDev(stream jsonrpc2.Stream, at *clientSide) caller {
	c := lspDev{jsonrpc2.NewConn(stream)}
	c.conn.Go(context.Background(), jsonrpc2.AsyncHandler(
		func(_ context.Context, req *jsonrpc2.Request) (any, error) {
			return at.serve(req.Method(), json.RawMessage(req.Params()))
		}))
	return c
}

func (c lspDev) call(ctx context.Context, method string, params, result any) (int64, error) {
	_, err := c.conn.Call(ctx, method, params, result)
	var answer *jsonrpc2.Error
	if errors.As(err, &answer) {
		return int64(answer.Code), nil
	}
	return 0, err
}

func (c lspDev) notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

// cancelled has to wait for the id until the call has been given up, so it never sees the answer.
func (c lspDev) cancelled(
	ctx context.Context, started <-chan struct{}, method string, params any,
) error {
	call, cancel := context.WithCancel(ctx)
	go func() {
		<-started
		cancel()
	}()
	id, err := c.conn.Call(call, method, params, nil)
	if !errors.Is(err, context.Canceled) {
		return err
	}
	number, _ := id.Number()
	return c.notify(ctx, host.CancelMethod, map[string]any{"id": number})
}

func (c lspDev) close() error { return c.conn.Close() }

func TestInteropBatchOfLSPDev(t *testing.T) {
	_, address := listening(t, hostOf(echo.Set{}))
	c, err := jsonrpc2.NewBatchClient(jsonrpc2.NewHeaderStream(connect(t, address)))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	batch := jsonrpc2.AppendBatch(nil, []jsonrpc2.Message{
		jsonrpc2.NewNotification("count", nil),
		jsonrpc2.NewCall(jsonrpc2.NewNumberID(1), "add", jsonrpc2.RawMessage("[1,2]")),
		jsonrpc2.NewCall(jsonrpc2.NewStringID("b"), "counted", nil),
	})
	if _, err := c.WriteFrame(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	frame, _, err := c.ReadFrame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := string(frame)
	if got != array(result("1", "3"), result(`"b"`, "1")) &&
		got != array(result(`"b"`, "1"), result("1", "3")) {
		t.Errorf("got %s", got)
	}
}
