//go:build unix

package child

import (
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// pollInterval is how often a guard that is ending its child looks whether it is gone.
const pollInterval = 5 * time.Millisecond

// guardCommand returns the command that runs this executable as a guard.
func guardCommand() (*exec.Cmd, error) {
	path, err := selfPath()
	if err != nil {
		return nil, fmt.Errorf("find the executable to run as a guard: %w", err)
	}
	cmd := &exec.Cmd{Path: path, Args: []string{guardName}}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd, nil
}

// killGroup kills the processes of a group, whatever is left of it.
func killGroup(pgid int) {
	_ = syscall.Kill(-pgid, syscall.SIGKILL)
}

// guard is the state of a guard process. The goroutines of listen and reap last as long as the
// process and are ended with it.
type guard struct {
	start   order
	orders  *gob.Decoder
	reports *gob.Encoder
	pgid    int // the child's process id and the id of its group

	end  chan struct{} // closed by listen: the child must end
	kill chan struct{} // closed by listen: the child must end at once
	left chan struct{} // closed by reap: the child itself has ended
	gone chan struct{} // closed by reap: this process has no child any more
}

// runGuard is main of a guard process; it returns the exit status.
func runGuard() int {
	syscall.CloseOnExec(ordersFD)
	syscall.CloseOnExec(reportsFD)
	// What asks the host to end may reach its guards too; only the pipe ends a guard. Caught and
	// dropped rather than ignored, because a child would inherit that a signal is ignored.
	signal.Notify(make(chan os.Signal, 1),
		syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM)
	g := &guard{
		orders:  gob.NewDecoder(os.NewFile(ordersFD, "orders")),
		reports: gob.NewEncoder(os.NewFile(reportsFD, "reports")),
		end:     make(chan struct{}),
		kill:    make(chan struct{}),
		left:    make(chan struct{}),
		gone:    make(chan struct{}),
	}
	if err := g.orders.Decode(&g.start); err != nil || len(g.start.Args) == 0 {
		return guardFailed // the host is gone already, or no host ran this process
	}
	if err := g.run(); err != nil {
		_ = g.reports.Encode(report{Error: err.Error()})
		return guardFailed
	}
	return 0
}

// run starts the child, waits for its end or the order to end it, and leaves nothing of it.
func (g *guard) run() error {
	// The child's death signal fires when the thread that started it ends: keep that thread.
	runtime.LockOSThread()
	if err := adoptOrphans(); err != nil {
		return err
	}
	if err := g.startChild(); err != nil {
		return err
	}
	go g.listen()
	go g.reap()

	select {
	case <-g.left:
	case <-g.end:
		g.await(g.left, g.start.StdinGrace)
	}
	if !g.empty() && !g.killing() {
		g.signal(syscall.SIGTERM)
		g.await(nil, g.start.TermGrace)
	}
	return g.sweep()
}

// startChild starts the child on this process's stdin, stdout and stderr and lets go of them, so
// that their other ends see what the child alone does with them.
func (g *guard) startChild() error {
	cmd := exec.Command(g.start.Args[0], g.start.Args[1:]...)
	cmd.Dir = g.start.Dir
	cmd.Env = append([]string{}, g.start.Env...) // never nil, which would mean this process's own
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = childAttributes()
	if err := cmd.Start(); err != nil {
		return err
	}
	g.pgid = cmd.Process.Pid
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		f.Close()
	}
	// When nobody reads the report the host is gone, and listen will find that out.
	_ = g.reports.Encode(report{PID: g.pgid})
	return nil
}

// listen turns the host's orders, the last of which is the end of the pipe, into channels.
func (g *guard) listen() {
	ended := false
	for {
		var o order
		err := g.orders.Decode(&o)
		if o.Kill {
			close(g.kill) // before end: run looks at it then
		}
		if !ended && (err != nil || o.End || o.Kill) {
			ended = true
			close(g.end)
		}
		if err != nil || o.Kill {
			return
		}
	}
}

// reap waits for every process that is or becomes this one's child, and reports the end of the
// one it was started for.
func (g *guard) reap() {
	defer close(g.gone)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return // ECHILD: there is none left
		}
		if pid == g.pgid && (status.Exited() || status.Signaled()) {
			_ = g.reports.Encode(ended(status))
			close(g.left)
		}
	}
}

func ended(status syscall.WaitStatus) report {
	if status.Signaled() {
		return report{Ended: true, Code: -1, Signal: status.Signal().String()}
	}
	return report{Ended: true, Code: status.ExitStatus()}
}

// await waits until what may be waited for has happened: event (nil: never), nothing is left of
// the child, the order to kill, or the end of the grace period.
func (g *guard) await(event <-chan struct{}, grace time.Duration) {
	deadline := time.NewTimer(max(grace, 0))
	defer deadline.Stop()
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for !g.empty() {
		select {
		case <-event:
			return
		case <-g.kill:
			return
		case <-deadline.C:
			return
		case <-poll.C:
		}
	}
}

// empty tells whether nothing is left of the child: this process has no children, and the
// child's group no members. Where orphans are not adopted the second may hold out longer.
func (g *guard) empty() bool {
	select {
	case <-g.gone:
		return syscall.Kill(-g.pgid, 0) == syscall.ESRCH
	default:
		return false
	}
}

// killing tells whether the order was to end the child at once.
func (g *guard) killing() bool {
	select {
	case <-g.kill:
		return true
	default:
		return false
	}
}

// signal sends a signal to the child's group and to its descendants outside the group.
func (g *guard) signal(sig syscall.Signal) {
	_ = syscall.Kill(-g.pgid, sig)
	for _, pid := range descendants(os.Getpid()) {
		if pgid, err := syscall.Getpgid(pid); err == nil && pgid != g.pgid {
			_ = syscall.Kill(pid, sig)
		}
	}
}

// sweep kills until nothing is left: a process may be started while another one is killed.
func (g *guard) sweep() error {
	deadline := time.Now().Add(g.start.KillLimit)
	for !g.empty() {
		if time.Now().After(deadline) {
			return fmt.Errorf("SIGKILL has not ended processes %v of group %d within %v",
				descendants(os.Getpid()), g.pgid, g.start.KillLimit)
		}
		g.signal(syscall.SIGKILL)
		time.Sleep(pollInterval)
	}
	return nil
}
