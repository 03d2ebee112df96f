package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func read(t testing.TB, v *View, name string) string {
	t.Helper()
	content, err := v.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestTextOfAView(t *testing.T) {
	dir := tree(t, map[string]string{"a.star": "disk"})
	name := filepath.Join(dir, "a.star")
	w := New()
	one, _ := w.View(Options{})
	two, _ := w.View(Options{})
	agent, _ := w.View(Options{})
	check := func(when, want1, want2, wantAgent string) {
		t.Helper()
		got := fmt.Sprint(read(t, one, name), " ", read(t, two, name), " ", read(t, agent, name))
		if want := want1 + " " + want2 + " " + wantAgent; got != want {
			t.Errorf("%s the views read %s, want %s", when, got, want)
		}
	}
	check("at first", "disk", "disk", "disk")
	one.Open(name, "one")
	check("when one opens the file", "one", "one", "one")
	two.Open(name, "two")
	check("when both did", "one", "two", "two")
	one.Open(name, "one2")
	check("when one changes it", "one2", "two", "one2")
	one.Close(name)
	check("when one closes it", "two", "two", "two")
	two.Release()
	check("when the other is released", "disk", "disk", "disk")
	write(t, name, "changed")
	check("when it is saved", "changed", "changed", "changed")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if _, err := one.File(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed file gives %v", err)
	}
	if _, err := one.File("untitled:9"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a buffer that is not open gives %v", err)
	}
}

// TestQuickChangeOnDisk checks two changes of the same length within the resolution of a file's
// time stamp: the second used to go unseen.
func TestQuickChangeOnDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.star")
	v := view(t, Options{})
	now := time.Now().Add(time.Hour) // however slow the test is
	for _, content := range []string{"x = 1\n", "y = 2\n", "z = 3\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, now, now); err != nil {
			t.Fatal(err)
		}
		if got := read(t, v, name); got != content {
			t.Fatalf("content = %q, want %q", got, content)
		}
	}
}

func TestSpecialFilesAreNotRead(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.star")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skipf("there are no named pipes: %v", err)
	}
	v := view(t, Options{Roots: []string{dir}})
	for _, name := range []string{pipe, dir, "/dev/zero"} {
		if _, err := v.File(name); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s gives %v", name, err)
		}
	}
	if _, err := v.Symbols(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

// TestSpelling checks that a file is one file under all its names, and is named to each view as
// that view does.
func TestSpelling(t *testing.T) {
	dir := tree(t, map[string]string{
		"real/main.star": "load(\"lib.star\", \"a\")\na()\n", "real/lib.star": "def a(): pass\n",
	})
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Skip(err)
	}
	w := New()
	v, err := w.View(Options{Roots: []string{link}})
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, v, filepath.Join(link, ".", "main.star"))
	if got := f.Definition(22); len(got) != 1 || got[0].Name != filepath.Join(link, "lib.star") {
		t.Errorf("definition = %v, want it below %s", got, link)
	}
	other, _ := w.View(Options{})
	other.Open(filepath.Join(dir, "real", "lib.star"), "\ndef a(): pass\n")
	if got := showAt(f.Definition(22)); got != "lib.star 1:4-1:5" {
		t.Errorf("definition = %s, want it in the open text", got)
	}
	odd := link + "//../link/lib.star"
	v.Open(odd, "\n\ndef a(): pass\n")
	if got := f.Definition(22); len(got) != 1 || got[0].Name != odd {
		t.Errorf("definition = %v, want the name that was opened", got)
	}
}

func TestResolve(t *testing.T) {
	dir := tree(t, map[string]string{
		"MODULE.bazel": "", "pkg/BUILD": "", "pkg/sub/main.bzl": "", "pkg/sub/near.bzl": "",
		"pkg/up.bzl": "", "top.bzl": "", "more/extra.bzl": "", "root/r.bzl": "",
	})
	v := view(t, Options{
		Roots:     []string{filepath.Join(dir, "root")},
		LoadRoots: []string{filepath.Join(dir, "more")},
	})
	from := filepath.Join(dir, "pkg/sub/main.bzl")
	for _, tt := range []struct{ module, want string }{
		{"near.bzl", "pkg/sub/near.bzl"},
		{"../up.bzl", "pkg/up.bzl"},
		{":near.bzl", "pkg/sub/near.bzl"},
		{":up.bzl", "pkg/up.bzl"},
		{"//:top.bzl", "top.bzl"},
		{"//pkg:sub/near.bzl", "pkg/sub/near.bzl"},
		{"//pkg/sub/near.bzl", "pkg/sub/near.bzl"},
		{"extra.bzl", "more/extra.bzl"},
		{"//:extra.bzl", "more/extra.bzl"},
		{"r.bzl", "root/r.bzl"},
		{filepath.Join(dir, "top.bzl"), "top.bzl"},
		{"nope.bzl", ""},
		{"", ""},
		{"pkg", ""},
		{"@repo//:a.bzl", "external"},
		{"https://example.com/a.star", "external"},
		{"near.bzl\x00", ""},
	} {
		t.Run(tt.module, func(t *testing.T) {
			got, err := v.Resolve(from, tt.module)
			rel, _ := filepath.Rel(dir, got)
			switch {
			case tt.want == "external" && !errors.Is(err, ErrExternal), tt.want == "" && err == nil:
				t.Errorf("Resolve = %q, %v, want an error", got, err)
			case tt.want != "external" && tt.want != "" && filepath.ToSlash(rel) != tt.want:
				t.Errorf("Resolve = %q, %v, want %s", got, err, tt.want)
			}
		})
	}
	v.Open(filepath.Join(dir, "pkg/sub/unsaved.bzl"), "")
	if _, err := v.Resolve(from, "unsaved.bzl"); err != nil {
		t.Errorf("an open file that was never saved: %v", err)
	}
	if got, err := v.Resolve("untitled:1", "near.bzl"); err == nil {
		t.Errorf("a buffer loads %q relative to nothing", got)
	}
}

// TestResolveInSeveralFolders has files of the same name in several folders: a file used to load
// that of the folder which was opened first.
func TestResolveInSeveralFolders(t *testing.T) {
	dir := tree(t, map[string]string{
		"a/lib/x.bzl": "", "b/lib/x.bzl": "", "b/in/lib/x.bzl": "", "b/WORKSPACE": "",
		"b/in/sub/main.bzl": "", "b/sub/main.bzl": "", "c/main.bzl": "",
	})
	v := view(t, Options{Roots: []string{
		filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "b/in"),
	}})
	for _, tt := range []struct{ from, module, want string }{
		{"b/sub/main.bzl", "lib/x.bzl", "b/lib/x.bzl"},
		{"b/in/sub/main.bzl", "lib/x.bzl", "b/in/lib/x.bzl"},
		{"b/in/sub/main.bzl", "//lib:x.bzl", "b/lib/x.bzl"},
		{"c/main.bzl", "lib/x.bzl", "a/lib/x.bzl"},
		{"c/main.bzl", "//lib:x.bzl", "a/lib/x.bzl"},
	} {
		got, err := v.Resolve(filepath.Join(dir, tt.from), tt.module)
		if want := filepath.Join(dir, tt.want); err != nil || got != want {
			t.Errorf("%s in %s is %s, %v, want %s", tt.module, tt.from, got, err, want)
		}
	}
}

// TestIndex checks that queries across files see each change and analyse only what changed.
func TestIndex(t *testing.T) {
	dir := manyFiles(t)
	v := view(t, Options{Roots: []string{dir}})
	lib := open(t, v, filepath.Join(dir, "lib.star"))
	count := func(want int) {
		t.Helper()
		refs, err := lib.References(t.Context(), 5)
		if err != nil || len(refs) != want {
			t.Errorf("%d references, %v, want %d", len(refs), err, want)
		}
	}
	count(3001)
	before := make(map[indexKey]*summary)
	for key, s := range v.w.index {
		before[key] = s
	}
	changed := filepath.Join(dir, "d1/f1.star")
	v.Open(changed, "load(\"../lib.star\", x = \"shared\")\nx(1)\nx(2)\nx(3)\n")
	write(t, filepath.Join(dir, "new/n.star"), "load(\"../lib.star\", \"shared\")\n")
	if err := os.Remove(filepath.Join(dir, "d2/f2.star")); err != nil {
		t.Fatal(err)
	}
	count(3001 - 3 + 5 + 1 - 3)
	renewed := 0
	for key, s := range v.w.index {
		if before[key] != s {
			renewed++
		}
	}
	if renewed != 2 {
		t.Errorf("%d files were analysed again, want those that changed: 2", renewed)
	}
}

func TestOffsetsOutsideOfTheText(t *testing.T) {
	f := buffer(t, "def f(x): return x\nf(")
	for _, off := range []int{-1, 1 << 40} {
		f.Hover(off)
		f.Completions(off)
		f.Call(off)
		f.Selections(off)
		f.Highlights(off)
		f.Definition(off)
		f.Declaration(off)
		f.OutgoingCalls(off)
		f.Tokens(source.Span{Start: off, End: off})
		f.InlayHints(source.Span{Start: off, End: off})
		if _, err := f.Rename(t.Context(), off, "y"); err == nil {
			t.Errorf("a rename at %d succeeds", off)
		}
		if edits, err := f.FormatRange(source.Span{Start: off, End: off}); err == nil {
			t.Errorf("formatting a broken file at %d gives %v", off, edits)
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	dir := tree(t, map[string]string{"lib.star": "def fn(): pass\n",
		"main.star": "load(\"lib.star\", \"fn\")\nfn()\n"})
	w := New()
	var group sync.WaitGroup
	for i := range 4 {
		v, err := w.View(Options{Roots: []string{dir}})
		if err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for n := range 20 {
				use(t, v, dir, i, n)
			}
			v.Release()
		})
	}
	group.Wait()
	if len(w.overlays) > 0 {
		t.Errorf("%d texts are still open", len(w.overlays))
	}
}

// use does what a session does.
func use(t *testing.T, v *View, dir string, i, n int) {
	main := filepath.Join(dir, "main.star")
	v.Open(main, fmt.Sprintf("load(\"lib.star\", \"fn\")\nfn()\nx%d = %d\n", i, n))
	dialect := syntax.FileOptions{Set: n%2 == 0}
	if err := v.Configure(Options{Roots: []string{dir}, Dialect: dialect}); err != nil {
		t.Error(err)
	}
	f, err := v.File(main)
	if err != nil {
		t.Error(err)
		return
	}
	if problems, err := f.Problems(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("problems = %v, %v", problems, err)
	}
	if refs, err := f.References(t.Context(), f.Text().Len()-15); err != nil {
		t.Errorf("references = %v, %v", refs, err)
	}
	if _, err := v.Symbols(t.Context(), "x"); err != nil {
		t.Error(err)
	}
	v.Close(main)
}

func TestSnapshotOfATextThatWasOpen(t *testing.T) {
	v := view(t, Options{})
	made := 0
	v.OpenLazy("untitled:a", func() string { made++; return "x = 2\n" })
	if made != 0 {
		t.Error("the text was made before anybody asked for it")
	}
	v.OpenLazy("untitled:a", func() string { made++; return "x = 3\n" })
	if got := v.Snapshot("untitled:a", "x = 2\n").Text().String(); got != "x = 2\n" {
		t.Errorf("the snapshot of the text before is %q", got)
	}
	now := v.Snapshot("untitled:a", "x = 3\n")
	if file := open(t, v, "untitled:a"); now.Text() != file.Text() {
		t.Error("the snapshot of the present text is another one")
	}
	if made != 1 {
		t.Errorf("texts were made %d times, want once, of the last", made)
	}
}
