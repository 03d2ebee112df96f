package workspace

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

// corpus returns the Starlark files of the modules that this one depends on, by path.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.starlark.net",
		"github.com/bazelbuild/buildtools").Output()
	if err != nil {
		t.Skipf("the modules are not there: %v", err)
	}
	files := make(map[string]string)
	for dir := range strings.FieldsSeq(string(out)) {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() || !IsStarlark(entry.Name()) {
				return err
			}
			content, err := os.ReadFile(path)
			files[path] = string(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 50 {
		t.Fatalf("only %d files in %s", len(files), out)
	}
	return files
}

// valid reports whether starlark-go's parser accepts a text. Some of its test data is wrong on
// purpose.
func valid(content string) bool {
	_, err := new(syntax.FileOptions).Parse("", content, 0)
	return err == nil
}

func TestCorpusHasNoFalseSyntaxError(t *testing.T) {
	checked := 0
	for path, content := range corpus(t) {
		if !valid(content) {
			continue
		}
		checked++
		f := buffer(t, content)
		if len(f.tree.Errors) > 0 {
			t.Errorf("%s: %v", path, f.tree.Errors)
		}
		// One wrong line must not make another wrong.
		f = buffer(t, content+"\nx = = 1\n")
		if len(f.tree.Errors) != 1 {
			t.Errorf("%s with a wrong line at its end: %v", path, f.tree.Errors)
		}
	}
	if checked < 40 {
		t.Errorf("only %d files are valid", checked)
	}
}

// TestCorpusTruncated analyses each file cut at every 50th byte, and asks for everything at the end
// of every tenth of them.
func TestCorpusTruncated(t *testing.T) {
	step := 50
	if testing.Short() {
		step = 1000
	}
	v := view(t, Options{Roots: []string{t.TempDir()}})
	for _, content := range corpus(t) {
		for cut := 0; cut < len(content); cut += step {
			v.Open("untitled:cut", content[:cut])
			f := open(t, v, "untitled:cut")
			if _, err := f.Problems(t.Context()); err != nil {
				t.Fatal(err)
			}
			if cut%(step*10) == 0 {
				everything(t, f, cut)
			}
		}
	}
}

// everything asks all there is to ask, of the file or at an offset.
func everything(t *testing.T, f *File, off int) {
	f.Completions(off)
	f.Hover(off)
	f.Call(off)
	f.Selections(off)
	f.Highlights(off)
	all := source.Span{Start: 0, End: f.Text().Len()}
	f.Symbols()
	f.Folds()
	f.Tokens(all)
	f.InlayHints(all)
	f.Links()
	f.OrganizeLoads()
	f.Definition(off)
	f.OutgoingCalls(off)
	if _, err := f.References(t.Context(), off); err != nil {
		t.Fatal(err)
	}
	if _, err := f.IncomingCalls(t.Context(), off); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Actions(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	if span, err := f.PrepareRename(off); err == nil && !all.Covers(span) {
		t.Errorf("the name to rename is at %v, outside of the text", span)
	}
}

func TestCorpusFormatsIdempotently(t *testing.T) {
	formatted := 0
	for path, content := range corpus(t) {
		if testing.Short() && len(content) > 4000 {
			continue
		}
		dir := t.TempDir()
		name := filepath.Join(dir, filepath.Base(path))
		v := view(t, Options{})
		v.Open(name, content)
		edits, err := open(t, v, name).Format()
		if err != nil {
			continue // the formatter's grammar is smaller
		}
		formatted++
		once, err := source.Apply(content, edits)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if valid(content) && !valid(once) {
			t.Errorf("%s: formatting breaks the syntax", path)
		}
		v.Open(name, once)
		if edits, err = open(t, v, name).Format(); err != nil || len(edits) > 0 {
			t.Errorf("%s: formatting twice gives %v, %v", path, edits, err)
		}
	}
	if formatted < 30 {
		t.Errorf("only %d files could be formatted", formatted)
	}
}

func FuzzFile(f *testing.F) {
	for _, src := range []string{
		"load(\"a\", b = \"c\")\ndef f(x, *, y = 1):\n    return b(x.y, z = f)\n",
		"x = struct(a = 1).\n\"\".join(", "\uFEFFif x:\n\ty = {1: 2, 1: 3}\n", "def f(a:\r\n  f(a = )",
	} {
		f.Add(src, len(src)/2)
	}
	f.Fuzz(func(t *testing.T, src string, off int) {
		file := buffer(t, src)
		everything(t, file, off)
		edits := file.OrganizeLoads()
		if _, err := source.Apply(src, edits); err != nil {
			t.Errorf("organised loads: %v", err)
		}
		renamed, err := file.Rename(t.Context(), off, "other_name")
		if err != nil {
			return
		}
		for _, e := range renamed {
			if _, err := source.Apply(src, e.Edits); err != nil {
				t.Errorf("rename at %d of %q: %v", off, src, err)
			}
		}
	})
}
