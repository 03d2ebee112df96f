// Package workspace analyses the Starlark files of a process: what is wrong with them, what their
// names mean, and what an editor or an agent asks about a place in them. It knows no protocol.
//
// A [Workspace] holds the files on disk, overlaid by the texts that editors have open. Each user of
// it has a [View] with its own open texts, folders and dialect. [View.File] gives a snapshot of one
// file, whose methods answer by byte offset; [source.Text] turns offsets into lines and columns.
//
// A file is named by its absolute path. Any other name, such as that of an untitled buffer, denotes
// a text that is only open, never on disk, and loads nothing relative to itself.
package workspace

import (
	"container/list"
	"context"
	"slices"
	"strings"
	"sync"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// A Workspace is shared by all sessions of a process. It is safe for concurrent use; its zero value
// is not usable: call [New].
type Workspace struct {
	mu sync.Mutex // guards the fields below; nothing slow happens under it

	views    []*View // those of users with folders and texts of their own
	watchers map[*Watcher]struct{}
	overlays map[string][]*overlay // by canonical name, the one changed last at the end
	disk     map[string]*diskFile  // by canonical path
	dirs     map[string]*directory
	envs     map[string]*environment // by key, so that equal ones are one
	index    map[indexKey]*summary   // what other files need of one

	analyses map[analysisKey]*list.Element // of *analysis
	recent   *list.List                    // of *analysis, the one used last in front
	held     int                           // bytes of text that the analyses hold
}

// maxKept is how many entries each table of what was read and found out may have.
const maxKept = 50_000

// keep enters a value into a table that can be made again. A full one is emptied first.
func keep[K comparable, V any](table map[K]V, key K, value V) {
	if len(table) >= maxKept {
		clear(table)
	}
	table[key] = value
}

// An overlay is a text that a view has open.
type overlay struct {
	view *View
	name string              // as the view spells it
	text func() *source.Text // made when it is first asked for
}

// New returns an empty workspace.
func New() *Workspace {
	return &Workspace{
		watchers: make(map[*Watcher]struct{}),
		overlays: make(map[string][]*overlay),
		disk:     make(map[string]*diskFile),
		dirs:     make(map[string]*directory),
		envs:     make(map[string]*environment),
		index:    make(map[indexKey]*summary),
		analyses: make(map[analysisKey]*list.Element),
		recent:   list.New(),
	}
}

// Options configure a view. The zero value is the standard dialect without any folder.
type Options struct {
	// Roots are the absolute paths of the folders that queries for the whole workspace look into.
	// Names in load statements are also resolved from them.
	Roots []string

	// LoadRoots are the absolute paths of more folders from which loads are resolved.
	LoadRoots []string

	// Dialect says which optional features of the language there are.
	Dialect syntax.FileOptions

	// Predeclared names what the application predeclares, each as "name" or "name(parameters)" or
	// "name(parameters) -> type". A name with dots is an attribute of the name before the last dot.
	Predeclared []string

	// Confined keeps load statements from leading out of Roots and LoadRoots, whatever symbolic
	// links there are. A view that is confined from the beginning is that of a guest, who has no
	// folders and settings that others could share.
	Confined bool
}

// A View is one user's sight of a workspace. It is safe for concurrent use.
type View struct {
	w   *Workspace
	set *settings // guarded by w.mu; the settings themselves do not change

	edit func(context.Context, string, []FileEdit) error // guarded by w.mu; see Edited
}

// settings are the options of a view in the form in which they are used.
type settings struct {
	roots     []string // canonical
	spelled   []string // the roots as given, in the same order
	loadRoots []string // canonical
	env       *environment
	opts      Options // that all this was made of
}

// View returns a new view. It fails as [View.Configure] does, and returns a view even then.
func (w *Workspace) View(opts Options) (*View, error) {
	v := &View{w: w}
	err := v.Configure(opts)
	if !opts.Confined {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.views = append(w.views, v)
	}
	return v, err
}

// Configure replaces the options of the view. It fails when an entry of Predeclared is malformed;
// the other options apply all the same.
func (v *View) Configure(opts Options) error {
	env, err := newEnvironment(opts)
	set := &settings{
		roots:     canonicals(opts.Roots),
		spelled:   slices.Clone(opts.Roots),
		loadRoots: canonicals(opts.LoadRoots),
		opts:      opts,
	}
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	if known := v.w.envs[env.key]; known != nil {
		env = known
	}
	keep(v.w.envs, env.key, env)
	set.env = env
	v.set = set
	return err
}

// Open sets the text that the view has open under a name, replacing the one before.
func (v *View) Open(name, content string) {
	v.OpenLazy(name, func() string { return content })
}

// OpenLazy is [View.Open] for a text that changes faster than it is looked at: content is called
// when somebody needs it, at most once.
func (v *View) OpenLazy(name string, content func() string) {
	text := sync.OnceValue(func() *source.Text { return source.New(content()) })
	o := &overlay{view: v, name: name, text: text}
	key := canonical(name)
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	v.w.overlays[key] = append(withoutView(v.w.overlays[key], v), o)
	v.w.changed(key)
}

// Close drops the text that the view has open under a name, if there is one.
func (v *View) Close(name string) {
	key := canonical(name)
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	v.w.dropOverlay(key, v)
}

// Release drops all texts that the view has open, and no longer counts its folders and settings
// among those of the workspace. The view remains usable.
func (v *View) Release() {
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	v.w.views = slices.DeleteFunc(v.w.views, func(o *View) bool { return o == v })
	for key := range v.w.overlays {
		v.w.dropOverlay(key, v)
	}
}

// dropOverlay is called with w.mu held.
func (w *Workspace) dropOverlay(key string, v *View) {
	rest := withoutView(w.overlays[key], v)
	if len(rest) == len(w.overlays[key]) {
		return
	}
	w.changed(key)
	if len(rest) == 0 {
		delete(w.overlays, key)
		return
	}
	w.overlays[key] = rest
}

func withoutView(overlays []*overlay, v *View) []*overlay {
	return slices.DeleteFunc(slices.Clone(overlays), func(o *overlay) bool { return o.view == v })
}

// settings returns the current settings.
func (v *View) settings() *settings {
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	return v.set
}

// overlay returns the open text that the view sees under a canonical name, or nil: its own, or else
// the one that another view changed last.
func (v *View) overlay(key string) *overlay {
	v.w.mu.Lock()
	defer v.w.mu.Unlock()
	overlays := v.w.overlays[key]
	for _, o := range overlays {
		if o.view == v {
			return o
		}
	}
	if len(overlays) == 0 {
		return nil
	}
	return overlays[len(overlays)-1]
}

// Text returns the text of a file as the view sees it: the one it has open, or else the one another
// view has open and changed last, or else what is on disk.
func (v *View) Text(name string) (*source.Text, error) {
	return v.text(canonical(name))
}

func (v *View) text(key string) (*source.Text, error) {
	if o := v.overlay(key); o != nil {
		return o.text(), nil
	}
	return v.w.diskText(key)
}

// Read returns the content of a file as [View.Text] does, without a byte order mark, which is no
// part of the program.
func (v *View) Read(name string) (string, error) {
	text, err := v.Text(name)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(text.String(), source.BOM), nil
}
