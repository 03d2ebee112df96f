package cli

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// stuckWriter is a reader of lines that has stopped, until resume is closed.
type stuckWriter struct {
	resume chan struct{}
	got    strings.Builder
}

func (w *stuckWriter) Write(p []byte) (int, error) {
	<-w.resume
	return w.got.Write(p)
}

func TestLinesThatNobodyReadsAreDroppedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &stuckWriter{resume: make(chan struct{})}
		l := newLineWriter(w)
		l.Write([]byte("first\n"))
		synctest.Wait() // it is on its way, and takes no room
		for i := range lineRoom + 3 {
			fmt.Fprintf(l, "line %d\n", i)
		}
		close(w.resume)
		synctest.Wait()
		l.Write([]byte("last\n"))
		l.flush()
		got := w.got.String()
		if !strings.HasPrefix(got, "first\n3 log lines were dropped") {
			t.Errorf("it begins with %.100q", got)
		}
		if n := strings.Count(got, "\n"); n != 1+1+lineRoom+1 {
			t.Errorf("%d lines were written", n)
		}
		if !strings.HasSuffix(got, fmt.Sprintf("line %d\nlast\n", lineRoom-1)) {
			t.Error("what was logged last is missing")
		}
	})
}

func TestFlushDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &stuckWriter{resume: make(chan struct{})}
		l := newLineWriter(w)
		l.Write([]byte("line\n"))
		began := time.Now()
		l.flush()
		if took := time.Since(began); took != linePatience {
			t.Errorf("it took %s", took)
		}
		close(w.resume)
		<-l.done
	})
}
