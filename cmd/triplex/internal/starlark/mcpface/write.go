package mcpface

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A rewrite is a file that is about to be replaced.
type rewrite struct {
	name string // without symbolic links
	temp string // the new content, in the same folder
}

// writeAll makes edits of files on disk. It prepares all files before it replaces the first.
func writeAll(edits []workspace.FileEdit) (err error) {
	var all []rewrite
	defer func() {
		for _, w := range all {
			os.Remove(w.temp) // those that did not become their file
		}
	}()
	for _, e := range edits {
		w, err := prepare(e)
		if err != nil {
			return err
		}
		all = append(all, w)
	}
	var errs []error
	for _, w := range all {
		errs = append(errs, os.Rename(w.temp, w.name))
	}
	return errors.Join(errs...)
}

// prepare writes the new content of a file beside it, with its permissions.
func prepare(e workspace.FileEdit) (rewrite, error) {
	w := rewrite{name: workspace.Canonical(e.Name)}
	old, err := os.ReadFile(w.name)
	if err != nil {
		return w, err
	}
	if string(old) != e.Text.String() {
		return w, failf(codeChanged, "%s has changed meanwhile: try again", w.name)
	}
	text, err := source.Apply(string(old), e.Edits)
	if err != nil {
		return w, err
	}
	info, err := os.Stat(w.name)
	if err != nil {
		return w, err
	}
	temp, err := os.CreateTemp(filepath.Dir(w.name), "."+filepath.Base(w.name)+".*")
	if err != nil {
		return w, fmt.Errorf("rename: %w", err)
	}
	w.temp = temp.Name()
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Chmod(info.Mode().Perm()), temp.Close()); err != nil {
		os.Remove(w.temp)
	}
	return w, err
}
