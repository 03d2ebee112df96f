package workspace

import (
	"strings"
	"testing"

	"triplex/cmd/triplex/internal/starlark/workspace/source"
)

func TestFormat(t *testing.T) {
	for _, tt := range []struct{ name, file, src, want string }{
		{"spaces", "a.star", "x=1\ny = [1,2]\n", "x = 1\ny = [1, 2]\n"},
		{"line ends and mark", "a.star", "\uFEFFx=1\r\ny=2\r\n", "\uFEFFx = 1\r\ny = 2\r\n"},
		// A comment took all that follows it.
		{"old line ends", "a.star", "x=1 # c\ry=2\r", "x = 1  # c\ry = 2\r"},
		{"a build file", "BUILD", "cc_library(srcs=[\"b\",\"a\"],name=\"x\")\n",
			"cc_library(\n    name = \"x\",\n    srcs = [\n        \"a\",\n        \"b\",\n    ],\n)\n"},
		{"empty", "a.star", "", ""},
		// The statement behind the tab was moved out of its function, or nothing was done at all.
		{"tabs and blanks", "a.star", "def f():\n        x=1\n \ty=2\n\n\t# c\n\tz=[\n\t1,\n\t]\n",
			"def f():\n    x = 1\n    y = 2\n\n    # c\n    z = [\n        1,\n    ]\n"},
		{"tabs", "a.star", "if x:\n\ty=\"\"\"a\n\tb\"\"\"\n\tif z:\n\t\tz\t+=\t1\n",
			"if x:\n    y = \"\"\"a\n\tb\"\"\"\n    if z:\n        z += 1\n"},
		// The formatter used to make octal escapes of these, and so to be of no use.
		{"single quotes beyond ASCII", "a.star", "x = 'é\\'😀'\ny = '''ü\n'''\nz = 'ö\"'\n",
			"x = \"é\\'😀\"\ny = \"\"\"ü\n\"\"\"\nz = 'ö\"'\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, Options{})
			v.Open(tt.file, tt.src)
			edits, err := open(t, v, tt.file).Format()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := source.Apply(tt.src, edits); err != nil || got != tt.want {
				t.Errorf("the text becomes %q, %v, want %q", got, err, tt.want)
			}
		})
	}
	if edits, err := buffer(t, "x = = 1\n").Format(); err == nil {
		t.Errorf("a broken file gives %v, want an error", edits)
	}
}

func TestFormatRange(t *testing.T) {
	for _, tt := range []struct {
		name, src, at string
		length        int
		want          string
	}{
		{"one of several", "x=1\ny=2\nz = f(a,\n  b=1)\nw=3\n", "b=1", 1,
			"x=1\ny=2\nz = f(\n    a,\n    b = 1,\n)\nw=3\n"},
		{"in a function", "def f():\n    x=1\n    y=2\n", "y=2", 1, "def f():\n    x=1\n    y = 2\n"},
		{"indentation changes", "def f():\n  x=1\n  y=2\nz=3\n", "y=2", 1,
			"def f():\n    x = 1\n    y = 2\nz=3\n"},
		{"in order", "x = 1\ny=2\n", "x", 1, "x = 1\ny=2\n"},
		// The line before a place was laid out, too.
		{"at a place", "x=1\ny=2\nz=3\n", "y=2", 0, "x=1\ny = 2\nz=3\n"},
		{"whole lines", "x=1\ny=2\nz=3\n", "y=2", 4, "x=1\ny = 2\nz=3\n"},
		{"between the lines", "x=1\n\n\nz=3\n", "\n\nz", 0, "x=1\n\n\nz=3\n"},
		{"tabs", "def f():\n\tx=1\n\ty=2\nz=3\n", "y=2", 1,
			"def f():\n    x = 1\n    y = 2\nz=3\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			start := strings.Index(tt.src, tt.at)
			span := source.Span{Start: start, End: start + tt.length}
			edits, err := buffer(t, tt.src).FormatRange(span)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := source.Apply(tt.src, edits); err != nil || got != tt.want {
				t.Errorf("the text becomes %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestDeepStatements formats and lints statements that used to overflow the stack, which ends the
// process.
func TestDeepStatements(t *testing.T) {
	for _, tt := range []struct{ name, src string }{
		{"attributes", "x = a" + strings.Repeat(".b", 900_000) + "\n"},
		{"more than is analysed", "x = 1" + strings.Repeat("+1", 3_000_000) + "\n"},
		{"negations", "x = " + strings.Repeat("not ", 400_000) + "1\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := buffer(t, tt.src)
			if edits, err := f.Format(); err == nil {
				t.Errorf("%d edits, want an error", len(edits))
			}
			if found, err := f.Lint(t.Context()); err != nil || len(found) > 0 {
				t.Errorf("lint finds %v, %v, want nothing", found, err)
			}
		})
	}
}
