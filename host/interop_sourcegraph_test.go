package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
)

type sourcegraph struct{ conn *jsonrpc2.Conn }

func dialSourcegraph(conn io.ReadWriteCloser, at *clientSide) caller {
	return newSourcegraph(jsonrpc2.NewBufferedStream(conn, jsonrpc2.VSCodeObjectCodec{}), at)
}

func dialSourcegraphLines(conn io.ReadWriteCloser, at *clientSide) caller {
	return newSourcegraph(framing.NewObjectStream(conn, framing.Newline, framing.Limits{}), at)
}

func newSourcegraph(stream jsonrpc2.ObjectStream, at *clientSide) caller {
	serve := func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
		return at.serve(req.Method, json.RawMessage(params(req)))
	}
	h := jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(serve).SuppressErrClosed())
	return sourcegraph{jsonrpc2.NewConn(context.Background(), stream, h)}
}

func (c sourcegraph) call(
	ctx context.Context, method string, params, result any,
) (int64, error) {
	err := c.conn.Call(ctx, method, params, result)
	var answer *jsonrpc2.Error
	if errors.As(err, &answer) {
		return answer.Code, nil
	}
	return 0, err
}

func (c sourcegraph) notify(ctx context.Context, method string, params any) error {
	return c.conn.Notify(ctx, method, params)
}

func (c sourcegraph) cancelled(
	ctx context.Context, started <-chan struct{}, method string, params any,
) error {
	id := jsonrpc2.ID{Str: "mine", IsString: true}
	w, err := c.conn.DispatchCall(ctx, method, params, jsonrpc2.PickID(id))
	if err != nil {
		return err
	}
	<-started
	if err := c.notify(ctx, host.CancelMethod, map[string]any{"id": id}); err != nil {
		return err
	}
	var answer *jsonrpc2.Error
	if err := w.Wait(ctx, nil); !errors.As(err, &answer) || answer.Code != -32800 {
		return fmt.Errorf("the answer is %v", err)
	}
	return nil
}

func (c sourcegraph) close() error { return c.conn.Close() }
