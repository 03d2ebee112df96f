package cli

import (
	"context"
	"time"

	"triplex/host/process"
)

// clientInterval is how often a client process is looked at.
const clientInterval = 500 * time.Millisecond

// watchClient ends the host when the process does that --client-process-id names. A process that
// cannot be seen now, because it lives in another container, say, is not watched: its absence
// says nothing (LSP 3.17, implementation considerations; denoland/deno#34744).
func (s *server) watchClient(ctx context.Context) {
	if s.flags.client == 0 {
		return
	}
	client, err := process.Find(int(s.flags.client))
	if err != nil {
		s.log.Warn("the client process is not watched", "pid", int(s.flags.client), "error", err)
		return
	}
	s.group.Go(func() error {
		defer client.Release()
		tick := time.NewTicker(clientInterval)
		defer tick.Stop()
		for !client.Ended() {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return nil
			}
		}
		s.end(errClientGone)
		return nil
	})
}
