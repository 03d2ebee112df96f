//go:build unix

package mount_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
)

// readFrame reads a frame into body, which may be longer then.
func readFrame(in *bufio.Reader, body []byte) ([]byte, error) {
	var n int
	if _, err := fmt.Fscanf(in, "Content-Length: %d\r\n\r\n", &n); err != nil {
		return nil, err
	}
	body = slices.Grow(body[:0], n)[:n]
	_, err := io.ReadFull(in, body)
	return body, err
}

// serveFloor answers each request with its params, and looks at nothing that BenchmarkRoundTrip
// does not send.
func serveFloor() int {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	var body, out []byte
	for {
		var err error
		if body, err = readFrame(in, body); err != nil {
			return 0
		}
		_, rest, _ := bytes.Cut(body, []byte(`"id":`))
		id, rest, _ := bytes.Cut(rest, []byte(","))
		_, params, _ := bytes.Cut(rest, []byte(`"params":`))
		const format = `{"jsonrpc":"2.0","id":%s,"result":%s` // the brace comes with the params
		size := len(id) + len(params) + len(format) - len("%s%s")
		out = fmt.Appendf(out[:0], "Content-Length: %d\r\n\r\n"+format, size, id, params)
		os.Stdout.Write(out)
	}
}
