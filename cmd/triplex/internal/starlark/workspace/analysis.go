package workspace

import (
	"fmt"
	"sync"

	"triplex/cmd/triplex/internal/starlark/workspace/parse"
	"triplex/cmd/triplex/internal/starlark/workspace/scope"
	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// An analysis is what is known of one text in one environment by itself.
type analysis struct {
	key   analysisKey
	names func() *scope.File // computed once, by the first to ask
}

type analysisKey struct {
	text *source.Text
	env  *environment
}

// maxHeld is how many bytes of text the kept analyses may hold together. An analysis takes some
// twenty times its text.
const maxHeld = 8 << 20

// analyse returns the analysis of a text, which may have been kept.
func (w *Workspace) analyse(text *source.Text, env *environment) *analysis {
	key := analysisKey{text, env}
	w.mu.Lock()
	defer w.mu.Unlock()
	if e := w.analyses[key]; e != nil {
		w.recent.MoveToFront(e)
		return e.Value.(*analysis)
	}
	a := &analysis{key: key, names: sync.OnceValue(func() *scope.File {
		return scope.Resolve(parse.Parse(text), env.scope())
	})}
	w.analyses[key] = w.recent.PushFront(a)
	w.held += text.Len()
	for w.held > maxHeld && w.recent.Len() > 1 {
		oldest := w.recent.Remove(w.recent.Back()).(*analysis)
		delete(w.analyses, oldest.key)
		w.held -= oldest.key.text.Len()
	}
	return a
}

// A File is a snapshot of a file in a view: its text does not change, whatever is opened or saved
// later. What it says of other files is read when it is asked. It is safe for concurrent use.
// Offsets outside of the text are taken for its nearest end.
type File struct {
	view *View
	set  *settings
	key  string // canonical name

	text  *source.Text
	tree  *parse.Tree
	names *scope.File
}

// File returns a snapshot of the file of that name. It fails when the file is not open and cannot
// be read.
func (v *View) File(name string) (*File, error) {
	f, err := v.file(v.settings(), canonical(name))
	if err != nil {
		return nil, fmt.Errorf("analysing %s: %w", name, err)
	}
	return f, nil
}

// Snapshot returns a snapshot of the file of that name as it is with the given content, which may
// be what the view had open a moment ago. It costs no more than [View.File] if it still has.
func (v *View) Snapshot(name, content string) *File {
	key := canonical(name)
	if o := v.overlay(key); o != nil && o.text().String() == content {
		return v.snapshot(v.settings(), key, o.text())
	}
	return v.snapshot(v.settings(), key, source.New(content))
}

func (v *View) file(set *settings, key string) (*File, error) {
	text, err := v.text(key)
	if err != nil {
		return nil, err
	}
	return v.snapshot(set, key, text), nil
}

func (v *View) snapshot(set *settings, key string, text *source.Text) *File {
	names := v.w.analyse(text, set.env).names()
	return &File{view: v, set: set, key: key, text: text, tree: names.Tree, names: names}
}

// Name returns the name of the file as the view spells it.
func (f *File) Name() string { return f.view.spell(f.set, f.key) }

// Text returns the text of the snapshot.
func (f *File) Text() *source.Text { return f.text }

// clamp returns the offset in the text that is nearest to off.
func (f *File) clamp(off int) int { return min(max(off, 0), f.text.Len()) }

// A Location is a span of a file.
type Location struct {
	Name string // of the file, as the view spells it
	Text *source.Text
	Span source.Span
}

func (f *File) location(span source.Span) Location {
	return Location{Name: f.Name(), Text: f.text, Span: span}
}

// loaded returns the file that a load statement of this file names.
func (f *File) loaded(module string) (*File, error) {
	key, err := f.view.resolve(f.set, f.key, module)
	if err != nil {
		return nil, err
	}
	return f.view.file(f.set, key)
}
