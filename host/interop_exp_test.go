package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"golang.org/x/exp/jsonrpc2"

	"triplex/host"
)

type exp struct{ conn *jsonrpc2.Connection }

// expDialer hands out a connection that exists.
type expDialer struct{ conn io.ReadWriteCloser }

func (d expDialer) Dial(context.Context) (io.ReadWriteCloser, error) { return d.conn, nil }

// expBinder makes the side of a connection that is called.
type expBinder struct{ at *clientSide }

func (b expBinder) Bind(
	_ context.Context, c *jsonrpc2.Connection,
) (jsonrpc2.ConnectionOptions, error) {
	serve := func(_ context.Context, req *jsonrpc2.Request) (any, error) {
		if !req.IsCall() {
			return b.at.serve(req.Method, req.Params)
		}
		go func() {
			res, err := b.at.serve(req.Method, req.Params)
			c.Respond(req.ID, res, err)
		}()
		return nil, jsonrpc2.ErrAsyncResponse
	}
	return jsonrpc2.ConnectionOptions{Handler: jsonrpc2.HandlerFunc(serve)}, nil
}

func dialExp(conn io.ReadWriteCloser, at *clientSide) caller {
	c, err := jsonrpc2.Dial(context.Background(), expDialer{conn}, expBinder{at})
	if err != nil {
		panic(err) // neither of the two can fail
	}
	return exp{c}
}

func (c exp) call(ctx context.Context, method string, params, result any) (int64, error) {
	err := c.conn.Call(ctx, method, params).Await(ctx, result)
	return expCode(err)
}

// expCode returns the code of an error answer. Its type is not exported, but it can be encoded.
func expCode(err error) (int64, error) {
	var answer struct{ Code int64 }
	if raw, _ := json.Marshal(err); json.Unmarshal(raw, &answer) == nil && answer.Code != 0 {
		return answer.Code, nil
	}
	return 0, err
}

func (c exp) notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

func (c exp) cancelled(
	ctx context.Context, started <-chan struct{}, method string, params any,
) error {
	call := c.conn.Call(ctx, method, params)
	<-started
	id := map[string]any{"id": call.ID().Raw()}
	if err := c.notify(ctx, host.CancelMethod, id); err != nil {
		return err
	}
	if code, err := expCode(call.Await(ctx, nil)); code != -32800 {
		return fmt.Errorf("the answer is code %d, %v", code, err)
	}
	return nil
}

func (c exp) close() error { return c.conn.Close() }
