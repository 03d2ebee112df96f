package lsp

import (
	"context"
	"net"
	"strings"
	"time"

	"triplex/host"
	"triplex/host/process"
)

// parentPoll is the time between two looks at the client's process.
const parentPoll = 3 * time.Second

// watchParent ends the session when the process that the client named as its own is gone (LSP
// 3.18, initialize, processId): that session only, as others may share the host.
//
// A process that cannot be seen from the start is not watched. It is in another container or on
// another machine, and ending the session for it would cut off a client that is well.
func (s *Session) watchParent(pid *int32) {
	if pid == nil || *pid <= 0 || !isLocal(s.core.Peer()) {
		return
	}
	p, err := process.Find(int(*pid))
	if err != nil {
		return
	}
	if p.Ended() {
		p.Release()
		return
	}
	s.watch.Do(func() {
		s.core.Go(func(ctx context.Context) {
			defer p.Release()
			if awaitDeath(ctx, func() bool { return !p.Ended() }) {
				s.core.Logger().Info("the client's process is gone", "pid", *pid)
				s.core.End()
			}
		})
	})
}

// awaitDeath waits until alive is false. It returns false if ctx ends before.
func awaitDeath(ctx context.Context, alive func() bool) bool {
	tick := time.NewTicker(parentPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			if !alive() {
				return true
			}
		}
	}
}

// isLocal reports whether the peer's process ids are those of this machine.
func isLocal(p host.PeerInfo) bool {
	if !strings.HasPrefix(p.Network, "tcp") {
		return true
	}
	h, _, err := net.SplitHostPort(p.Address)
	return err == nil && net.ParseIP(h).IsLoopback()
}
