package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
)

// caller is what the tests need of a client library.
type caller interface {
	// call returns the code of the error answer, 0 for a result.
	call(ctx context.Context, method string, params, result any) (code int64, err error)
	notify(ctx context.Context, method string, params any) error
	// cancelled calls a method and has the host cancel that once started is closed.
	cancelled(ctx context.Context, started <-chan struct{}, method string, params any) error
	close() error
}

// library is one way to be a client.
type library struct {
	name    string
	connect func(conn io.ReadWriteCloser, at *clientSide) caller
}

// libraries are the Go clients of others.
var libraries = []library{
	{"sourcegraph", dialSourcegraph},
	{"sourcegraph on our lines", dialSourcegraphLines},
	{"creachadair, LSP channel", dialCreachadairLSP},
	{"creachadair, Line channel", dialCreachadairLine},
	{"lsp.dev, headers", dialLSPDevHeaders},
	{"lsp.dev, lines", dialLSPDevLines},
	{"x/exp", dialExp},
}

// clientSide is what a client does when its server calls.
type clientSide struct {
	notes  chan string   // params of the notifications `note`
	parked chan struct{} // closed when the request `park` has come
	freed  chan struct{} // closed when the server has cancelled that
}

func newClientSide() *clientSide {
	return &clientSide{make(chan string, 10), make(chan struct{}), make(chan struct{})}
}

// serve handles one message of the server. A client has to run requests beside one another.
func (c *clientSide) serve(method string, params json.RawMessage) (any, error) {
	switch method {
	case "note":
		c.notes <- string(params)
	case "double":
		var numbers []int
		if err := json.Unmarshal(params, &numbers); err != nil {
			return nil, err
		}
		for i := range numbers {
			numbers[i] *= 2
		}
		return numbers, nil
	case "park":
		close(c.parked)
		<-c.freed
	case host.CancelMethod:
		close(c.freed)
	default:
		return nil, fmt.Errorf("unexpected %s", method)
	}
	return nil, nil
}

// converse tests what a client and an echo host have to say to one another.
func converse(t *testing.T, c caller, at *clientSide) {
	ctx := t.Context()
	var sum int
	if code, err := c.call(ctx, "add", []int{2, 3}, &sum); err != nil || code != 0 || sum != 5 {
		t.Errorf("add: %d, code %d, %v", sum, code, err)
	}
	fault := map[string]any{"code": 1234, "message": "as asked"}
	if code, err := c.call(ctx, "fail", fault, nil); err != nil || code != 1234 {
		t.Errorf("fail: code %d, %v", code, err)
	}
	if code, err := c.call(ctx, "no such method", nil, nil); err != nil || code != -32601 {
		t.Errorf("unknown method: code %d, %v", code, err)
	}
	for range 3 {
		if err := c.notify(ctx, "count", nil); err != nil {
			t.Errorf("count: %v", err)
		}
	}
	var counted int
	if _, err := c.call(ctx, "counted", nil, &counted); err != nil || counted != 3 {
		t.Errorf("counted: %d, %v", counted, err)
	}
	converseBack(t, c, at)
	t.Run("side by side", func(t *testing.T) { callMany(t, c) })
}

// converseBack tests what the host says of its own accord.
func converseBack(t *testing.T, c caller, at *clientSide) {
	ctx := t.Context()
	tell := map[string]any{"method": "note", "params": []int{1}, "times": 3}
	if _, err := c.call(ctx, "tell", tell, nil); err != nil {
		t.Errorf("tell: %v", err)
	}
	for range 3 {
		if note := <-at.notes; note != "[1]" {
			t.Errorf("note: got %s", note)
		}
	}
	var doubled []int
	ask := map[string]any{"method": "double", "params": []int{1, 2}}
	if _, err := c.call(ctx, "ask", ask, &doubled); err != nil || fmt.Sprint(doubled) != "[2 4]" {
		t.Errorf("ask: %v, %v", doubled, err)
	}
	park := map[string]any{"method": "park"}
	if err := c.cancelled(ctx, at.parked, "ask", park); err != nil {
		t.Errorf("cancel: %v", err)
	}
	<-at.freed // the host has passed the cancellation on
}

func callMany(t *testing.T, c caller) {
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			var sum int
			_, err := c.call(t.Context(), "add", []int{i, i}, &sum)
			if err != nil || sum != 2*i {
				t.Errorf("%d + %d: %d, %v", i, i, sum, err)
			}
		})
	}
	all.Wait()
}

func TestInteropWithGoClientsAtOnceOverTCP(t *testing.T) {
	_, address := listening(t, hostOf(echo.Set{}))
	clients, sides := make([]caller, len(libraries)), make([]*clientSide, len(libraries))
	for i, l := range libraries {
		sides[i] = newClientSide()
		clients[i] = l.connect(connect(t, address), sides[i])
	}
	t.Run("attached", func(t *testing.T) {
		for i, l := range libraries {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				converse(t, clients[i], sides[i])
			})
		}
	})
	for _, c := range clients {
		c.close()
	}
}

func TestInteropWithGoClientsOverStdio(t *testing.T) {
	for _, l := range libraries {
		t.Run(l.name, func(t *testing.T) {
			at := newClientSide()
			c := l.connect(startChild(t, framing.Auto), at)
			defer c.close()
			converse(t, c, at)
		})
	}
}
