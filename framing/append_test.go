package framing

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	for _, test := range []struct {
		name string
		f    Framing
		msg  string
		want string
	}{
		{"headers", ContentLength, `{"a":1}`, "Content-Length: 7\r\n\r\n{\"a\":1}"},
		{"headers, bytes not characters", ContentLength, `"é"`, "Content-Length: 4\r\n\r\n\"é\""},
		{"headers, empty", ContentLength, "", "Content-Length: 0\r\n\r\n"},
		{"headers, line ends stay", ContentLength, "{\r\n}", "Content-Length: 4\r\n\r\n{\r\n}"},
		{"line", Newline, `{"a":1}`, "{\"a\":1}\n"},
		{"line, pretty-printed", Newline, "\n{\r\n\t\"a\": 1\n\n}\r\n", " {  \t\"a\": 1  }  \n"},
		{"line, escapes stay", Newline, `"\r\n"`, `"\r\n"` + "\n"},
		{"auto", Auto, "[\n]", "[ ]\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			msg := []byte(test.msg)
			if got := string(test.f.Append([]byte("before "), msg)); got != "before "+test.want {
				t.Errorf("got %q, want %q", got, "before "+test.want)
			}
			if string(msg) != test.msg {
				t.Errorf("the message itself was changed to %q", msg)
			}
		})
	}
}

// Whatever the guess about its size, a message built in place gets the frame that Append makes.
func TestBeginEnd(t *testing.T) {
	for _, f := range []Framing{Auto, ContentLength, Newline} {
		for _, size := range []int{0, 1, 9, 10, 99, 100, 70_000} {
			body := strings.Repeat("\n", size)
			want := string(f.Append([]byte("before\r\n"), []byte(body)))
			for _, guess := range []int{-1, 0, size, 5, 50, 1 << 40} {
				dst := []byte("before\r\n")
				mark := len(dst)
				dst = f.Begin(dst, guess)
				dst = append(dst, body...)
				if got := string(f.End(dst, mark)); got != want {
					t.Errorf("%v, %d bytes, %d guessed: got %.60q, want %.60q", f, size, guess,
						got, want)
				}
			}
		}
	}
}

func TestWrittenIsRead(t *testing.T) {
	for _, f := range []Framing{ContentLength, Newline} {
		var stream []byte
		var want []string
		for size := 1; size < 300_000; size = size*3 + 1 {
			want = append(want, `"`+strings.Repeat("é", size)+`"`)
			stream = f.Append(stream, []byte(want[len(want)-1]))
		}
		r := NewReader(bytes.NewReader(stream), f, Limits{})
		for _, msg := range want {
			if got, err := r.Next(); err != nil || string(got) != msg {
				t.Errorf("%v: %d bytes, %v; want %d", f, len(got), err, len(msg))
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%v: %v at the end", f, err)
		}
	}
}
