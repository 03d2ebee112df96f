package debugger

import "path/filepath"

// A Module is a file that the program has loaded, or the program itself.
type Module struct {
	Name string // the last part of Path
	Path string
	Main bool // the program itself
}

func (u *unit) module() Module {
	p := u.layout.path
	return Module{Name: filepath.Base(p), Path: p, Main: p == u.exec.run.cfg.Program}
}

// Modules returns the files loaded so far, in the order of loading.
func (r *Run) Modules() []Module {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.exec == nil {
		return nil
	}
	modules := make([]Module, len(r.exec.order))
	for i, u := range r.exec.order {
		modules[i] = u.module()
	}
	return modules
}

// Text returns the text that runs of a loaded file, which an editor may have changed since.
func (r *Run) Text(path string) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	u := r.unit(path)
	if u == nil {
		return "", false
	}
	return u.layout.text, true
}
