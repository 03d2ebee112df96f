package debugger

import "go.starlark.net/starlark"

// Globals returns the global variables that the program ended with, as far as it came if it failed.
// They are frozen. It returns nil before the end.
func (r *Run) Globals() starlark.StringDict {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != PhaseEnded || r.exec == nil {
		return nil
	}
	if u := r.exec.units[r.cfg.Program]; u != nil {
		return u.globals
	}
	return nil
}

// Preview returns a value as Starlark would write it, shortened to about so many bytes.
func Preview(v starlark.Value, limit int) string { return preview(v, limit) }
