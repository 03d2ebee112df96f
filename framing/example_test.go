package framing_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"triplex/framing"
)

// A Reader goes on after damage that leaves the next message's place known.
func ExampleReader() {
	stream := "content-length: 2\r\n\r\n{}" +
		"Content-Length: 99\r\n\r\n" + strings.Repeat("x", 99) +
		"Content-Length: 4\n\n[{}]"
	r := framing.NewReader(strings.NewReader(stream), framing.Auto, framing.Limits{Frame: 64})
	for {
		msg, err := r.Next()
		var bad *framing.Error
		switch {
		case err == io.EOF:
			return
		case errors.As(err, &bad) && !bad.Fatal:
			fmt.Println("refused:", bad)
		case err != nil:
			fmt.Println("lost:", err)
			return
		default:
			fmt.Printf("%v: %s\n", r.Framing(), msg)
		}
	}
	// Output:
	// content-length: {}
	// refused: byte 23: Content-Length is 99, over the limit of 64 bytes for a message
	// content-length: [{}]
}

func ExampleFraming_Append() {
	msg := []byte("{\n  \"id\": 1\n}")
	fmt.Printf("%q\n", framing.ContentLength.Append(nil, msg))
	fmt.Printf("%q\n", framing.Newline.Append(nil, msg))
	// Output:
	// "Content-Length: 13\r\n\r\n{\n  \"id\": 1\n}"
	// "{   \"id\": 1 }\n"
}

// A message that is built in place needs no copy to be framed.
func ExampleFraming_Begin() {
	out := []byte("earlier frames ")
	mark := len(out)
	out = framing.ContentLength.Begin(out, 10)
	out = append(out, `{"id":`...)
	out = append(out, "1}"...)
	out = framing.ContentLength.End(out, mark)
	fmt.Printf("%q\n", out)
	// Output:
	// "earlier frames Content-Length: 8\r\n\r\n{\"id\":1}"
}

// Any jsonrpc2.Conn can serve peers of both framings.
func ExampleNewObjectStream() {
	hello := func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) {
		return "hello", nil
	}
	ctx := context.Background()
	a, b := net.Pipe()
	server := jsonrpc2.NewConn(ctx, framing.NewObjectStream(b, framing.Auto, framing.Limits{}),
		jsonrpc2.HandlerWithError(hello))
	client := jsonrpc2.NewConn(ctx, framing.NewObjectStream(a, framing.Newline, framing.Limits{}),
		jsonrpc2.HandlerWithError(hello))

	var answer string
	err := client.Call(ctx, "greet", nil, &answer)
	fmt.Println(answer, err)
	_ = client.Close()
	<-server.DisconnectNotify()
	// Output:
	// hello <nil>
}
