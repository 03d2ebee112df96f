package debugger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestObserverEnds(t *testing.T) {
	s := prepare(t, Config{}, map[string]string{"main.star": "print(1)\n"})
	s.start()
	s.ended()
	late := s.run.Observe()
	for i, o := range []*Observer{late, s.obs} {
		if i == 0 {
			if ev, err := o.Next(s.ctx()); err != nil || ev != (Ended{}) {
				t.Errorf("a late observer gets %+v, %v", ev, err)
			}
		}
		for range 2 {
			if _, err := o.Next(s.ctx()); !errors.Is(err, io.EOF) {
				t.Errorf("after the end: %v, want %v", err, io.EOF)
			}
		}
		o.Close()
		o.Close()
	}
}

func TestObserverWaits(t *testing.T) {
	s := prepare(t, Config{}, nil)
	ctx, cancel := context.WithCancelCause(s.ctx())
	cause := errors.New("no more")
	cancel(cause)
	if _, err := s.obs.Next(ctx); !errors.Is(err, cause) {
		t.Errorf("got %v, want %v", err, cause)
	}
	s.obs.Close()
	if _, err := s.obs.Next(s.ctx()); !errors.Is(err, io.EOF) {
		t.Errorf("after close: %v, want %v", err, io.EOF)
	}
}

// A program that prints more than a client reads is held back, and nothing is lost.
func TestOutputIsComplete(t *testing.T) {
	const lines = 5 * maxQueuedEvents
	s := prepare(t, Config{}, map[string]string{
		"main.star": fmt.Sprintf("for i in range(%d):\n    print(i)\n", lines),
	})
	s.start()
	s.ended()
	if got := strings.Count(s.output.String(), "\n"); got != lines {
		t.Errorf("%d lines of output, want %d", got, lines)
	}
	wantText(t, "the end", s.output.String()[s.output.Len()-5:], fmt.Sprintf("%d\n", lines-1))
}

// A client that reads nothing cannot stop the others from steering the program, however long.
func TestObserverIsDetached(t *testing.T) {
	s := prepare(t, Config{StopOnEntry: true}, map[string]string{
		"main.star": "while True:\n    pass\n",
	})
	asleep := s.run.Observe()
	defer asleep.Close()
	s.start()
	for range detachAt {
		s.stopped()
		s.resume(StepIn)
	}
	for range detachAt {
		if _, err := asleep.Next(s.ctx()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := asleep.Next(s.ctx()); !errors.Is(err, ErrDetached) {
		t.Errorf("got %v, want %v", err, ErrDetached)
	}
}
