package dap

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestOutput sends an event for each line, as llvm/llvm-project#105444 asks for.
func TestOutput(t *testing.T) {
	long := strings.Repeat("é🍮", maxOutput/6+1) // six bytes, and no boundary at maxOutput
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"lines", "a\r\nb\n\nc", []string{"a\r\n", "b\n", "\n", "c"}},
		{"a long line", long + "\nx\n", []string{long[:maxOutput-2], long[maxOutput-2:] + "\n", "x\n"}},
		{"no UTF-8", "a\xffb\n", []string{"a\ufffdb\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			compareOutput(t, test.want, func(ctx context.Context, s *Session) {
				s.Output(ctx, OutputStdout, test.text)
			})
		})
	}
}

func TestWriter(t *testing.T) {
	long := strings.Repeat("é🍮", maxOutput/6+1)
	for _, test := range []struct {
		name   string
		writes []string
		want   []string
	}{
		{"pieces of lines", []string{"he", "llo\nwor", "ld\n", "!"}, []string{"hello\n", "world\n", "!"}},
		{"pieces of characters", []string{"\xf0\x9f", "\x8d", "\xae\n"}, []string{"🍮\n"}},
		{"a character at a flush", []string{"a\xf0\x9f", "FLUSH", "\x8d\xae"}, []string{"a", "🍮"}},
		{"a long line", []string{long[:7], long[7:], "\n"},
			[]string{long[:maxOutput-2], long[maxOutput-2:] + "\n"}},
		{"the end of a character that never began", []string{"\x8d\n"}, []string{"\ufffd\n"}},
		{"nothing", []string{"", "FLUSH"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			compareOutput(t, test.want, func(_ context.Context, s *Session) {
				w := s.Writer(OutputStdout)
				for _, text := range append(test.writes, "FLUSH") {
					if text == "FLUSH" {
						w.Flush()
					} else if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
						t.Errorf("wrote %d of %d bytes: %v", n, len(text), err)
					}
				}
			})
		})
	}
}

// TestWriterByByte writes text in single bytes: the memory it takes is bounded, and what arrives
// is what was written.
func TestWriterByByte(t *testing.T) {
	text := strings.Repeat("🍮é", maxOutput/4)
	got := outputs(t, func(_ context.Context, s *Session) {
		w := s.Writer(OutputStderr)
		for i := range len(text) {
			w.Write([]byte{text[i]})
			if len(w.rest) > maxOutput {
				t.Fatalf("%d bytes are kept", len(w.rest))
			}
		}
		w.Flush()
	})
	for _, part := range got {
		if len(part) > maxOutput || !utf8.ValidString(part) {
			t.Errorf("a part of %d bytes", len(part))
		}
	}
	if strings.Join(got, "") != text {
		t.Error("the parts are not the whole")
	}
}

func TestWriterAfterTheEnd(t *testing.T) {
	sessions := make(chan *Session, 1)
	c := connect(t, outputServer(func(_ context.Context, s *Session) { sessions <- s }))
	c.start(adapterID)
	c.Request("restart", "")
	c.hear("2 restart ok")
	c.Close()
	<-c.Session.Done()
	if _, err := (<-sessions).Writer(OutputStdout).Write([]byte("x\n")); err == nil {
		t.Error("written to a session that has ended")
	}
}

func compareOutput(t *testing.T, want []string, write func(context.Context, *Session)) {
	t.Helper()
	got := outputs(t, write)
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d: %.100q", len(got), len(want), got)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("event %d: %.40q of %d bytes, want %.40q of %d",
				i, got[i], len(got[i]), want[i], len(want[i]))
		}
	}
}

// outputs returns the text of the events that write causes.
func outputs(t *testing.T, write func(context.Context, *Session)) (texts []string) {
	t.Helper()
	c := connect(t, outputServer(write))
	c.start(adapterID)
	c.Request("restart", "")
	for {
		m := c.Next()
		if m.Type == "response" {
			return texts
		}
		var body OutputEventBody
		if err := json.Unmarshal(m.Body, &body); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, body.Output)
	}
}

func outputServer(write func(context.Context, *Session)) *Server {
	server := new(Server)
	Restart.Handle(server, func(ctx context.Context, s *Session, _ *RestartArguments) (Empty, error) {
		write(ctx, s)
		return Empty{}, nil
	})
	return server
}
