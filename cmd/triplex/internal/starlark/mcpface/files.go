package mcpface

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/workspace"
	"triplex/lsp"
)

func failf(code, format string, args ...any) *Failure {
	return &Failure{Code: code, Message: fmt.Sprintf(format, args...)}
}

// file returns the one name of a file that a client names: by its path, absolute or relative to a
// folder, by its URI, or as it is open. The file need not exist.
func (f *Face) file(name string) (string, error) {
	switch scheme, _, isURI := strings.Cut(name, ":"); {
	case name == "":
		return "", failf(codeArguments, "no file was named")
	case isURI && strings.EqualFold(scheme, "file"):
		path, err := lsp.Path(uri.URI(name))
		if err != nil {
			return "", failf(codeArguments, "%v", err)
		}
		name = path
	case isURI && !filepath.IsAbs(name) && f.cfg.Workspace.IsOpen(name):
		return name, nil
	}
	folders := f.folders()
	if !filepath.IsAbs(name) {
		name = f.absolute(folders, name)
	}
	key := workspace.Canonical(name)
	if !workspace.Within(folders, key) {
		return "", failf(codeOutside, "%s is outside of the folders that tools may use: %s",
			name, strings.Join(folders, ", "))
	}
	return key, nil
}

// absolute returns the path of a file that a client names relative to one of the folders: to the
// first that has it, or else to the first.
func (f *Face) absolute(folders []string, name string) string {
	for _, folder := range folders {
		path := workspace.Canonical(filepath.Join(folder, name))
		if !workspace.Within(folders, path) {
			continue
		}
		if _, err := f.guest(path).Text(path); err == nil {
			return path
		}
	}
	if len(folders) > 0 {
		name = filepath.Join(folders[0], name)
	}
	return name
}

// guest returns a view for a look at a file: with the settings of the editor that it belongs to.
func (f *Face) guest(name string) *workspace.View {
	opts := f.cfg.Workspace.OptionsFor(name)
	opts.Roots, opts.Confined = f.folders(), true
	// The error is about predeclared names that are malformed: the editor shows it.
	view, _ := f.cfg.Workspace.View(opts)
	return view
}

// open returns a file that a client names.
func (f *Face) open(name string) (*workspace.File, error) {
	key, err := f.file(name)
	if err != nil {
		return nil, err
	}
	file, err := f.guest(key).File(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, failf(codeNotFound, "there is no file %s%s", key, f.alike(key))
	}
	return file, err
}

// alike names the files that may have been meant by the name of one that there is not.
func (f *Face) alike(name string) string {
	stem, _, _ := strings.Cut(filepath.Base(name), ".")
	if stem == "" {
		return ""
	}
	found, _ := bounded(f.matchingFiles(stem), maxNamed)
	if len(found) == 0 {
		return ""
	}
	return " (similar: " + strings.Join(found, ", ") + ")"
}

// sourceName is the name of source text that a client sends instead of a file.
const sourceName = "source.star"

// openEither returns a file that a client names, or the text that it sends.
func (f *Face) openEither(in Input) (*workspace.File, error) {
	switch {
	case in.File != "" && in.Source != nil && *in.Source != "":
		return nil, failf(codeArguments, "give either file or source, not both")
	case in.File != "":
		return f.open(in.File)
	case in.Source == nil:
		return nil, failf(codeArguments, "give file or source")
	}
	return f.guest(sourceName).Snapshot(sourceName, *in.Source), nil
}

// An Input is a file or source text.
type Input struct {
	File   string  `json:"file,omitempty" jsonschema:"path, absolute or relative to a folder"`
	Source *string `json:"source,omitempty" jsonschema:"source text, instead of a file"`
}

// isVisible reports whether a file may be shown: it lies within the folders, or is only open.
func (f *Face) isVisible(name string) bool {
	key := workspace.Canonical(name)
	return !filepath.IsAbs(key) || workspace.Within(f.folders(), key)
}

// uriOf returns the URI of a file, or the name of a text without a file, which is a URI already.
func uriOf(name string) string {
	if u, err := lsp.FileURI(name); err == nil {
		return string(u)
	}
	return name
}
