package child

import (
	"os"
	"os/exec"
)

// hostEnds are the host's ends of the pipes to a guard and its child.
type hostEnds struct {
	stdin, stdout, stderr *os.File // the child's
	orders, reports       *os.File // the guard's
}

func (e hostEnds) close() {
	closeAll([]*os.File{e.stdin, e.stdout, e.stderr, e.orders, e.reports})
}

// startGuard starts cmd, a guard, with new pipes and returns the host's ends of them.
func startGuard(cmd *exec.Cmd) (hostEnds, error) {
	var pipes pipes
	cmd.Stdin = pipes.toGuard()
	cmd.Stdout = pipes.fromGuard()
	cmd.Stderr = pipes.fromGuard()
	cmd.ExtraFiles = []*os.File{pipes.toGuard(), pipes.fromGuard()} // ordersFD, reportsFD
	err := pipes.err
	if err == nil {
		err = cmd.Start()
	}
	closeAll(pipes.guard)
	if err != nil {
		closeAll(pipes.host)
		return hostEnds{}, err
	}
	h := pipes.host
	return hostEnds{stdin: h[0], stdout: h[1], stderr: h[2], orders: h[3], reports: h[4]}, nil
}

// pipes makes pipes and keeps both sides' ends, and the first error, which ends the making.
type pipes struct {
	host, guard []*os.File
	err         error
}

// toGuard makes a pipe from the host to the guard and returns the guard's end.
func (p *pipes) toGuard() *os.File {
	r, w := p.make()
	return p.keep(w, r)
}

// fromGuard makes a pipe from the guard to the host and returns the guard's end.
func (p *pipes) fromGuard() *os.File {
	r, w := p.make()
	return p.keep(r, w)
}

func (p *pipes) make() (r, w *os.File) {
	if p.err == nil {
		r, w, p.err = os.Pipe()
	}
	return r, w
}

func (p *pipes) keep(host, guard *os.File) *os.File {
	if p.err == nil {
		p.host = append(p.host, host)
		p.guard = append(p.guard, guard)
	}
	return guard
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
