package lsp

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/uri"
)

const (
	posix   = uri.PlatformPOSIX
	windows = uri.PlatformWindows
)

func TestPathFor(t *testing.T) {
	tests := []struct {
		name     string
		platform uri.Platform
		uri      uri.URI
		want     string
	}{
		{"plain", posix, "file:///home/dev/a.star", "/home/dev/a.star"},
		{"escapes", posix, "file:///a%20b%23c%3Fd%25e+f", "/a b#c?d%e+f"},
		{"escaped twice is decoded once", posix, "file:///a%2520b", "/a%20b"},
		{"unescaped blank", posix, "file:///a b", "/a b"},
		{"stray percent signs", posix, "file:///100%/%zz/%4/%20%", "/100%/%zz/%4/ %"},
		{"bytes that are no UTF-8", posix, "file:///caf%E9", "/caf\xe9"},
		{"beyond ASCII", posix, "file:///%E2%82%AC/é", "/€/é"},
		{"localhost", posix, "file://LocalHost/a", "/a"},
		{"one slash", posix, "file:/a/b", "/a/b"},
		{"no slash", posix, "file:a/b", "/a/b"},
		{"scheme in capitals", posix, "FILE:///a", "/a"},
		{"query and fragment", posix, "file:///a?b#c", "/a"},
		{"root", posix, "file:///", "/"},
		{"nothing", posix, "file:", "/"},
		{"drive is a folder like any other", posix, "file:///c%3A/a", "/c:/a"},
		{"drive", windows, "file:///C:/Users/a", `C:\Users\a`},
		{"escaped drive", windows, "file:///c%3A/Users/a", `c:\Users\a`},
		{"drive after two slashes", windows, "file://C:/Users/a", `C:\Users\a`},
		{"drive after one slash", windows, "file:/C:/Users/a", `C:\Users\a`},
		{"host", windows, "file://server/share/a", `\\server\share\a`},
		{"escaped host", windows, "file://wsl%24/Ubuntu/a", `\\wsl$\Ubuntu\a`},
		{"host after four slashes", windows, "file:////server/share/a", `\\server\share\a`},
		{"no drive", windows, "file:///a/b", `\a\b`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := PathFor(tt.platform, tt.uri)
			if err != nil || got != tt.want {
				t.Errorf("PathFor(%s) = %q, %v; want %q", tt.uri, got, err, tt.want)
			}
		})
	}
}

func TestPathForFails(t *testing.T) {
	for _, u := range []uri.URI{
		"", "a.star", "untitled:Untitled-1", "git:/a?%7B%7D", "http://h/a", "files:///a",
		"file://server/share/a", "file:////server/share/a", "file:///a%00b",
	} {
		if path, err := PathFor(posix, u); err == nil {
			t.Errorf("%q has the path %q", u, path)
		}
	}
}

func TestFileURIFor(t *testing.T) {
	tests := []struct {
		name     string
		platform uri.Platform
		path     string
		want     uri.URI // "": an error
	}{
		{"plain", posix, "/home/a.star", "file:///home/a.star"},
		{"to be escaped", posix, "/a b#c?d%e+f", "file:///a%20b%23c%3Fd%25e%2Bf"},
		{"escape in the name", posix, "/a%20b", "file:///a%2520b"},
		{"two slashes", posix, "//a", "file:///a"},
		{"backslash in the name", posix, `/a\b`, "file:///a%5Cb"},
		{"relative", posix, "a.star", ""},
		{"empty", posix, "", ""},
		{"of the other platform", posix, `D:\a.star`, ""},
		{"drive", windows, `C:\Users\a b`, "file:///c%3A/Users/a%20b"},
		{"slashes", windows, "c:/Users/a", "file:///c%3A/Users/a"},
		{"host", windows, `\\Server\share\a`, "file://server/share/a"},
		{"host to be escaped", windows, `\\wsl$\Ubuntu\a`, "file://wsl%24/Ubuntu/a"},
		{"long drive", windows, `\\?\C:\Users\a`, "file:///c%3A/Users/a"},
		{"long host", windows, `\\?\UNC\server\share\a`, "file://server/share/a"},
		{"relative to a drive", windows, "c:a", ""},
		{"without a drive", windows, `\a`, ""},
		{"without a host", windows, `\\\a`, ""},
		{"other platform", windows, "/home/a", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := FileURIFor(tt.platform, tt.path)
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("FileURIFor(%q) = %q, %v; want %q", tt.path, got, err, tt.want)
			}
		})
	}
}

func TestKeyOf(t *testing.T) {
	same := [][]uri.URI{
		{"file:///c:/p", "file:///C%3A/p", "file:///C:/p", "file:///c%3a/p", "file://C:/p",
			"file:/c:/p", "FILE:///c:/p", "file://localhost/c:/p"},
		{"file:///a/[x]", "file:///a/%5Bx%5D", "file:///a/%5bx%5d"},
		{"file:///a b", "file:///a%20b"},
		{"file:///a%2520b"},
		{"file:///a+b", "file:///a%2Bb"},
		{"file:///caf%E9"},
		{"file:///%C3%A9", "file:///é", "file:///%c3%a9"},
		{"file:///C:/P"},
		{"file://server/share", "file://SERVER/share", "file:////server/share"},
		{"file:///server/share"},
		{"git:/a?%7B%22ref%22%3A%22HEAD%22%7D", "git:/a?{\"ref\":\"HEAD\"}"},
		{"git:/a?%7B%22ref%22%3A%22main%22%7D"},
		{"file:///a"},
		{"file:///a?x"},
		{"untitled:Untitled-1"},
		{"untitled:Untitled-2"},
		{"no scheme: at all"},
	}
	owner := make(map[Key]int)
	for i, uris := range same {
		for _, u := range uris {
			key := KeyOf(u)
			if first, ok := owner[key]; ok && first != i {
				t.Errorf("%s has the key of %s", u, same[first][0])
			}
			owner[key] = i
			if want := KeyOf(uris[0]); key != want {
				t.Errorf("%s has key %s, want that of %s, %s", u, key, uris[0], want)
			}
		}
	}
}

// fieldRow is a row of the table of paths that were reported against other servers.
type fieldRow struct {
	Input      string
	InputKind  string `json:"input_kind"`
	Windows    *string
	Linux      json.RawMessage
	WindowsURI string    `json:"windows_uri"`
	SameAs     []uri.URI `json:"same_as"`
}

func TestFieldPaths(t *testing.T) {
	data, err := os.ReadFile("../../shared/field/paths.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs the shared folder beside the checkout: no ../shared/field/paths.json")
	}
	if err != nil {
		t.Fatal(err)
	}
	var rows []fieldRow
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		t.Run(row.Input, func(t *testing.T) {
			switch {
			case strings.Contains(row.Input, " vs "):
				testLinkedFolder(t)
			case row.InputKind == "uri":
				row.testURI(t)
			default:
				row.testPath(t)
			}
		})
	}
}

func (row fieldRow) testURI(t *testing.T) {
	u := uri.URI(row.Input)
	if row.Windows != nil {
		if got, err := PathFor(windows, u); err != nil || got != *row.Windows {
			t.Errorf("on Windows %q, %v; want %q", got, err, *row.Windows)
		}
	}
	for _, same := range row.SameAs {
		if KeyOf(same) != KeyOf(u) {
			t.Errorf("%s has key %s, want %s", same, KeyOf(same), KeyOf(u))
		}
	}
	if row.Linux == nil {
		return
	}
	var want string // stays empty for null
	if err := json.Unmarshal(row.Linux, &want); err != nil {
		t.Fatal(err)
	}
	got, err := PathFor(posix, u)
	if !strings.HasPrefix(want, "/") {
		want = "" // null, or words that begin with "error"
	}
	if got != want || (err == nil) != (want != "") {
		t.Errorf("on Linux %q, %v; want %q", got, err, want)
	}
}

func (row fieldRow) testPath(t *testing.T) {
	if row.WindowsURI == "" {
		if got, err := FileURIFor(posix, row.Input); err == nil {
			t.Errorf("on Linux it became %s", got)
		}
		return
	}
	got, err := FileURIFor(windows, row.Input)
	if err != nil || !strings.Contains(row.WindowsURI, string(got)) {
		t.Errorf("on Windows %q, %v; want %s", got, err, row.WindowsURI)
	}
}

// Where a folder is a link, as /tmp is on macOS, a file has two names. It is one file, and is
// called what the client calls it.
func testLinkedFolder(t *testing.T) {
	folder := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Skip("needs symbolic links:", err)
	}
	for _, name := range []string{"on disk.star", "not saved yet.star"} {
		if name == "on disk.star" {
			if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		u, err := FileURI(filepath.Join(link, name))
		if err != nil {
			t.Fatal(err)
		}
		var docs Documents
		docs.Open(opened(u, 1, ""))
		if doc, ok := docs.File(filepath.Join(folder, name)); !ok || doc.URI != u {
			t.Errorf("%s: found %q, %t; want %s", name, doc.URI, ok, u)
		}
	}
}

func TestFileInLinkedFolder(t *testing.T) { testLinkedFolder(t) }

// What the codec makes of a URI is found under the client's spelling, and the other way round.
func FuzzKeyOf(f *testing.F) {
	for _, u := range []string{
		"file:///c%3A/a", "file://C:/a", "file:////h/a", "file:a?b#c", "git:/a?%7B", "%", "a b:c",
		"file:///%e9%", "file://%6cocalhost/a", "file://h:80/%2F%2Fa", "x://", "file://u@H//a",
	} {
		f.Add(u)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key := KeyOf(uri.URI(s))
		c, err := uri.Parse(s)
		if again, _ := uri.Parse(string(c)); !utf8.ValidString(s) || err != nil || again != c {
			return // not from a JSON string, or a host that has no canonical spelling
		}
		if KeyOf(c) != key {
			t.Errorf("%q has key %q, but as %q it has %q", s, key, c, KeyOf(c))
		}
		if again := KeyOf(uri.URI(key)); again != key {
			t.Errorf("the key of %q is %q, whose key is %q", s, key, again)
		}
		if _, err := PathFor(windows, uri.URI(s)); err != nil {
			return
		}
		path, err := PathFor(posix, uri.URI(s))
		if err != nil || isDrive(path[1:]) {
			return // a drive comes back in lower case
		}
		u, err := FileURIFor(posix, path)
		if err != nil {
			t.Fatalf("%q has path %q, which has no URI: %v", s, path, err)
		}
		if back, err := PathFor(posix, u); err != nil || back != path {
			t.Errorf("path %q has URI %q, which has path %q, %v", path, u, back, err)
		}
	})
}
