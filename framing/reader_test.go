package framing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// outcome tells what Next has returned in a few words: a message as it is, an Error by its reason,
// "!" in front where it is fatal and the bytes to skip behind it.
func outcome(msg []byte, err error) string {
	var e *Error
	switch {
	case err == nil:
		return string(msg)
	case !errors.As(err, &e):
		return err.Error()
	case e.Fatal:
		return "!" + e.Reason.String()
	case e.Skip > 0:
		return fmt.Sprintf("%v, skip %d", e.Reason, e.Skip)
	}
	return e.Reason.String()
}

// outcomes reads r to its end.
func outcomes(r *Reader) []string {
	var all []string
	for {
		msg, err := r.Next()
		all = append(all, outcome(msg, err))
		if r.err != nil {
			return all
		}
	}
}

// pieces is a source that returns its parts one by one.
type pieces [][]byte

func (p *pieces) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	if (*p)[0] = (*p)[0][n:]; len((*p)[0]) == 0 {
		*p = (*p)[1:]
	}
	return n, nil
}

// sources returns input as it may arrive: at once, byte by byte, cut in two anywhere (for short
// input), and with its end told along with the last bytes.
func sources(input string) map[string]io.Reader {
	all := map[string]io.Reader{
		"at once":      strings.NewReader(input),
		"halves":       iotest.HalfReader(strings.NewReader(input)),
		"end with it":  iotest.DataErrReader(strings.NewReader(input)),
		"byte by byte": iotest.OneByteReader(strings.NewReader(input)),
	}
	if len(input) > 400 {
		return all
	}
	for i := 1; i < len(input); i++ {
		all[fmt.Sprintf("cut at %d", i)] = &pieces{[]byte(input[:i]), []byte(input[i:])}
	}
	return all
}

// check reads input in every way it may arrive and compares what Next returns with want.
func check(t *testing.T, f Framing, l Limits, input string, want ...string) {
	t.Helper()
	for how, src := range sources(input) {
		if got := outcomes(NewReader(src, f, l)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", how, got, want)
		}
	}
}

// lsp frames body for ContentLength.
func lsp(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

func TestAuto(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        []string
	}{
		{"object", "{}\n{}\n", []string{"{}", "{}", "EOF"}},
		{"array", "[1]\n", []string{"[1]", "EOF"}},
		{"blanks first", " \t\r\n\n  {}\n", []string{"{}", "EOF"}},
		{"capital", lsp("{}"), []string{"{}", "EOF"}},
		{"small letter", "content-length: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"other field first", "X-A: b\r\nContent-Length: 2\r\n\r\n{}", []string{"{}", "EOF"}},
		{"blank lines, then header", "\r\n\n" + lsp("{}"), []string{"{}", "EOF"}},
		{"mark, then object", "\uFEFF{}\n", []string{"{}", "EOF"}},
		{"mark, then blanks, then header", "\uFEFF \n" + lsp("{}"), []string{"{}", "EOF"}},
		{"only blanks", " \r\n \n", []string{"EOF"}},
		{"nothing", "", []string{"EOF"}},
		{"only a mark", "\uFEFF", []string{"EOF"}},
		{"half a mark", "\xEF\xBB", []string{"!unknown framing"}},
		{"second mark", "\uFEFF\uFEFF{}", []string{"!unknown framing"}},
		{"control byte", "\x01\x02\r\n\r\n", []string{"!unknown framing"}},
		{"digit", "1\n", []string{"!unknown framing"}},
		{"string", "\"a\"\n", []string{"!unknown framing"}},
		{"stays with lines", "{}\n" + lsp("{}"), []string{"{}", "wrong framing", "{}", "EOF"}},
		{"stays with headers", lsp("{}") + "{}\n", []string{"{}", "!wrong framing"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, Auto, Limits{}, test.input, test.want...)
		})
	}
}

func TestFramingOfReader(t *testing.T) {
	for _, test := range []struct {
		name, input string
		want        Framing
	}{
		{"nothing", "", Auto},
		{"blanks", " \n", Auto},
		{"unknown", "?", Auto},
		{"line", "{", Newline},
		{"header", "C", ContentLength},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(test.input), Auto, Limits{})
			if got := r.Framing(); got != Auto {
				t.Errorf("before the first byte: %v", got)
			}
			outcomes(r)
			if got := r.Framing(); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestHTTPRequest(t *testing.T) {
	for _, line := range []string{
		"GET / HTTP/1.1",
		"POST /mcp HTTP/1.0",
		"OPTIONS * HTTP/1.1",
		"M-SEARCH * HTTP/1.1",
		"my_own.method http://127.0.0.1:4389/a:b HTTP/1.1",
		"PRI * HTTP/2.0",
		"GET /a b c HTTP/1.1 ",
	} {
		for _, f := range []Framing{Auto, ContentLength, Newline} {
			for _, end := range []string{"", "\n", "\r\nHost: localhost\r\n\r\n{}\n" + lsp("{}")} {
				t.Run(fmt.Sprintf("%v %q", f, line+end), func(t *testing.T) {
					check(t, f, Limits{}, line+end, "!http request")
					check(t, f, Limits{}, "\uFEFF\r\n "+line+end, "!http request")
				})
			}
		}
	}
}

// A request whose target is longer than a message may be must not turn into one overlong line with
// a harmless looking body behind it.
func TestHTTPRequestOverLimit(t *testing.T) {
	request := "POST /" + strings.Repeat("x", 100) + " HTTP/1.1\r\n\r\n{}\n"
	check(t, Newline, Limits{Frame: 50}, request, "!http request")
	check(t, ContentLength, Limits{Header: 50}, request, "!header too long")
}

func TestNotHTTP(t *testing.T) {
	for _, test := range []struct {
		name, input string
		f           Framing
		want        []string
	}{
		{"second line", "{}\nGET / HTTP/1.1\n", Newline, []string{"{}", "GET / HTTP/1.1", "EOF"}},
		{"second frame", lsp("{}") + "GET / HTTP/1.1\n", ContentLength,
			[]string{"{}", "!bad header"}},
		{"after a refused line", strings.Repeat("x", 70) + "\nGET / HTTP/1.1\n", Newline,
			[]string{"frame too long", "GET / HTTP/1.1", "EOF"}},
		{"inside a message", `{"a":"GET / HTTP/1.1"}` + "\n", Newline,
			[]string{`{"a":"GET / HTTP/1.1"}`, "EOF"}},
		{"a response", "HTTP/1.1 200 OK\r\n", Newline, []string{"HTTP/1.1 200 OK", "EOF"}},
		{"no version", "GET / HTTP/\n", Newline, []string{"GET / HTTP/", "EOF"}},
		{"no method", " / HTTP/1.1\n", Newline, []string{"/ HTTP/1.1", "EOF"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			check(t, test.f, Limits{Frame: 60}, test.input, test.want...)
		})
	}
}

func TestErrorText(t *testing.T) {
	for _, test := range []struct {
		name, input string
		f           Framing
		want        []string // all of them in the text of the last error
	}{
		{"http", "GET / HTTP/1.1\r\n", Auto, []string{`"GET / HTTP/1.1"`, "HTTP request"}},
		{"unknown", "  ?", Auto, []string{"byte 2", `"?"`, "Content-Length"}},
		{"lines under headers", `{"id":1}`, ContentLength,
			[]string{`"{\"id\":1}"`, "looks like newline framing", "--framing newline"}},
		{"headers under lines", "{}\nContent-Length: 5\r\n", Newline,
			[]string{"byte 3", `"Content-Length: 5"`, "--framing content-length"}},
		{"no header", lsp("{}") + "hello world\n", ContentLength,
			[]string{"byte 23", `"hello world"`, "Content-Length 2", "bytes, not of characters"}},
		{"counted in characters", "Content-Length: 9\r\n\r\n" + `{"ö":"ß"}` + lsp("{}"),
			ContentLength, []string{"byte 30", `"\"}Content-Length: 2`, "Content-Length 9"}},
		{"no length", "X-A: b\r\n\r\n", ContentLength, []string{`"X-A: b\r\n\r\n"`, "no Content-Length"}},
		{"word", "X: y\nContent-Length: abc\n", ContentLength, []string{"byte 5", `"abc"`, "decimal"}},
		{"two lengths", "Content-Length: 5\nContent-Length: 6\n", ContentLength,
			[]string{`"6"`, "contradicts the 5"}},
		{"cut body", "Content-Length: 200\r\n\r\n{}", ContentLength, []string{"200", "2 bytes came"}},
		{"cut header", "Content-Length: 4", ContentLength, []string{"17 bytes", `"Content-Length: 4"`}},
		{"long quote", strings.Repeat("x", 50) + "\r\n", ContentLength,
			[]string{`"` + strings.Repeat("x", 40) + `"...`}},
		{"charset", "Content-Type: a; charset=latin1\nContent-Length: 0\n\n", ContentLength,
			[]string{`"latin1"`, "utf-8"}},
		{"over the limit", "Content-Length: 1001\r\n\r\n", ContentLength, []string{"1001", "1000"}},
		{"line over the limit", strings.Repeat("y", 1001) + "\n", Newline, []string{`"yyyy`, "1000"}},
		{"header over the limit", "X: " + strings.Repeat("y", 1000), ContentLength, []string{"1000"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(strings.NewReader(test.input), test.f, Limits{Frame: 1000, Header: 1000})
			_, err := r.Next()
			for err == nil {
				_, err = r.Next()
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
		})
	}
}

func TestReasonString(t *testing.T) {
	if got := Truncated.String(); got != "truncated" {
		t.Errorf("Truncated: %q", got)
	}
	for _, r := range []Reason{0, Truncated + 1} {
		if got, want := r.String(), fmt.Sprintf("Reason(%d)", uint8(r)); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestEndStays(t *testing.T) {
	broken := errors.New("cable cut")
	for _, test := range []struct {
		name string
		src  io.Reader
		want func(error) bool
	}{
		{"eof", strings.NewReader(lsp("{}")), func(err error) bool { return err == io.EOF }},
		{"fatal", strings.NewReader(lsp("{}") + "hello\n" + lsp("{}")), func(err error) bool {
			var e *Error
			return errors.As(err, &e) && e.Reason == BadHeader
		}},
		{"source fails", io.MultiReader(strings.NewReader(lsp("{}")+"Con"), iotest.ErrReader(broken)),
			func(err error) bool { return errors.Is(err, broken) && err != broken }},
		{"source has nothing", io.MultiReader(strings.NewReader(lsp("{}")), stuck{}),
			func(err error) bool { return errors.Is(err, io.ErrNoProgress) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := NewReader(test.src, ContentLength, Limits{})
			if msg, err := r.Next(); string(msg) != "{}" || err != nil {
				t.Fatalf("the frame before: %q, %v", msg, err)
			}
			_, first := r.Next()
			_, again := r.Next()
			if !test.want(first) || again != first || !r.Ready() {
				t.Errorf("got %v, then %v, ready %v", first, again, r.Ready())
			}
		})
	}
}

// stuck is a source that breaks the advice of io.Reader.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// script is a source that fails the test when it is read while nothing should be.
type script struct {
	t      *testing.T
	next   string
	closed bool
}

func (s *script) Read(b []byte) (int, error) {
	switch {
	case s.closed:
		return 0, io.EOF
	case s.next == "":
		s.t.Fatal("read although a result was at hand")
	}
	n := copy(b, s.next)
	s.next = s.next[n:]
	return n, nil
}

func TestReady(t *testing.T) {
	for _, test := range []struct {
		name, input string
		f           Framing
		want        []string // what comes without another read, after the first message
	}{
		{"nothing more", lsp("1"), ContentLength, nil},
		{"a frame", lsp("1") + lsp("2") + "Cont", ContentLength, []string{"2"}},
		{"an empty frame", lsp("1") + lsp("") + " ", ContentLength, []string{""}},
		{"half a body", lsp("1") + lsp("22")[:21], ContentLength, nil},
		{"half a header", lsp("1") + "Content-Length: 2\r\n\r", ContentLength, nil},
		{"blank lines", lsp("1") + "\r\n\r\n", ContentLength, nil},
		{"a bad header", lsp("1") + "]", ContentLength, []string{"!bad header"}},
		{"a body to skip", lsp("1") + "Content-Length: 70\r\n\r\n" + strings.Repeat("x", 69),
			ContentLength, []string{"frame too long, skip 70"}},
		{"a body skipped", lsp("1") + lsp(strings.Repeat("x", 70)) + lsp("2"), ContentLength,
			[]string{"frame too long, skip 70", "2"}},
		{"a line", "1\n2\r\n3", Newline, []string{"2"}},
		{"half a line", "1\n{", Newline, nil},
		{"too much for a line", "1\n" + strings.Repeat("x", 70), Newline, []string{"frame too long"}},
		{"headers", "1\nContent-Length: 9\r\nX: y\r\n\r\n2\n", Newline,
			[]string{"wrong framing", "2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := &script{t: t, next: test.input}
			r := NewReader(src, test.f, Limits{Frame: 64})
			if r.Ready() {
				t.Error("ready before anything was read")
			}
			if msg, err := r.Next(); string(msg) != "1" || err != nil {
				t.Fatalf("first: %q, %v", msg, err)
			}
			for _, want := range test.want {
				if !r.Ready() {
					t.Fatalf("not ready, want %q", want)
				}
				msg, err := r.Next()
				if got := outcome(msg, err); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
			if fatal := len(test.want) > 0 && strings.HasPrefix(test.want[0], "!"); r.Ready() != fatal {
				t.Errorf("ready is %v after all of it", r.Ready())
			}
		})
	}
}

// A source that has ended makes Ready true even where no whole frame is at hand.
func TestReadyAtEnd(t *testing.T) {
	for _, input := range []string{"1\n", "1\n2"} {
		r := NewReader(iotest.DataErrReader(strings.NewReader(input)), Newline, Limits{})
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if !r.Ready() {
			t.Errorf("after %q: not ready", input)
		}
	}
}

func TestSetFraming(t *testing.T) {
	for _, test := range []struct {
		name, input string
		from, to    Framing
		want        []string
	}{
		{"to lines", lsp("1") + "2\n3\n", ContentLength, Newline, []string{"2", "3", "EOF"}},
		{"to headers", "1\n" + lsp("2") + lsp("3"), Newline, ContentLength,
			[]string{"2", "3", "EOF"}},
		{"to auto, lines", lsp("1") + "{}\n[]\n", ContentLength, Auto, []string{"{}", "[]", "EOF"}},
		{"to auto, headers", "1\n" + lsp("2"), Newline, Auto, []string{"2", "EOF"}},
		{"to the same", "1\n2\n", Newline, Newline, []string{"2", "EOF"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for how, src := range sources(test.input) {
				r := NewReader(src, test.from, Limits{})
				if msg, err := r.Next(); string(msg) != "1" || err != nil {
					t.Fatalf("%s: first: %q, %v", how, msg, err)
				}
				r.Ready() // what it has looked at must not bind
				r.SetFraming(test.to)
				if got := outcomes(r); !slices.Equal(got, test.want) {
					t.Errorf("%s: got %q, want %q", how, got, test.want)
				}
			}
		})
	}
}

// A switch acts on a message of which some has arrived, if the Reader waits for the rest.
func TestSetFramingWhileWaiting(t *testing.T) {
	in, out := io.Pipe()
	r := NewReader(in, ContentLength, Limits{})
	got := make(chan []string)
	go func() { got <- outcomes(r) }()
	write := func(s string) {
		if _, err := io.WriteString(out, s); err != nil {
			t.Error(err)
		}
	}
	write(lsp("1"))
	write("2") // taken once the Reader has returned 1 and asks for more
	r.SetFraming(Newline)
	write("\n")
	_ = out.Close()
	if got, want := <-got, []string{"1", "2", "EOF"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Messages belong to the caller: what is read later, and what the caller appends, must not reach
// another one.
func TestMessagesStay(t *testing.T) {
	for _, f := range []Framing{ContentLength, Newline} {
		t.Run(f.String(), func(t *testing.T) {
			var stream []byte
			var want []string
			for i := range 3000 {
				size := (i * 37) % 700
				if i%500 == 499 {
					size = 200_000
				}
				body := fmt.Sprintf("[%d,%q]", i, strings.Repeat(string(rune('a'+i%26)), size))
				want = append(want, body)
				stream = f.Append(stream, []byte(body))
			}
			r := NewReader(iotest.HalfReader(bytes.NewReader(stream)), Auto, Limits{})
			var got [][]byte
			for {
				msg, err := r.Next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				_ = append(msg, "overwritten?"...)
				got = append(got, msg)
			}
			for i := range got {
				if string(got[i]) != want[i] {
					t.Fatalf("message %d of %d has changed", i, len(want))
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d messages, want %d", len(got), len(want))
			}
		})
	}
}
