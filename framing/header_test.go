package framing

import (
	"math"
	"strings"
	"testing"
)

func TestHeader(t *testing.T) {
	pad := "X-Pad: " + strings.Repeat("p", 2048) + "\r\n"
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"plain", lsp("{}") + lsp("[1]"), []string{"{}", "[1]", "EOF"}},
		{"lower case", "content-length: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"upper case", "CONTENT-LENGTH: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"no space", "Content-Length:2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"many spaces", "Content-Length:    2  \r\n\r\n{}", []string{"{}", "EOF"}},
		{"tabs", "Content-Length\t:\t2\t\r\n\r\n{}", []string{"{}", "EOF"}},
		{"space before the colon", "Content-Length : 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"leading zeros", "Content-Length: 00002\r\n\r\n{}", []string{"{}", "EOF"}},
		{"many zeros", "Content-Length: " + strings.Repeat("0", 30) + "2\r\n\r\n{}",
			[]string{"{}", "EOF"}},
		{"unknown field after", "Content-Length: 2\r\nX-Trace: a:b\r\n\r\n{}", []string{"{}", "EOF"}},
		{"unknown field before", "X-Trace: 1\r\nContent-Length: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"field without value", "X-Empty:\r\nContent-Length: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"longer name", "Content-Length-X: 9\r\nContent-Length: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"line feeds", "Content-Length: 2\n\n{}" + lsp("1"), []string{"{}", "1", "EOF"}},
		{"mixed line ends", "Content-Length: 2\nX: y\r\n\n{}", []string{"{}", "EOF"}},
		// Windows text mode makes CR LF of the LF in CR LF.
		{"text mode", "Content-Length: 2\r\r\n\r\r\n{}Content-Length: 1\r\r\n\r\r\n1",
			[]string{"{}", "1", "EOF"}},
		{"equal lengths", "Content-Length: 2\r\ncontent-length: 02\r\n\r\n{}", []string{"{}", "EOF"}},
		{"blank lines before", "\r\n\n \t\r\n" + lsp("{}"), []string{"{}", "EOF"}},
		{"line end after the body", lsp("{}") + "\n" + lsp("1") + "\r\n", []string{"{}", "1", "EOF"}},
		{"empty body", lsp("") + "Content-Length: 00\r\nX: y\r\n\r\n" + lsp("1"),
			[]string{"", "", "1", "EOF"}},
		{"blank body", lsp(" \n") + lsp("1"), []string{" \n", "1", "EOF"}},
		{"header inside a body", lsp(lsp("{}")) + lsp("1"), []string{lsp("{}"), "1", "EOF"}},
		{"mark inside a body", lsp("\uFEFF{}"), []string{"\uFEFF{}", "EOF"}},
		{"any bytes in a body", lsp("\x00\xff\r\n\r\n"), []string{"\x00\xff\r\n\r\n", "EOF"}},
		{"long block", pad + lsp("{}"), []string{"{}", "EOF"}},
		{"longest length", "Content-Length: 000000064\r\n\r\n" + strings.Repeat("x", 64),
			[]string{strings.Repeat("x", 64), "EOF"}},

		{"utf-8", "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8" +
			"\r\n\r\n{}", []string{"{}", "EOF"}},
		{"utf8", "Content-Type: application/vscode-jsonrpc;charset=utf8\r\nContent-Length: 2" +
			"\r\n\r\n{}", []string{"{}", "EOF"}},
		{"quoted, upper case", "content-type: a/b; Charset = \"UTF-8\"; x=y\nContent-Length: 2\n\n{}",
			[]string{"{}", "EOF"}},
		{"no charset", "Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
			[]string{"{}", "EOF"}},
		{"empty charset", "Content-Length: 2\r\nContent-Type: a/b; charset=\r\n\r\n{}",
			[]string{"{}", "EOF"}},
		{"latin1", "Content-Length: 2\r\nContent-Type: a/b; charset=iso-8859-1\r\n\r\n{}" + lsp("1"),
			[]string{"bad charset, skip 2", "1", "EOF"}},
		{"latin1 and no body", "Content-Length: 0\r\nContent-Type: a/b; charset=latin1\r\n\r\n" +
			lsp("1"), []string{"bad charset", "1", "EOF"}},
		{"utf-16, then utf-8", "Content-Type: a; charset=utf-16\nContent-Type: a; charset=utf-8\n" +
			"Content-Length: 2\r\n\r\n{}", []string{"bad charset, skip 2", "EOF"}},

		{"over the limit", lsp(strings.Repeat("x", 65)) + lsp("1"),
			[]string{"frame too long, skip 65", "1", "EOF"}},
		{"16 times the limit", lsp(strings.Repeat("\n", 1024)) + lsp("1"),
			[]string{"frame too long, skip 1024", "1", "EOF"}},
		{"far over the limit", "Content-Length: 1025\r\n\r\n", []string{"!frame too long"}},
		{"2^62", "Content-Length: 4611686018427387904\r\n\r\n", []string{"!frame too long"}},
		{"2^63-1", "Content-Length: 9223372036854775807\r\n\r\n", []string{"!frame too long"}},
		{"over the limit and latin1", "Content-Length: 65\nContent-Type: a; charset=latin1\n\n" +
			strings.Repeat("x", 65), []string{"frame too long, skip 65", "EOF"}},

		{"no length", "Content-Type: a/b\r\n\r\n{}", []string{"!bad length"}},
		{"negative", "Content-Length: -1\r\n\r\n{}", []string{"!bad length"}},
		{"plus sign", "Content-Length: +2\r\n\r\n{}", []string{"!bad length"}},
		{"word", "Content-Length: abc\r\n\r\n{}", []string{"!bad length"}},
		{"empty", "Content-Length: \r\n\r\n{}", []string{"!bad length"}},
		{"digits, then a word", "Content-Length: 2abc\r\n\r\n{}", []string{"!bad length"}},
		{"fraction", "Content-Length: 2.0\r\n\r\n{}", []string{"!bad length"}},
		{"hexadecimal", "Content-Length: 0x2\r\n\r\n{}", []string{"!bad length"}},
		{"other digits", "Content-Length: ٢\r\n\r\n{}", []string{"!bad length"}},
		{"digits apart", "Content-Length: 1 0\r\n\r\n{}", []string{"!bad length"}},
		{"list", "Content-Length: 2, 2\r\n\r\n{}", []string{"!bad length"}},
		{"2^63", "Content-Length: 9223372036854775808\r\n\r\n", []string{"!bad length"}},
		{"2^64", "Content-Length: 18446744073709551616\r\n\r\n", []string{"!bad length"}},
		{"larger first", "Content-Length: 3\r\nContent-Length: 2\r\n\r\n{}", []string{"!bad length"}},
		{"smaller first", "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", []string{"!bad length"}},

		{"no header", "hello world\r\n" + lsp("{}"), []string{"!bad header"}},
		{"no name", ": 5\r\n" + lsp("{}"), []string{"!bad header"}},
		{"space in the name", "Content Length: 2\r\n\r\n{}", []string{"!bad header"}},
		{"no header inside the block", "Content-Length: 2\r\nhello\r\n\r\n{}", []string{"!bad header"}},
		{"folded line", "Content-Length: 2\r\n more: x\r\n\r\n{}", []string{"!bad header"}},
		{"binary, no line end", lsp("1") + "\x01", []string{"1", "!bad header"}},
		{"object in the block", "X: y\r\n{}", []string{"!bad header"}},
		{"object", "{}\n", []string{"!wrong framing"}},
		{"array, no line end", "[", []string{"!wrong framing"}},
		{"length too small", "Content-Length: 1\r\n\r\n[]" + lsp("1"), []string{"[", "!bad header"}},
		{"length too large", "Content-Length: 3\r\n\r\n{}" + lsp("1"), []string{"{}C", "!bad length"}},

		{"cut in a name", lsp("1") + "Conte", []string{"1", "!truncated"}},
		{"cut in a number", lsp("1") + "Content-Length: 2", []string{"1", "!truncated"}},
		{"cut before the last line feed", "Content-Length: 2\r\n\r", []string{"!truncated"}},
		{"cut before the body", "Content-Length: 2\r\n\r\n", []string{"!truncated"}},
		{"cut in the body", "Content-Length: 2\r\n\r\n{", []string{"!truncated"}},
		{"cut in a skipped body", "Content-Length: 99\r\n\r\n" + strings.Repeat("x", 98),
			[]string{"frame too long, skip 99", "!truncated"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, ContentLength, Limits{Frame: 64}, test.input, test.want...)
		})
	}
}

func TestHeaderLimit(t *testing.T) {
	block := "X: " + strings.Repeat("p", 74) + "\nContent-Length: 2\n\n" // 97 bytes
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"3 below", block + "{}", []string{"{}", "EOF"}},
		{"at the limit", "ppp" + block + "{}" + lsp("1"), []string{"{}", "1", "EOF"}},
		{"over in the blank line", "pppp" + block + "{}", []string{"!header too long"}},
		{"over in a name", strings.Repeat("p", 101), []string{"!header too long"}},
		{"over in a value", "X: " + strings.Repeat("p", 98) + "\r\n", []string{"!header too long"}},
		{"over in many lines", strings.Repeat("X: y\r\n", 30), []string{"!header too long"}},
		{"bad line before", "hello\n" + strings.Repeat("p", 200), []string{"!bad header"}},
		{"bad line behind", strings.Repeat("X: y\n", 20) + "?\n", []string{"!header too long"}},
		{"blank lines do not count", strings.Repeat("\r\n", 100) + block + "{}",
			[]string{"{}", "EOF"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, ContentLength, Limits{Header: 100}, test.input, test.want...)
		})
	}
	t.Run("below the plain header", func(t *testing.T) {
		check(t, ContentLength, Limits{Header: 20}, lsp("{}"), "!header too long")
		check(t, ContentLength, Limits{Header: 21}, lsp("{}"), "{}", "EOF")
	})
}

func TestDefaultLimits(t *testing.T) {
	check(t, ContentLength, Limits{}, "Content-Length: 67108864\r\n\r\n", "!truncated")
	check(t, ContentLength, Limits{}, "Content-Length: 67108865\r\n\r\n",
		"frame too long, skip 67108865", "!truncated")
	check(t, ContentLength, Limits{}, "X: "+strings.Repeat("p", 65509)+"\r\n"+lsp("{}"), "{}", "EOF")
	check(t, ContentLength, Limits{}, "X: "+strings.Repeat("p", 65533), "!truncated")
	check(t, ContentLength, Limits{}, "X: "+strings.Repeat("p", 65534), "!header too long")
	check(t, ContentLength, Limits{Frame: -1, Header: -1}, "Content-Length: 67108865\r\n\r\n",
		"frame too long, skip 67108865", "!truncated")
	line := strings.Repeat("p", 5<<20)
	if got := outcome(NewReader(strings.NewReader(line+"\n"), Newline, Limits{}).Next()); got != line {
		t.Errorf("a line of 5 MiB: got %.80q", got)
	}
}

// The end of a body used to be computed beyond what an int can hold.
func TestNoLimit(t *testing.T) {
	l := Limits{Frame: math.MaxInt, Header: math.MaxInt}
	check(t, ContentLength, l, "Content-Length: 9223372036854775807\r\n\r\n{}",
		"frame too long, skip 9223372036854775807", "!truncated")
	check(t, ContentLength, l, "Content-Length: 2000000000000000000\r\n\r\n{}", "!truncated")
	check(t, Newline, l, "{}\n[]", "{}", "[]", "EOF")
}
