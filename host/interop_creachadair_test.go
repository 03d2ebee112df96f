package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"triplex/host"
	"triplex/host/echo"
)

type creachadair struct{ client *jrpc2.Client }

func dialCreachadairLSP(conn io.ReadWriteCloser, at *clientSide) caller {
	return newCreachadair(channel.LSP(conn, conn), at)
}

func dialCreachadairLine(conn io.ReadWriteCloser, at *clientSide) caller {
	return newCreachadair(channel.Line(conn, conn), at)
}

func newCreachadair(ch channel.Channel, at *clientSide) creachadair {
	return creachadair{jrpc2.NewClient(ch, &jrpc2.ClientOptions{
		OnNotify: func(req *jrpc2.Request) { at.serve(req.Method(), raw(req)) },
		OnCallback: func(_ context.Context, req *jrpc2.Request) (any, error) {
			return at.serve(req.Method(), raw(req))
		},
		// The library leaves it to its user how a server is told.
		OnCancel: func(c *jrpc2.Client, rsp *jrpc2.Response) {
			id := map[string]any{"id": json.RawMessage(rsp.ID())}
			c.Notify(context.Background(), host.CancelMethod, id)
		},
	})}
}

func raw(req *jrpc2.Request) json.RawMessage {
	var params json.RawMessage
	if req.HasParams() {
		req.UnmarshalParams(&params)
	}
	return params
}

func (c creachadair) call(
	ctx context.Context, method string, params, result any,
) (int64, error) {
	if result == nil {
		result = new(json.RawMessage)
	}
	err := c.client.CallResult(ctx, method, params, result)
	var answer *jrpc2.Error
	if errors.As(err, &answer) {
		return int64(answer.Code), nil
	}
	return 0, err
}

func (c creachadair) notify(ctx context.Context, method string, params any) error {
	return c.client.Notify(ctx, method, params)
}

func (c creachadair) cancelled(
	ctx context.Context, started <-chan struct{}, method string, params any,
) error {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		<-started
		cancel()
	}()
	if code, err := c.call(ctx, method, params, nil); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the answer is code %d, %v", code, err)
	}
	return nil
}

func (c creachadair) close() error { return c.client.Close() }

func TestInteropBatchOfCreachadair(t *testing.T) {
	_, address := listening(t, hostOf(echo.Set{}))
	conn := connect(t, address)
	c := newCreachadair(channel.LSP(conn, conn), newClientSide())
	defer c.close()
	answers, err := c.client.Batch(t.Context(), []jrpc2.Spec{
		{Method: "count", Notify: true},
		{Method: "add", Params: []int{1, 2}},
		{Method: "fail", Params: map[string]any{"code": 5, "message": "as asked"}},
		{Method: "counted"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"3", "[5] as asked", "1"}
	for i, answer := range answers {
		got := answer.ResultString()
		if err := answer.Error(); err != nil {
			got = err.Error()
		}
		if i >= len(want) || got != want[i] {
			t.Errorf("answer %d of %d: %s, want %v", i, len(answers), got, want)
		}
	}
}
