package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// attach returns a view of w as editors have it.
func attach(t *testing.T, w *Workspace, opts Options) *View {
	t.Helper()
	v, err := w.View(opts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWhatAGuestShares(t *testing.T) {
	outer := tree(t, map[string]string{"a.star": "", "inner/b.star": "", "c.star": ""})
	inner := filepath.Join(outer, "inner")
	a, b := filepath.Join(outer, "a.star"), filepath.Join(inner, "b.star")
	w := New()
	guest := attach(t, w, Options{Roots: []string{outer}, Confined: true})
	if f := w.Folders(); f != nil || w.OptionsFor(a).Dialect.Set {
		t.Errorf("without editors there are the folders %q", f)
	}
	one := attach(t, w, Options{Roots: []string{outer}, Predeclared: []string{"one"}})
	two := attach(t, w, Options{Roots: []string{inner}, Dialect: syntax.FileOptions{Set: true}})
	if got := fmt.Sprint(w.Folders()); got != fmt.Sprint([]string{outer, inner}) {
		t.Errorf("folders %s", got)
	}
	owner := func(name, want string) {
		t.Helper()
		got := "one"
		if w.OptionsFor(name).Dialect.Set {
			got = "two"
		}
		if got != want {
			t.Errorf("%s has the options of %s, want those of %s", filepath.Base(name), got, want)
		}
	}
	owner(a, "one")
	owner(b, "two")
	one.Open(b, "x")
	owner(b, "one")
	guest.Open(a, "x")
	if got := fmt.Sprint(w.Opened()); got != fmt.Sprint([]string{a, b}) {
		t.Errorf("open: %s", got)
	}
	if !w.IsOpen(a) || w.IsOpen(filepath.Join(outer, "c.star")) {
		t.Error("IsOpen is wrong")
	}
	one.Release()
	two.Release()
	if f := w.Folders(); f != nil || w.IsOpen(b) {
		t.Errorf("released views have the folders %q", f)
	}
}

func TestConfinedLoads(t *testing.T) {
	dir := tree(t, map[string]string{
		"in/main.star": "", "in/lib.star": "x = 1", "out/lib.star": "x = 1", "more/lib.star": "x = 1",
		"MODULE.bazel": "",
	})
	for from, to := range map[string]string{"in/link.star": "out/lib.star", "in/folder": "out"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, from)); err != nil {
			t.Fatal(err)
		}
	}
	w := New()
	opts := Options{
		Roots: []string{filepath.Join(dir, "in")}, LoadRoots: []string{filepath.Join(dir, "more")},
	}
	free := attach(t, w, opts)
	opts.Confined = true
	confined := attach(t, w, opts)
	main := filepath.Join(dir, "in/main.star")
	for _, c := range []struct {
		module  string
		allowed bool
	}{
		{"lib.star", true},
		{"./lib.star", true},
		{filepath.Join(dir, "in/lib.star"), true},
		{"../more/lib.star", true},
		{"../out/lib.star", false},
		{"link.star", false},
		{"folder/lib.star", false},
		{"//out:lib.star", false},
		{filepath.Join(dir, "out/lib.star"), false},
	} {
		if _, err := free.Resolve(main, c.module); err != nil {
			t.Errorf("%s: %v", c.module, err)
		}
		_, err := confined.Resolve(main, c.module)
		if allowed := err == nil; allowed != c.allowed {
			t.Errorf("confined, %s: %v", c.module, err)
		}
	}
}

func TestWatcher(t *testing.T) {
	dir := tree(t, map[string]string{"a.star": ""})
	w := New()
	v := attach(t, w, Options{})
	watcher := w.Watch()
	next := func(want ...string) {
		t.Helper()
		names, err := watcher.Next(t.Context())
		if err != nil || strings.Join(names, " ") != strings.Join(want, " ") {
			t.Errorf("%q, %v, want %q", names, err, want)
		}
	}
	a := filepath.Join(dir, "a.star")
	v.Open("untitled:1", "")
	v.Open(a, "x")
	v.Open(a, "y")
	next(a, "untitled:1")
	v.Close(a)
	v.Close(a)
	next(a)
	v.Release()
	next("untitled:1")
	v.Open(a, "")
	watcher.Close()
	v.Close(a)
	next(a)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := watcher.Next(ctx); err == nil {
		t.Error("no error when the context has ended")
	}
}

// edited makes the edits of a view those of its texts, and notes them.
func edited(v *View, log *[]string, fail error) {
	v.Edited(func(_ context.Context, label string, edits []FileEdit) error {
		for _, e := range edits {
			*log = append(*log, fmt.Sprintf("%s %s", label, filepath.Base(e.Name)))
		}
		return fail
	})
}

func TestApply(t *testing.T) {
	dir := tree(t, map[string]string{"a.star": "a", "b.star": "b", "c.star": "c"})
	edit := func(v *View, names ...string) (edits []FileEdit) {
		for _, name := range names {
			f := open(t, v, filepath.Join(dir, name))
			edits = append(edits, FileEdit{Name: f.Name(), Text: f.Text(), Edits: []source.Edit{
				{Span: source.Span{Start: 0, End: 1}, New: "z"},
			}})
		}
		return edits
	}
	link := filepath.Join(t.TempDir(), "link.star")
	if err := os.Symlink(filepath.Join(dir, "b.star"), link); err != nil {
		t.Fatal(err)
	}
	w := New()
	guest := attach(t, w, Options{Roots: []string{dir}, Confined: true})
	one, two := attach(t, w, Options{}), attach(t, w, Options{})
	apply := func(edits []FileEdit) (bool, error) { return w.Apply(t.Context(), "rename", edits) }

	if done, err := apply(edit(guest, "a.star")); done || err != nil {
		t.Errorf("a file that is not open: %v, %v", done, err)
	}
	one.Open(link, "b1")
	two.Open(filepath.Join(dir, "c.star"), "c2")
	if _, err := apply(edit(guest, "b.star")); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("an editor that cannot edit: %v", err)
	}
	var first, second []string
	edited(one, &first, nil)
	edited(two, &second, nil)
	if done, err := apply(edit(guest, "a.star", "b.star", "c.star")); !done || err != nil {
		t.Errorf("open files: %v, %v", done, err)
	}
	if fmt.Sprint(first, second) != "[rename link.star rename a.star] [rename c.star]" {
		t.Errorf("edits %q and %q", first, second)
	}
	stale := edit(guest, "b.star")
	one.Open(link, "b2")
	if _, err := apply(stale); !errors.Is(err, ErrChanged) {
		t.Errorf("a text that has changed: %v", err)
	}
	refusal := errors.New("no")
	edited(one, &first, refusal)
	if done, err := apply(edit(guest, "b.star")); !done || !errors.Is(err, refusal) {
		t.Errorf("an editor that refuses: %v, %v", done, err)
	}
}
