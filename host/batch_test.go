package host_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

func array(elements ...string) string { return "[" + strings.Join(elements, ",") + "]" }

const noMessage = `{"code":-32600,"message":"invalid request: a message is an object"}`

func TestBatches(t *testing.T) {
	e1, e2 := request("1", "echo", "[1]"), request(`"2"`, "echo", "[2]")
	r1, r2 := result("1", "[1]"), result(`"2"`, "[2]")
	for _, c := range []struct{ name, batch, answer string }{
		{"requests", array(e1, e2), array(r1, r2)},
		{"white space", " \t" + array(" "+e1) + " ", array(r1)},
		{"empty", "[]",
			failure("null", `{"code":-32600,"message":"invalid request: the batch is empty"}`)},
		{"no messages", "[1,[]]", array(failure("null", noMessage), failure("null", noMessage))},
		{"one of them bad", array(e1, `{"jsonrpc":"2.0","id":5,"method":1}`), array(r1,
			failure("5", `{"code":-32600,"message":"invalid request: method is not a string"}`))},
		{"notifications", array(notification("count", ""), notification("count", "")), ""},
		{"a notification among requests", array(e1, notification("count", "")), array(r1)},
		{"an answer nobody waits for", array(e1, result("9", "1")), array(r1)},
		{"answers only", array(result("9", "1")), ""},
		{"the same id twice", array(request("1", "sleep", `{"ms":1}`), e1), array(
			failure("1", `{"code":-32600,"message":"id 1 is in use by a request not yet answered"}`),
			result("1", `"done"`))},
		{"a panic", array(request("1", "panic", ""), e2), array(failure("1",
			`{"code":-32603,"message":"internal error: the handler of panic panicked"}`), r2)},
		{"cancelled by itself", array(request("1", "sleep", `{"ms":60000}`), cancel("1")),
			array(failure("1", cancelled))},
		{"cut", "[" + e1, failure("null", `{"code":-32700,"message":"invalid JSON at byte 54: `+
			`expected ',' or ']' after an element, found the end of the text"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
				p.Send(c.batch)
				switch {
				case strings.HasPrefix(c.answer, "["):
					p.ExpectBatch(c.answer)
				case c.answer != "":
					p.Expect(c.answer)
				}
				p.CloseWrite()
				p.ExpectEnd()
			})
		})
	}
}

func TestABatchIsAnsweredWhenItsSlowestElementIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
		p.Send(array(request("1", "sleep", `{"ms":1000}`), request("2", "sleep", `{"ms":1000}`)))
		p.Send(request("3", "echo", "[]")) // is not held back
		p.Expect(result("3", "[]"))
		p.ExpectBatch(array(result("1", `"done"`), result("2", `"done"`)))
	})
}

func TestElementsOfABatchKeepTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l journal
		p := hosttest.Start(t, serving(noting(&l)), framing.Newline)
		p.Send(array(notification("a", ""), notification("b", ""), request("1", "c", "")))
		p.ExpectBatch(array(result("1", "null")))
		l.want(t, "start a", "end a", "start b", "end b", "start c", "end c")
	})
}

func TestAnAnswerToACallMayComeInABatch(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.Newline)
	p.Send(request("7", "ask", `{"method":"m"}`))
	p.Expect(request("1", "m", ""))
	p.Send(array(request("8", "echo", "[]"), result("1", "[1]")))
	var want []string
	for range 2 {
		want = append(want, string(p.Receive()))
	}
	if got := strings.Join(want, ""); !strings.Contains(got, result("7", "[1]")) ||
		!strings.Contains(got, array(result("8", "[]"))) {
		t.Errorf("got %s", got)
	}
}

func TestADialectMayRefuseBatches(t *testing.T) {
	d := &host.Dialect{NewLifecycle: func() host.Lifecycle { return new(rules) }}
	p := hosttest.Start(t, hostOf(handlerOf(d, methods{})), framing.Newline)
	p.Send(array(request("1", "m", ""), request("2", "m", "")))
	p.Expect(failure("null",
		`{"code":-32600,"message":"batches are not part of this protocol"}`))
}

// Two bytes can be an element, and cost a hundred times that.
func TestABatchHasALimitOfElements(t *testing.T) {
	h := hostOf(echo.Set{})
	h.Limits.InFlight = 10
	p := hosttest.Start(t, h, framing.Newline)
	p.Send("[1" + strings.Repeat(",1", 10) + "]")
	p.Expect(failure("null", `{"code":-32600,"message":"invalid request: the batch has 11 `+
		`elements, the limit is 10 (--max-in-flight)"}`))
}

func TestBatchesOfRequestsThatAreWithdrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := serving(methods{"n": func(ctx context.Context, _ *jsonrpc2.Request) (any, error) {
			<-ctx.Done()
			return nil, nil
		}})
		p := hosttest.Start(t, h, framing.Newline)
		p.Send(notification("n", ""), array(request("1", "m", ""), notification("m", "")))
		synctest.Wait()
		p.CloseWrite() // the batch waits behind the notification, which waits for the end
		p.ExpectBatch(array(failure("1", cancelled)))
		p.ExpectEnd()
	})
}

func TestAThousandElements(t *testing.T) {
	p := hosttest.Start(t, hostOf(echo.Set{}), framing.ContentLength)
	var batch, want []string
	for i := range 1000 {
		batch = append(batch, request(fmt.Sprint(i), "echo", "[]"))
		want = append(want, result(fmt.Sprint(i), "[]"))
	}
	p.Send(array(batch...))
	p.ExpectBatch(array(want...))
}
