package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// tree writes files below a new folder and returns it. Their time stamps are old, so that they are
// not taken for just written.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		write(t, filepath.Join(dir, name), content)
	}
	return dir
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

// view returns a view of a new workspace.
func view(t testing.TB, opts Options) *View {
	t.Helper()
	v, err := New().View(opts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// open returns a file of a view.
func open(t testing.TB, v *View, name string) *File {
	t.Helper()
	f, err := v.File(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// buffer returns a file that is only open.
func buffer(t testing.TB, content string) *File {
	t.Helper()
	v := view(t, Options{})
	v.Open("untitled:1", content)
	return open(t, v, "untitled:1")
}

// at returns the offset of the caret ^ in a text, and the text without it.
func at(t testing.TB, marked string) (string, int) {
	t.Helper()
	off := strings.IndexByte(marked, '^')
	if off < 0 {
		t.Fatalf("no ^ in %q", marked)
	}
	return marked[:off] + marked[off+1:], off
}

// show renders a span as line:col-line:col.
func show(text *source.Text, s source.Span) string {
	a, b := text.Position(s.Start), text.Position(s.End)
	return fmt.Sprintf("%d:%d-%d:%d", a.Line, a.Col, b.Line, b.Col)
}

// showAt renders locations as base name and span.
func showAt(locations []Location) string {
	var list []string
	for _, l := range locations {
		list = append(list, filepath.Base(l.Name)+" "+show(l.Text, l.Span))
	}
	return strings.Join(list, ", ")
}
