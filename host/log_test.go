package host_test

import (
	"bytes"
	"log/slog"
	"testing"

	"triplex/framing"
	"triplex/host/hosttest"
)

// Each session used to keep some kilobytes for the attributes of a log that it never wrote.
func TestTheLogNamesTheSession(t *testing.T) {
	var text bytes.Buffer
	h := serving(methods{})
	h.Logger = slog.New(slog.NewTextHandler(&text, nil))
	s := hosttest.Start(t, h, framing.Newline).Session
	s.Logger().Info("one")
	s.Logger().With("a", 1).WithGroup("g").Info("two", "b", 2)
	s.Logger().WithGroup("g").Info("three", "b", 2)
	wantIn(t, text.String(), "msg=one session=1 peer=pipe\n")
	wantIn(t, text.String(), "msg=two session=1 peer=pipe a=1 g.b=2\n")
	wantIn(t, text.String(), "msg=three session=1 peer=pipe g.b=2\n")
}
