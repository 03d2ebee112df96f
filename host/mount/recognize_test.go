package mount

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"triplex/framing"
	"triplex/host"
	"triplex/host/echo"
	"triplex/host/hosttest"
)

// newRecognizer returns the recognizer of a mount that is called plain, and its log.
func newRecognizer(t *testing.T) (*recognizer, *bytes.Buffer) {
	t.Helper()
	set, err := Parse("plain=unix:///there", []*host.Dialect{host.Plain})
	if err != nil {
		t.Fatal(err)
	}
	log := new(bytes.Buffer)
	return &recognizer{log: slog.New(slog.NewTextHandler(log, nil)), set: set}, log
}

// TestJunkIsLoggedWithinBounds: each line that was no message used to be a record of its own, as
// long as the server lived.
func TestJunkIsLoggedWithinBounds(t *testing.T) {
	r, log := newRecognizer(t)
	for i := range 100_000 {
		r.Record(nil, true, fmt.Appendf(nil, "line %d", i), false)
	}
	text := log.String()
	for _, want := range []string{`"line 0"`, `"line 15"`, "lines=32\n", "lines=65536\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the log:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n"); n > 40 {
		t.Errorf("%d records in the log", n)
	}
}

func TestAServerThatSaysNothingIsMentioned(t *testing.T) {
	tests := []struct {
		name, frame string
		incoming    bool
		message     bool
		want        bool
	}{
		{"nothing", "", false, false, true},
		{"a line of a log", "info: ready", true, false, true},
		{"an answer", `{"jsonrpc":"2.0","id":1,"result":{}}`, true, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, log := newRecognizer(t)
				p := hosttest.Start(t, &host.Host{Mounts: []host.MethodSet{echo.Set{}}}, framing.Newline)
				r.Record(p.Session, false, []byte(`{"jsonrpc":"2.0","id":1,"method":"a"}`), true)
				if tt.incoming {
					r.Record(p.Session, true, []byte(tt.frame), tt.message)
				}
				time.Sleep(r.set.Options.startTimeout())
				synctest.Wait()
				if got := strings.Contains(log.String(), "the server says nothing"); got != tt.want {
					t.Errorf("the log says %s", log)
				}
			})
		})
	}
}
