package runs

import (
	"path/filepath"
	"runtime"
	"strings"

	"triplex/cmd/triplex/internal/starlark/debugger"
)

// Path returns the one name by which runs know a file, whatever a client calls it: its path without
// symbolic links. What is no absolute path, such as the name of a buffer that was never saved, is
// a name already. Paths that are handed to a [Run], as those of breakpoints, must be such names.
func Path(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	return fold(realPath(filepath.Clean(name)), runtime.GOOS == "windows")
}

// realPath resolves symbolic links, of a file that does not exist those to its folder.
func realPath(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		return found
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// fold returns the one spelling of a path. On Windows neither case nor the kind of slash matters.
func fold(path string, windows bool) string {
	if !windows {
		return path
	}
	return strings.ToLower(strings.ReplaceAll(path, "/", `\`))
}

// A realSource is a Source whose files have the names of [Path].
type realSource struct{ debugger.Source }

// Resolve implements debugger.Source.
func (s realSource) Resolve(from, module string) (string, error) {
	path, err := s.Source.Resolve(from, module)
	return Path(path), err
}
