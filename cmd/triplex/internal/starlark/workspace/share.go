package workspace

import (
	"slices"
	"strings"
)

// Folders returns the roots of all views but those of guests, without symbolic links, sorted.
func (w *Workspace) Folders() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var folders []string
	for _, v := range w.views {
		folders = append(folders, v.set.roots...)
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// Opened returns the names under which texts are open, without symbolic links, sorted.
func (w *Workspace) Opened() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := make([]string, 0, len(w.overlays))
	for name := range w.overlays {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// IsOpen reports whether somebody has a text open under a name.
func (w *Workspace) IsOpen(name string) bool { return w.lastOverlay(canonical(name)) != nil }

// OptionsFor returns the options that a guest shares who looks at a file: those of the view that
// has the file open and changed it last, or else of the one with the innermost root around the
// file, or else of any. Without views that is the zero value.
func (w *Workspace) OptionsFor(name string) Options {
	key := canonical(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	if open := w.overlays[key]; len(open) > 0 {
		return open[len(open)-1].view.set.opts
	}
	var best Options
	depth := -1
	for _, v := range w.views {
		if d := v.set.depth(key); d > depth {
			best, depth = v.set.opts, d
		}
	}
	return best
}

// depth returns how many folders deep the innermost root is that a file lies below, or 0.
func (s *settings) depth(key string) int {
	depth := 0
	for _, root := range s.roots {
		if Within([]string{root}, key) {
			depth = max(depth, strings.Count(root, "/")+strings.Count(root, `\`))
		}
	}
	return depth
}

// lastOverlay returns the text under a canonical name that was changed last, or nil.
func (w *Workspace) lastOverlay(key string) *overlay {
	w.mu.Lock()
	defer w.mu.Unlock()
	if open := w.overlays[key]; len(open) > 0 {
		return open[len(open)-1]
	}
	return nil
}

// Below returns the names of the Starlark files on disk below some folders, sorted; at most 20,000.
// Hidden folders and symbolic links are left out.
func (w *Workspace) Below(folders []string) []string { return w.filesBelow(canonicals(folders)) }

// Canonical returns the one name that a file has in the workspace, whatever symbolic links lead to
// it. A name that is no absolute path stays as it is.
func Canonical(name string) string { return canonical(name) }
