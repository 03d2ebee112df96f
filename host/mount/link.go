package mount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"triplex/framing"
	"triplex/host"
	"triplex/host/mount/child"
	"triplex/host/transport"
)

// lastWords is how long one half of a server that has ended is waited for when the other half has
// ended already: the process, or its output.
const lastWords = time.Second

// link is a session's server: the session with it and, if it is a child, its process.
type link struct {
	far     *host.Session
	process *child.Process // nil for a server that was dialled
	what    *recognizer
	closing atomic.Bool // the end is our wish

	gone chan struct{} // closed when no process is left; err is set then
	err  error         // why the server is gone
}

// connect starts or dials a server. ctx bounds that; the link lasts until it is closed or the
// server ends.
func (r *relay) connect(ctx context.Context) (*link, error) {
	l := &link{what: &recognizer{log: r.log, set: r.set}, gone: make(chan struct{})}
	s, peer, err := r.reach(ctx, l)
	if err != nil {
		return nil, err
	}
	h := &host.Host{
		Mounts: []host.MethodSet{backSet{r}}, Framing: r.set.framing(),
		Limits: r.set.Options.limits(), Logger: r.log, Recorder: l.what,
	}
	if h.Framing == framing.ContentLength {
		s = skipPreamble(s, r.log, l.what.printed)
	} else {
		s = &lines{stream: s, recognizer: l.what}
	}
	if l.far, err = h.Attach(s, peer); err != nil {
		return nil, errors.Join(err, l.endProcess())
	}
	r.set.links.Go(func() { r.watch(l) })
	return l, nil
}

// reach makes the stream to a server.
func (r *relay) reach(ctx context.Context, l *link) (stream, host.PeerInfo, error) {
	if r.set.args == nil {
		conn, err := transport.Dial(ctx, r.set.address, nil)
		if err != nil {
			return nil, host.PeerInfo{}, fmt.Errorf("connect to %s: %w", r.set.address, err)
		}
		peer := host.PeerInfo{
			Network: r.set.address.Network, Address: conn.RemoteAddr().String(),
		}
		return conn.(stream), peer, nil
	}
	var err error
	l.process, err = child.Start(ctx, child.Config{
		Args: r.set.args, Logger: r.log, StartTimeout: r.set.Options.StartTimeout,
		StdinGrace: r.set.Options.StdinGrace, TermGrace: r.set.Options.TermGrace,
	})
	if err != nil {
		return nil, host.PeerInfo{}, err
	}
	return l.process.Conn(), host.PeerInfo{Network: "child", Address: r.set.server()}, nil
}

// server names what the mount starts or dials, for people.
func (s *Set) server() string {
	if s.args == nil {
		return s.address.String()
	}
	return filepath.Base(s.args[0])
}

// close ends the session with the server and then the server. It does not wait; see gone.
func (l *link) close() {
	l.closing.Store(true)
	l.far.End()
}

// watch sees to the end of a link, and ends a session whose server cannot be replaced.
func (r *relay) watch(l *link) {
	if l.process != nil {
		r.watchProcess(l)
	} else {
		<-l.far.Done()
		l.gave(cmp.Or(l.far.Err(), errors.New("the server closed the connection")))
	}
	if !l.closing.Load() && r.replay == nil {
		r.log.Warn("the session ends with its server", "reason", l.err)
		r.near.End()
	}
}

// watchProcess waits for the end of a child, or brings it about after that of its session.
func (r *relay) watchProcess(l *link) {
	select {
	case <-l.process.Done():
	case <-l.far.Done():
		if !l.closing.Load() {
			await(l.process.Done(), lastWords)
		}
	}
	select {
	case <-l.process.Done():
		l.gave(r.reason(l))
		await(l.far.Ending(), lastWords) // what it wrote last is still to be read
		l.far.End()
		<-l.far.Done()
		r.end(l)
	default:
		r.end(l)
		l.gave(r.reason(l))
	}
}

// reason says why a child is gone, which has ended.
func (r *relay) reason(l *link) error {
	exit, failure := l.process.Wait(), l.far.Err()
	switch {
	case exit != nil && failure != nil:
		return fmt.Errorf("%w; %w", failure, exit)
	case exit != nil || failure != nil:
		return cmp.Or(exit, failure)
	}
	return fmt.Errorf("%s ended its output", r.set.server())
}

// gave notes why the server is gone.
func (l *link) gave(why error) {
	l.err = cmp.Or(l.what.cause(), why)
	close(l.gone)
}

func (r *relay) end(l *link) {
	if err := l.endProcess(); err != nil {
		r.log.Error("the server cannot be ended", "error", err)
	}
}

func (l *link) endProcess() error {
	if l.process == nil {
		return nil
	}
	return l.process.Close()
}

// await waits until done is closed, but not longer than limit.
func await(done <-chan struct{}, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
