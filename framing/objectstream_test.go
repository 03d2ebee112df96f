package framing

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// echo answers with its params, and first asks the peer for them when the method is "back".
func echo(ctx context.Context, c *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	if req.Method != "back" {
		return req.Params, nil
	}
	var answer json.RawMessage
	err := c.Call(ctx, "echo", req.Params, &answer)
	return answer, err
}

// A stock Conn speaks to one over our stream, and to one over its own codecs, with calls both ways.
func TestConnPair(t *testing.T) {
	ours := func(f Framing) func(io.ReadWriteCloser) jsonrpc2.ObjectStream {
		return func(rwc io.ReadWriteCloser) jsonrpc2.ObjectStream {
			return NewObjectStream(rwc, f, Limits{})
		}
	}
	vscode := func(rwc io.ReadWriteCloser) jsonrpc2.ObjectStream {
		return jsonrpc2.NewBufferedStream(rwc, jsonrpc2.VSCodeObjectCodec{})
	}
	plain := func(rwc io.ReadWriteCloser) jsonrpc2.ObjectStream {
		return jsonrpc2.NewPlainObjectStream(rwc)
	}
	for _, test := range []struct {
		name           string
		client, server func(io.ReadWriteCloser) jsonrpc2.ObjectStream
	}{
		{"content-length", ours(ContentLength), ours(ContentLength)},
		{"newline", ours(Newline), ours(Newline)},
		{"server detects headers", ours(ContentLength), ours(Auto)},
		{"server detects lines", ours(Newline), ours(Auto)},
		{"client of both kinds", ours(Auto), ours(Auto)},
		{"stock client, headers", vscode, ours(Auto)},
		{"stock client, lines", plain, ours(Auto)},
		{"stock server, headers", ours(ContentLength), vscode},
		{"stock server, lines", ours(Newline), plain},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := net.Pipe()
			handler := jsonrpc2.AsyncHandler(jsonrpc2.HandlerWithError(echo))
			server := jsonrpc2.NewConn(t.Context(), test.server(b), handler)
			client := jsonrpc2.NewConn(t.Context(), test.client(a), handler)
			callMany(t, client)
			if err := client.Close(); err != nil {
				t.Error(err)
			}
			<-server.DisconnectNotify()
		})
	}
}

// callMany makes calls side by side, so that writes compete for the stream.
func callMany(t *testing.T, c *jsonrpc2.Conn) {
	var all sync.WaitGroup
	for i := range 30 {
		all.Go(func() {
			method := []string{"echo", "back"}[i%2]
			params := []any{i, strings.Repeat("line\n", i*i)}
			var got []any
			if err := c.Call(t.Context(), method, params, &got); err != nil {
				t.Errorf("%s %d: %v", method, i, err)
			} else if fmt.Sprint(got) != fmt.Sprint(params) {
				t.Errorf("%s %d: got %.80v", method, i, got)
			}
		})
	}
	all.Wait()
}

// loop is a connection with fixed input that keeps what is written.
type loop struct {
	io.Reader
	written [][]byte
	fail    error
	closed  bool
}

func (l *loop) Write(b []byte) (int, error) {
	l.written = append(l.written, bytes.Clone(b))
	return len(b), l.fail
}

func (l *loop) Close() error {
	l.closed = true
	return nil
}

// request is as picky as the type that a Conn reads into: it takes objects with a method alone.
type request struct{ Method string }

func (r *request) UnmarshalJSON(data []byte) error {
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	r.Method, _ = fields["method"].(string)
	if fields["id"] == 1.5 || r.Method == "" {
		return errors.New("not for a Conn")
	}
	return nil
}

func TestObjectStreamRefuses(t *testing.T) {
	const good = `{"method":"good"}`
	const parse, invalid = jsonrpc2.CodeParseError, jsonrpc2.CodeInvalidRequest
	for _, test := range []struct {
		name  string
		f     Framing
		input string
		codes []int64 // of the answers
		want  []string
	}{
		{"bad json", ContentLength, lsp("{bad") + lsp(good), []int64{parse}, []string{"good", "EOF"}},
		{"empty", ContentLength, lsp("") + lsp(good), []int64{parse}, []string{"good", "EOF"}},
		{"two values", Newline, good + good + "\n" + good, []int64{parse}, []string{"good", "EOF"}},
		{"no message", Newline, "{}\n1\nnull\n" + good, []int64{invalid, invalid, invalid},
			[]string{"good", "EOF"}},
		{"batch", Newline, "[" + good + "]\n" + good, []int64{invalid}, []string{"good", "EOF"}},
		{"odd id", Newline, `{"id":1.5,"method":"x"}` + "\n" + good, []int64{invalid},
			[]string{"good", "EOF"}},
		{"error for nobody", Newline, `{"id":null,"error":{"code":1}}` + "\n" + good, nil,
			[]string{"good", "EOF"}},
		{"result for nobody", Newline, `{"id":null,"result":null}` + "\n" + good, nil,
			[]string{"good", "EOF"}},
		{"bad response", Newline, `{"id":1.5,"result":1}` + "\n" + good, nil,
			[]string{"good", "EOF"}},
		{"long frame", ContentLength, lsp(strings.Repeat("x", 70)) + lsp(good), []int64{parse},
			[]string{"good", "EOF"}},
		{"other framing", Newline, lsp(good) + "\n" + good, []int64{parse},
			[]string{"good", "good", "EOF"}},
		{"lost boundary", ContentLength, lsp(good) + "hello\n" + lsp(good), []int64{parse},
			[]string{"good", "!bad header"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rwc := &loop{Reader: strings.NewReader(test.input)}
			s := NewObjectStream(rwc, test.f, Limits{Frame: 64})
			var got []string
			for {
				var req request
				err := s.ReadObject(&req)
				got = append(got, outcome([]byte(req.Method), err))
				if err != nil {
					break
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("read %q, want %q", got, test.want)
			}
			checkAnswers(t, test.f, rwc.written, test.codes)
		})
	}
}

// checkAnswers compares what was written, one frame a Write, with errors of these codes.
func checkAnswers(t *testing.T, f Framing, written [][]byte, codes []int64) {
	t.Helper()
	if len(written) != len(codes) {
		t.Fatalf("answers %q, want codes %v", written, codes)
	}
	for i, frame := range written {
		msg, err := NewReader(bytes.NewReader(frame), f, Limits{}).Next()
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			ID    json.RawMessage
			Error jsonrpc2.Error
		}
		if err := json.Unmarshal(msg, &answer); err != nil {
			t.Fatal(err)
		}
		if string(answer.ID) != "null" || answer.Error.Code != codes[i] || answer.Error.Message == "" {
			t.Errorf("answer %s, want id null and code %d", msg, codes[i])
		}
	}
}

// A Conn used to see the members of a refused message in the one after it.
func TestObjectStreamClearsTarget(t *testing.T) {
	rwc := &loop{Reader: strings.NewReader(`{"a":1,"b":"x"}` + "\n" + `{"b":2}` + "\n")}
	var v struct{ A, B int }
	if err := NewObjectStream(rwc, Newline, Limits{}).ReadObject(&v); err != nil {
		t.Fatal(err)
	}
	if v.A != 0 || v.B != 2 {
		t.Errorf("got %+v, want the second message alone", v)
	}
}

func TestObjectStreamAutoWrites(t *testing.T) {
	for _, test := range []struct{ name, input, want string }{
		{"undecided", "", "1\n"},
		{"lines", "{}\n", "1\n"},
		{"headers", lsp("{}"), lsp("1")},
	} {
		t.Run(test.name, func(t *testing.T) {
			rwc := &loop{Reader: strings.NewReader(test.input)}
			s := NewObjectStream(rwc, Auto, Limits{})
			var v any
			if err := s.ReadObject(&v); err != nil && err != io.EOF {
				t.Fatal(err)
			}
			if err := s.WriteObject(1); err != nil {
				t.Fatal(err)
			}
			if len(rwc.written) != 1 || string(rwc.written[0]) != test.want {
				t.Errorf("wrote %q, want %q at once", rwc.written, test.want)
			}
		})
	}
}

// A Conn stays open when a write fails, so its reader has to be told by the connection.
func TestObjectStreamClosesOnWriteError(t *testing.T) {
	broken := errors.New("cable cut")
	read := func(s jsonrpc2.ObjectStream) error { return s.ReadObject(new(request)) }
	for _, test := range []struct {
		name, input string
		use         func(jsonrpc2.ObjectStream) error
	}{
		{"a message", "", func(s jsonrpc2.ObjectStream) error { return s.WriteObject(1) }},
		{"an answer to bad JSON", lsp("{bad"), read},
		{"an answer to a bad frame", lsp(strings.Repeat("x", 70)), read},
	} {
		t.Run(test.name, func(t *testing.T) {
			rwc := &loop{Reader: strings.NewReader(test.input), fail: broken}
			s := NewObjectStream(rwc, ContentLength, Limits{Frame: 64})
			if err := test.use(s); !errors.Is(err, broken) {
				t.Errorf("got %v, want %v", err, broken)
			}
			if !rwc.closed {
				t.Error("the connection is still open")
			}
		})
	}
	t.Run("a value that is no JSON", func(t *testing.T) {
		rwc := &loop{}
		s := NewObjectStream(rwc, ContentLength, Limits{})
		if err := s.WriteObject(func() {}); err == nil || rwc.closed || len(rwc.written) > 0 {
			t.Errorf("err %v, closed %v, wrote %q", err, rwc.closed, rwc.written)
		}
	})
}
