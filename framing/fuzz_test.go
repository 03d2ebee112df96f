package framing

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzReader feeds any bytes in any framing, at once and in small pieces: the Reader must come to
// an end, and to the same results.
func FuzzReader(f *testing.F) {
	long := string(bytes.Repeat([]byte{'x'}, 200))
	for _, seed := range []string{
		"", "\uFEFF", "{}\n[1]\r\n\n{}", lsp("{}") + lsp(""), "content-length:\t2 \n\n{}\n",
		"Content-Length: 2\r\r\n\r\r\n{}", "X: y\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
		"Content-Type: a/b; charset=latin1\r\nContent-Length: 2\r\n\r\n{}" + lsp("1"),
		lsp(long) + lsp("1"), long + "\n1\n", "X: " + long, "Content-Length: 99999\r\n\r\n",
		"Content-Length: -1\r\n\r\n", "Content-Length: 18446744073709551616\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"Content-Length: 9\r\n\r\n{",
		// A long first line used to be a request or not, as its space had arrived or not.
		long + " x",
		"{}\nContent-Length: 2\r\nX: y\r\n\r\n{}\n", "\x01", "hello\r\n", lsp("1") + "{}\n",
	} {
		for _, framing := range []Framing{Auto, ContentLength, Newline} {
			f.Add([]byte(seed), uint8(framing), uint8(3))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, framing, step uint8) {
		framing %= 3
		l := Limits{Frame: 100, Header: 80}
		var parts pieces
		for part := range slices.Chunk(data, max(1, int(step))) {
			parts = append(parts, part)
		}
		whole := outcomes(NewReader(bytes.NewReader(data), Framing(framing), l))
		cut := outcomes(NewReader(&parts, Framing(framing), l))
		if !slices.Equal(whole, cut) {
			t.Errorf("at once %q, in pieces of %d %q", whole, step, cut)
		}
	})
}
