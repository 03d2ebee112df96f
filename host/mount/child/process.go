package child

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// drainLimit is how long output is still read once the guard is gone. It only matters when a
// process that could not be killed holds a pipe open.
const drainLimit = time.Second

// guardMargin is how long after all its limits a guard may be silent before it is killed.
const guardMargin = time.Second

// Process is a running child. Whoever started it must call Close or Kill, also after the child
// has ended by itself. All methods are safe for concurrent use.
type Process struct {
	name   string // the base name of the program
	cfg    Config // with defaults filled in
	mark   string // in the environment of the child and its descendants
	guard  *exec.Cmd
	ends   hostEnds
	stderr *drain
	output []*os.File     // stderr and, with a ${port}, stdout, which is for people then
	reads  sync.WaitGroup // the goroutines that read output; watch waits for them
	logs   sync.WaitGroup // the goroutines that log it; Close waits for them

	// These two are set before Start returns.
	conn Conn
	pid  int

	mu     sync.Mutex   // guards orders; held for the one write of an order
	orders *gob.Encoder // to the guard

	started chan report   // capacity 1: the guard's first report; closed without one if it died
	done    chan struct{} // closed by watch, which first sets what follows
	exitErr error         // how the child ended
	leftErr error         // what could not be ended
}

// Start starts a child and waits until it runs or, with a ${port} in the command, until it has
// accepted a connection. It fails when the command cannot be run, when the child ends too early,
// and when [Config.StartTimeout] or ctx ends first; nothing is then left of the child. Once Start
// has returned, ctx no longer matters.
func Start(ctx context.Context, cfg Config) (*Process, error) {
	if len(cfg.Args) == 0 {
		return nil, errors.New("start a child: no command")
	}
	p, err := start(ctx, cfg.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(cfg.Args[0]), err)
	}
	return p, nil
}

func start(ctx context.Context, cfg Config) (*Process, error) {
	if !guardReady.Load() {
		return nil, errNoGuard
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cfg.StartTimeout,
		fmt.Errorf("not ready within the start timeout of %v", cfg.StartTimeout))
	defer cancel()
	args, port, err := fillPort(cfg.Args)
	if err != nil {
		return nil, err
	}
	p, err := spawn(cfg, args, port != 0)
	if err != nil {
		return nil, err
	}
	if err := p.awaitReady(ctx, port); err != nil {
		p.Kill()
		if errors.Is(err, errDied) {
			err = p.tooEarly()
		}
		return nil, err
	}
	return p, nil
}

// spawn starts a guard and orders it to start the child. Its caller must close the process.
func spawn(cfg Config, args []string, hasPort bool) (*Process, error) {
	cmd, err := guardCommand()
	if err != nil {
		return nil, err
	}
	ends, err := startGuard(cmd)
	if err != nil {
		return nil, fmt.Errorf("start its guard process: %w", err)
	}
	env, mark := addMark((&exec.Cmd{Dir: cfg.Dir, Env: cfg.Env}).Environ())
	p := &Process{
		name:    filepath.Base(args[0]),
		cfg:     cfg,
		mark:    mark,
		guard:   cmd,
		ends:    ends,
		conn:    newPipeConn(ends.stdin, ends.stdout),
		orders:  gob.NewEncoder(ends.orders),
		started: make(chan report, 1),
		done:    make(chan struct{}),
	}
	p.stderr = p.drain(ends.stderr, "stderr")
	if hasPort {
		p.drain(ends.stdout, "stdout")
	}
	go p.watch() // until the guard has ended; Close waits for done
	p.tell(order{
		Args:       args,
		Dir:        cfg.Dir,
		Env:        env,
		StdinGrace: cfg.StdinGrace,
		TermGrace:  cfg.TermGrace,
		KillLimit:  cfg.KillLimit,
	})
	return p, nil
}

// drain starts to read and log what the child writes to f for people.
func (p *Process) drain(f *os.File, stream string) *drain {
	d := newDrain(p.cfg.StderrLine, p.cfg.StderrTail)
	logger := p.cfg.Logger.With("child", p.name, "stream", stream)
	p.output = append(p.output, f)
	p.reads.Go(func() { d.read(f) })
	p.logs.Go(func() { d.log(logger) })
	return d
}

// tell gives the guard an order. One that cannot be written needs no answer: the guard has ended
// then, which watch finds out.
func (p *Process) tell(o order) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A guard that does not read, having been stopped, say, must not hold up its host for ever.
	_ = p.ends.orders.SetWriteDeadline(time.Now().Add(p.cfg.StartTimeout))
	_ = p.orders.Encode(o)
}

// awaitReady waits until the child runs and, where port is not 0, has been connected to.
func (p *Process) awaitReady(ctx context.Context, port int) error {
	select {
	case first, ok := <-p.started:
		if !ok {
			return errDied
		}
		if first.Error != "" {
			return errors.New(first.Error)
		}
		p.pid = first.PID
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if port == 0 {
		return nil
	}
	conn, err := dial(ctx, port, p.done)
	if err == nil {
		p.conn = conn
	}
	return err
}

// tooEarly says how a child ended that should have lived on. It must not be called before done.
func (p *Process) tooEarly() error {
	if p.exitErr != nil {
		return p.exitErr
	}
	return fmt.Errorf("%s exited with status 0 before it was connected to", p.name)
}

// watch follows the guard until it has ended, and then settles what Wait and Close say.
func (p *Process) watch() {
	defer close(p.done)
	pid, last := p.readReports()
	_ = p.guard.Wait() // an error says no more than the exit status
	if code := p.guard.ProcessState.ExitCode(); code != 0 && code != guardFailed {
		p.replaceGuard(pid)
	}
	for _, f := range p.output {
		_ = f.SetReadDeadline(time.Now().Add(drainLimit))
	}
	p.reads.Wait()
	p.exitErr = exitError(p.name, last, p.stderr.tail)
}

// replaceGuard does what a guard could not that was killed or crashed: it kills what is left of the
// child, whose process id is 0 if it was not reported.
func (p *Process) replaceGuard(pid int) {
	if pid != 0 {
		killGroup(pid)
	}
	if err := killMarked(p.mark, p.cfg.KillLimit); err != nil {
		p.leftErr = fmt.Errorf("end %s: %w", p.name, err)
	}
}

// readReports reads the guard's reports to their end and returns the process id of the child, 0
// if it never ran, and the report of its end, if there was one.
func (p *Process) readReports() (pid int, last report) {
	defer close(p.started)
	reports := gob.NewDecoder(p.ends.reports)
	for {
		var r report
		if reports.Decode(&r) != nil {
			return pid, last
		}
		switch {
		case r.Ended:
			last = r
		case pid != 0:
			p.leftErr = fmt.Errorf("end %s: %s", p.name, r.Error)
		default:
			pid = r.PID
			p.started <- r
		}
	}
}

// PID returns the process id of the child, which is also the id of its process group.
func (p *Process) PID() int { return p.pid }

// Conn returns the connection to the child, always the same one: its stdin and stdout or, where
// the command had a ${port}, a TCP connection to that port; stdout is then logged as stderr is.
// Closing it does not end the child, though most end when they find their input ended.
func (p *Process) Conn() Conn { return p.conn }

// Done returns a channel that is closed when the child and everything it started have ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for Done and says how the child ended: nil for exit status 0, otherwise an
// *[ExitError], also when the owner ended it.
func (p *Process) Wait() error {
	<-p.done
	return p.exitErr
}

// Close ends the child and everything it started, and returns when all are gone: its input is
// closed; what still runs after [Config.StdinGrace] gets SIGTERM, and SIGKILL after
// [Config.TermGrace]. A child that has ended by itself is only tidied up. An error means that
// some process could not be killed. Close may be called more than once.
func (p *Process) Close() error {
	_ = p.conn.CloseWrite()
	p.ends.stdin.Close()
	return p.end(order{End: true}, max(p.cfg.StdinGrace, 0)+max(p.cfg.TermGrace, 0))
}

// Kill is Close without grace: everything gets SIGKILL at once. It may be called while another
// goroutine is in Close, and cuts that short.
func (p *Process) Kill() error {
	return p.end(order{Kill: true}, 0)
}

// end gives the order to end and waits for it to be done. A guard that does not get it done, having
// been stopped, say, is killed, which leaves the rest to watch.
func (p *Process) end(o order, grace time.Duration) error {
	p.tell(o)
	limit := grace + p.cfg.KillLimit + guardMargin
	stuck := time.AfterFunc(limit, func() { _ = p.guard.Process.Kill() })
	<-p.done
	stuck.Stop()
	p.logs.Wait()
	_ = p.conn.Close()
	p.ends.close()
	return p.leftErr
}
