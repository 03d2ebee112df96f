package cli

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestIdleWatch(t *testing.T) {
	for _, tc := range []struct {
		name     string
		patience time.Duration
		events   string // + starts a session, - ends one, . lets a second pass
		want     string // the events up to the end of the host; empty if it goes on
	}{
		{"before the first session", 0, "...", ""},
		{"after the last session", 0, "++.-.-..", "++.-.-"},
		{"patience from the start", 2 * time.Second, "....", ".."},
		{"a session in time", 2 * time.Second, ".+...-...", ".+...-.."},
		{"another session in time", 2 * time.Second, "+-.+-...", "+-.+-.."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan struct{}, len(tc.events))
				w := newIdleWatch(tc.patience, func() { ended <- struct{}{} })
				got := ""
				for i, event := range tc.events {
					switch event {
					case '+':
						w.Started(nil)
					case '-':
						w.Ended(nil)
					case '.':
						time.Sleep(time.Second)
					}
					synctest.Wait()
					if len(ended) > 0 && got == "" {
						got = tc.events[:i+1]
					}
				}
				if got != tc.want || len(ended) > 1 {
					t.Errorf("it ended %d times, first after %q; want %q", len(ended), got, tc.want)
				}
			})
		})
	}
}
