package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// maxFile is the size in bytes of the largest file that is read.
const maxFile = 64 << 20

// settle is how long ago a file must have been modified, when it was read, for its time stamp to
// tell the next modification: two within the resolution of the clock look the same.
const settle = 50 * time.Millisecond

// A diskFile is the content of a file as it was read.
type diskFile struct {
	text     *source.Text
	modified time.Time
	size     int64
	settled  bool
}

// canonical returns the one name of a file, whatever symbolic links lead to it. A name that is no
// absolute path stays as it is.
func canonical(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	name = filepath.Clean(name)
	if path, err := filepath.EvalSymlinks(name); err == nil {
		return path
	}
	// The file does not exist, but its folder may.
	if dir, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		return filepath.Join(dir, filepath.Base(name))
	}
	return name
}

func canonicals(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = canonical(name)
	}
	return list
}

// diskText returns the content of a file, read again only when it changed.
func (w *Workspace) diskText(path string) (*source.Text, error) {
	if !filepath.IsAbs(path) {
		return nil, fmt.Errorf("%q is neither open nor an absolute path: %w", path, fs.ErrNotExist)
	}
	info, err := os.Stat(path)
	w.mu.Lock()
	known := w.disk[path]
	if err != nil {
		delete(w.disk, path)
	}
	w.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("looking for a Starlark file: %w", err)
	}
	if known != nil && known.settled && known.modified.Equal(info.ModTime()) &&
		known.size == info.Size() {
		return known.text, nil
	}
	content, err := readRegular(path, info)
	if err != nil {
		return nil, err
	}
	file := &diskFile{
		modified: info.ModTime(), size: info.Size(),
		settled: time.Since(info.ModTime()) > settle,
	}
	if known != nil && known.text.String() == content {
		file.text = known.text
	} else {
		file.text = source.New(content)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	keep(w.disk, path, file)
	return file.text, nil
}

// readRegular reads a file, unless it is something else such as a device, or too large.
func readRegular(path string, info fs.FileInfo) (string, error) {
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("reading %s: not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("reading a Starlark file: %w", err)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", fmt.Errorf("reading a Starlark file: %w", err)
	}
	if len(content) > maxFile {
		return "", fmt.Errorf("reading %s: larger than %d bytes", path, maxFile)
	}
	return string(content), nil
}

// A directory is the listing of a folder as it was read.
type directory struct {
	modified time.Time
	settled  bool
	files    []string // names of Starlark files
	folders  []string // names of folders to descend into
}

// maxFiles is how many files below the roots of a view are looked at.
const maxFiles = 20_000

// maxFolders is how many folders below the roots of a view are looked into.
const maxFolders = 20_000

// filesBelow returns the canonical paths of the Starlark files below the roots, sorted. Hidden
// folders and symbolic links are left out.
func (w *Workspace) filesBelow(roots []string) []string {
	var files []string
	seen := make(map[string]bool)
	queue := slices.Clone(roots)
	for len(queue) > 0 && len(files) < maxFiles && len(seen) < maxFolders {
		dir := queue[0]
		queue = queue[1:]
		if seen[dir] || !filepath.IsAbs(dir) {
			continue
		}
		seen[dir] = true
		d := w.directory(dir)
		for _, name := range d.files {
			files = append(files, filepath.Join(dir, name))
		}
		for _, name := range d.folders {
			queue = append(queue, filepath.Join(dir, name))
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// directory returns the listing of a folder, read again only when it changed. A folder that cannot
// be read has none.
func (w *Workspace) directory(path string) *directory {
	info, err := os.Stat(path)
	if err != nil {
		return new(directory)
	}
	w.mu.Lock()
	known := w.dirs[path]
	w.mu.Unlock()
	if known != nil && known.settled && known.modified.Equal(info.ModTime()) {
		return known
	}
	d := &directory{modified: info.ModTime(), settled: time.Since(info.ModTime()) > settle}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case entry.IsDir() && !strings.HasPrefix(name, ".") && name != "node_modules":
			d.folders = append(d.folders, name)
		case entry.Type().IsRegular() && IsStarlark(name):
			d.files = append(d.files, name)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	keep(w.dirs, path, d)
	return d
}

// IsStarlark reports whether the base name of a file is one that Starlark files have.
func IsStarlark(name string) bool {
	switch filepath.Ext(name) {
	case ".star", ".starlark", ".bzl", ".sky", ".axl", ".bazel", ".bxl", ".plz":
		return true
	}
	switch name {
	case "BUILD", "BUCK", "WORKSPACE", "TARGETS":
		return true
	}
	return strings.HasSuffix(name, "Tiltfile")
}
