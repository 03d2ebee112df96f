package framing

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	full := strings.Repeat("x", 64)
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"line feeds", "{}\n[1]\n", []string{"{}", "[1]", "EOF"}},
		{"cr lf", "{}\r\n[1]\r\n", []string{"{}", "[1]", "EOF"}},
		{"cr inside", "{\r}\n", []string{"{\r}", "EOF"}},
		{"blank lines", "\n\r\n{}\n \t\n\n[1]\n\r\n", []string{"{}", "[1]", "EOF"}},
		{"blanks around", " \t{} \t\r\n", []string{"{} \t", "EOF"}},
		{"other line ends are text", "{}\u2028\u0085\v\f{}\n", []string{"{}\u2028\u0085\v\f{}", "EOF"}},
		{"any bytes", "\x00\xff\n", []string{"\x00\xff", "EOF"}},
		{"no json at all", "hello: world\n1\n", []string{"hello: world", "1", "EOF"}},
		{"mark", "\uFEFF{}\r\n", []string{"{}", "EOF"}},
		{"mark later", "{}\n\uFEFF{}\n", []string{"{}", "\uFEFF{}", "EOF"}},
		{"no end", "{}\n[1]", []string{"{}", "[1]", "EOF"}},
		{"cr for an end", "{}\r", []string{"{}", "EOF"}},
		{"half a mark", "\xEF", []string{"\xEF", "EOF"}},

		{"at the limit", full + "\n1\n", []string{full, "1", "EOF"}},
		{"at the limit, cr lf", full + "\r\n1\n", []string{full, "1", "EOF"}},
		{"at the limit, no end", full, []string{full, "EOF"}},
		{"at the limit, cr", full + "\r", []string{full, "EOF"}},
		{"blanks do not count", "    " + full + "\n", []string{full, "EOF"}},
		{"over", full + "x\n1\n", []string{"frame too long", "1", "EOF"}},
		{"over, cr lf", full + "x\r\n1\n", []string{"frame too long", "1", "EOF"}},
		{"over by a cr", full + "\rx\n1\n", []string{"frame too long", "1", "EOF"}},
		{"over, two cr", full + "\r\r\n1\n", []string{"frame too long", "1", "EOF"}},
		{"over, no end", full + "x", []string{"frame too long", "EOF"}},
		{"far over", strings.Repeat(full, 60) + "\n1\n", []string{"frame too long", "1", "EOF"}},
		{"over twice", full + "x\n" + full + "x\n1\n",
			[]string{"frame too long", "frame too long", "1", "EOF"}},

		{"a header block", lsp("{}") + "\n1\n", []string{"wrong framing", "{}", "1", "EOF"}},
		{"a long header block", "content-type : a\r\nX: y\r\nContent-Length: 2\r\n\r\n{}\n",
			[]string{"wrong framing", "{}", "EOF"}},
		{"a header line alone", "Content-Length: 10\n{}\n", []string{"wrong framing", "{}", "EOF"}},
		{"two empty bodies", lsp("") + lsp(""), []string{"wrong framing", "wrong framing", "EOF"}},
		{"a block after a block", lsp("1") + "\n" + lsp("2"),
			[]string{"wrong framing", "1", "wrong framing", "2", "EOF"}},
		{"a block cut short", "Content-Length: 2\r\nContent-Ty", []string{"wrong framing",
			"Content-Ty", "EOF"}},
		{"a block with an overlong line", "Content-Length: 2\nX: " + full + "\n\n{}\n",
			[]string{"wrong framing", "frame too long", "{}", "EOF"}},
		{"other fields come through", "Content-Language: de\n", []string{"Content-Language: de", "EOF"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, Newline, Limits{Frame: 64}, test.input, test.want...)
		})
	}
}

// A refused line is told as soon as it is too long: its end may never come.
func TestLineRefusedBeforeItsEnd(t *testing.T) {
	src := &script{t: t, next: strings.Repeat("x", 65)}
	r := NewReader(src, Newline, Limits{Frame: 64})
	if got := outcome(r.Next()); got != "frame too long" {
		t.Fatalf("got %q", got)
	}
	src.next = strings.Repeat("x", 5000) + "\n{}\n"
	if got := outcome(r.Next()); got != "{}" {
		t.Errorf("then %q, want the next line", got)
	}
}
