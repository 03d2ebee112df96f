package dapface

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	"triplex/cmd/triplex/internal/starlark/runs"
	"triplex/dap"
	"triplex/lsp"
)

// files translates between the client's names of files and the one name that the debugger has for
// each, see [runs.Path]. The client is answered with its own spelling. Texts without
// a file, such as buffers that were never saved, keep the name that editors gave them.
type files struct {
	peer *dap.Session

	mu       sync.Mutex        // guards the fields below
	spelled  map[string]string // by name, as the client spelled it last
	folders  map[string]string // by folder, likewise
	numbers  map[string]int    // the source references of texts without a file
	numbered []string          // the names of references, from 1
}

func newFiles(peer *dap.Session) files {
	return files{
		peer:    peer,
		spelled: make(map[string]string),
		folders: make(map[string]string),
		numbers: make(map[string]int),
	}
}

// of returns the debugger's name of a source.
func (f *files) of(src *dap.Source) (string, error) {
	if n := dap.Or(src.SourceReference, 0); n > 0 {
		return f.numberedName(n)
	}
	if src.Path == nil {
		return "", fmt.Errorf("the source has neither a path nor a reference")
	}
	return f.key(*src.Path)
}

func (f *files) numberedName(n int) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n > len(f.numbered) {
		return "", fmt.Errorf("unknown source reference %d", n)
	}
	return f.numbered[n-1], nil
}

// key returns the debugger's name of a file that the client names, and notes the spelling.
func (f *files) key(name string) (string, error) {
	path, err := local(name, platform)
	if err != nil {
		return "", err
	}
	if isOpaque(path, platform) {
		return path, nil
	}
	if !filepath.IsAbs(path) {
		if path, err = filepath.Abs(path); err != nil {
			return "", err
		}
	}
	key := runs.Path(path)
	f.note(key, path)
	return key, nil
}

// note keeps the client's spelling of a file.
func (f *files) note(key, path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if path == key {
		delete(f.spelled, key)
		return
	}
	f.spelled[key] = path
	if dir := filepath.Dir(path); filepath.Base(key) == filepath.Base(path) {
		f.folders[filepath.Dir(key)] = dir
	}
}

// show returns the client's name of a file.
func (f *files) show(key string) string {
	if isOpaque(key, platform) {
		return key
	}
	name := f.spelling(key)
	if dap.Or(f.peer.Client().PathFormat, dap.PathFormatPath) == dap.PathFormatURI {
		if u, err := lsp.FileURI(name); err == nil {
			return string(u)
		}
	}
	return name
}

// spelling returns the path of a file as the client spells it: by itself, or its folder.
func (f *files) spelling(key string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name, ok := f.spelled[key]; ok {
		return name
	}
	for dir := filepath.Dir(key); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if folder, ok := f.folders[dir]; ok {
			return folder + key[len(dir):]
		}
	}
	return key
}

// source describes a file to the client.
func (f *files) source(key string) *dap.Source {
	src := &dap.Source{Name: new(filepath.Base(key)), Path: new(f.show(key))}
	if isOpaque(key, platform) {
		src.SourceReference = new(f.number(key))
	}
	return src
}

func (f *files) number(key string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.numbers[key] == 0 {
		f.numbered = append(f.numbered, key)
		f.numbers[key] = len(f.numbered)
	}
	return f.numbers[key]
}

// platform is the one this program runs on.
var platform = func() uri.Platform {
	if runtime.GOOS == "windows" {
		return uri.PlatformWindows
	}
	return uri.PlatformPOSIX
}()

// local returns the path or the other name that a client means.
func local(name string, on uri.Platform) (string, error) {
	switch scheme, _, ok := strings.Cut(name, ":"); {
	case name == "":
		return "", fmt.Errorf("no file was named")
	case ok && strings.EqualFold(scheme, "file"):
		return lsp.PathFor(on, uri.URI(name))
	}
	return name, nil
}

// isOpaque reports whether a name is not a path: it has a scheme, which is longer than the letter
// of a drive.
func isOpaque(name string, on uri.Platform) bool {
	scheme, _, ok := strings.Cut(name, ":")
	if !ok || len(scheme) == 1 && on == uri.PlatformWindows || len(scheme) == 0 {
		return false
	}
	return !strings.ContainsAny(scheme, `/\ `)
}
