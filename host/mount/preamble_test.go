package mount

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"
)

// text is a stream to read alone.
type text struct {
	stream
	io.Reader
}

// Read implements io.Reader.
func (t text) Read(p []byte) (int, error) { return t.Reader.Read(p) }

// TestPreambleIsLoggedInBlocks: each line used to be a record of its own, so that a server which
// prints nothing but "y" filled the log with half a million of them before it was given up.
func TestPreambleIsLoggedInBlocks(t *testing.T) {
	const message = "content-length: 2\r\n\r\n{}"
	tests := []struct{ name, printed, read, failure string }{
		{"short lines before a message", strings.Repeat("y\n", 100_000) + message, message, ""},
		{"a message on the last line", strings.Repeat("y\n", 100_000) + "y" + message, message, ""},
		{"a message without header", `{"level":"info"}` + "\n" + `{"jsonrpc":"2.0","method":"a"}` + "\n",
			"", "unix:///there sends lines, without headers: give it --mount-framing plain=newline"},
		{"nothing but short lines", strings.Repeat("y\n", preambleLimit), "", "no message in the"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			logger := slog.New(slog.NewTextHandler(&log, nil))
			in := text{Reader: strings.NewReader(tt.printed)}
			r, _ := newRecognizer(t)
			got, err := io.ReadAll(skipPreamble(in, logger, r.printed))
			if failed := err != nil; failed != (tt.failure != "") ||
				failed && !strings.HasPrefix(err.Error(), tt.failure) {
				t.Errorf("error %v, want %q", err, tt.failure)
			}
			if string(got) != tt.read {
				t.Errorf("read %.100q, want %q", got, tt.read)
			}
			if n := bytes.Count(log.Bytes(), []byte("\n")); n == 0 || n > 100 {
				t.Errorf("%d records in the log", n)
			}
		})
	}
}
