package dap

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// progressServer has a launch that takes ten seconds and tells so every second.
func progressServer() *Server {
	server := new(Server)
	Launch.Handle(server, func(
		ctx context.Context, s *Session, _ *LaunchRequestArguments,
	) (Empty, error) {
		work, p := s.Progress(ctx, "Building")
		defer p.End()
		for second := range 10 {
			select {
			case <-work.Done():
				return Empty{}, Errorf(1, "the build was cancelled")
			case <-time.After(time.Second):
			}
			p.Update(ctx, fmt.Sprintf("step %d", second), float64(10*second))
		}
		p.Update(ctx, "", 200)
		p.Update(ctx, "done", -1)
		return Empty{}, nil
	})
	return server
}

const reporting = `{"adapterID":"x","supportsProgressReporting":true}`

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, progressServer())
		c.start(reporting)
		c.Request("launch", "{}")
		if got, want := string(c.hear("event progressStart").Body),
			`{"progressId":"progress-1","title":"Building","requestId":2,"cancellable":true}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		for second := range 10 {
			got := string(c.hear("event progressUpdate").Body)
			want := fmt.Sprintf(`{"progressId":"progress-1","message":"step %d","percentage":%d}`,
				second, 10*second)
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		for _, want := range []string{
			`{"progressId":"progress-1","percentage":100}`, `{"progressId":"progress-1","message":"done"}`,
		} {
			if got := string(c.hear("event progressUpdate").Body); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		c.hear("event progressEnd", "2 launch ok")
	})
}

func TestProgressCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, progressServer())
		c.start(reporting)
		for try := 1; try <= 2; try++ { // ids are not used again
			launch := c.Request("launch", "{}")
			c.hear("event progressStart")
			cancel := c.Request("cancel", fmt.Sprintf(`{"progressId":"progress-%d"}`, try))
			c.hearAll(
				fmt.Sprintf("%d cancel ok", cancel), "event progressEnd",
				fmt.Sprintf("%d launch failed: the build was cancelled", launch),
			)
		}
		c.Request("launch", "{}")
		c.hear("event progressStart")
		c.Request("cancel", `{"requestId":6,"progressId":"progress-1"}`)
		c.hearAll("7 cancel ok", "event progressEnd", "6 launch failed: cancelled")
	})
}

func TestProgressUnsupported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, progressServer())
		c.start(adapterID)
		c.Request("launch", "{}")
		c.hear("2 launch ok")
	})
}
