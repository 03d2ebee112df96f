package lsp

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// Key identifies the document a URI means. It is for comparing and for maps; clients get their
// own spelling of the URI, never a Key.
type Key string

// KeyOf returns the key of u. URIs have equal keys if they differ only in percent-encoding, in
// the case of scheme, host or drive letter, or in another way of writing the same file: with the
// host localhost, or a drive or host after the wrong number of slashes. Query and fragment count.
// Keys are not changed by what [go.lsp.dev/uri.Parse] does to a URI.
func KeyOf(u uri.URI) Key {
	c, err := uri.Parse(string(u))
	if err != nil {
		c = u
	}
	host, path, ok := splitFile(c)
	if !ok {
		return Key(c)
	}
	scheme := "file"
	c, err = c.With(uri.Change{Scheme: &scheme, Authority: &host, Path: &path})
	if err != nil {
		return Key(u)
	}
	return Key(c)
}

// Path returns the path of the file u names on this machine. It fails where [PathFor] does.
func Path(u uri.URI) (string, error) { return PathFor(hostPlatform(), u) }

// PathFor returns the path of the file u names, as platform writes it. Percent-encoding is undone
// once; what is no valid escape stays as it is, and so does the case of a drive letter. PathFor
// fails if the scheme is not file, if the path holds a zero byte, and for a file on another host
// unless platform has paths for that.
func PathFor(platform uri.Platform, u uri.URI) (string, error) {
	host, path, ok := splitFile(u)
	switch {
	case !ok:
		return "", fmt.Errorf("uri %q has no path: the scheme is not file", u)
	case strings.ContainsRune(path, 0):
		return "", fmt.Errorf("uri %q has no path: a file name cannot hold a zero byte", u)
	case platform == uri.PlatformWindows:
		return windowsPath(host, path), nil
	case host != "":
		return "", fmt.Errorf("uri %q has no path: the file is on host %q, not here", u, host)
	}
	return path, nil
}

func windowsPath(host, path string) string {
	if host != "" {
		path = "//" + host + path
	} else if isDrive(path[1:]) {
		path = path[1:]
	}
	return strings.ReplaceAll(path, "/", `\`)
}

// FileURI returns the URI of the file at path on this machine. It fails where [FileURIFor] does.
func FileURI(path string) (uri.URI, error) { return FileURIFor(hostPlatform(), path) }

// FileURIFor returns the URI of the file at path, written as platform does, with a drive letter
// in lower case. It fails if path is not absolute there: a path of one platform means nothing on
// the other.
func FileURIFor(platform uri.Platform, path string) (uri.URI, error) {
	c := uri.Components{Scheme: "file", Path: path}
	if platform == uri.PlatformWindows {
		c.Authority, c.Path = splitWindows(path)
	}
	if !strings.HasPrefix(c.Path, "/") {
		return "", fmt.Errorf("path %q is not absolute", path)
	}
	c.Path = "/" + strings.TrimLeft(c.Path, "/")
	return uri.From(c)
}

// splitWindows takes a Windows path apart into host and slashed path. The path starts with a
// slash only if it was absolute. The prefix that lifts the limit on a path's length is dropped.
func splitWindows(path string) (host, slashed string) {
	path = strings.ReplaceAll(path, `\`, "/")
	if long, ok := strings.CutPrefix(path, "//?/"); ok {
		path = long
		if share, ok := strings.CutPrefix(path, "UNC/"); ok {
			path = "//" + share
		}
	}
	if share, ok := strings.CutPrefix(path, "//"); ok && !strings.HasPrefix(share, "/") {
		return splitHost(share)
	}
	if isDrive(path) && len(path) > 2 && path[2] == '/' {
		return "", "/" + path
	}
	return "", strings.TrimLeft(path, "/")
}

// splitFile takes a file URI apart into host, empty for this machine, and absolute slashed path.
// It tolerates what clients get wrong: file://C:/a for file:///C:/a, file:a for file:///a, and
// file:////host/a for file://host/a.
func splitFile(u uri.URI) (host, path string, ok bool) {
	scheme, rest, ok := strings.Cut(string(u), ":")
	if !ok || !strings.EqualFold(scheme, "file") {
		return "", "", false
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, rest = splitHost(after)
	}
	host, path = unescape(host), unescape(rest)
	if host == "" && strings.HasPrefix(path, "//") {
		host, path = splitHost(strings.TrimLeft(path, "/"))
	}
	switch {
	case strings.EqualFold(host, "localhost"):
		host = ""
	case len(host) == 2 && isDrive(host):
		host, path = "", "/"+host+path
	}
	return host, "/" + strings.TrimLeft(path, "/"), true
}

// splitHost cuts s before its first slash. The path is "/" if there is none.
func splitHost(s string) (host, path string) {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		return s[:i], s[i:]
	}
	return s, "/"
}

// isDrive reports whether s starts with a drive letter and its colon.
func isDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
}

// unescape undoes percent-encoding, once and byte for byte. [net/url.PathUnescape] would refuse
// the whole of s for one stray percent sign.
func unescape(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "%")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		c, ok := hexByte(after)
		if ok {
			after = after[2:]
		} else {
			c = '%'
		}
		b.WriteByte(c)
		s = after
	}
}

// hexByte returns the byte that the first two characters of s spell.
func hexByte(s string) (c byte, ok bool) {
	if len(s) < 2 {
		return 0, false
	}
	n, err := hex.DecodeString(s[:2])
	if err != nil {
		return 0, false
	}
	return n[0], true
}

// realPath returns path with symbolic links resolved, so that two names of one file compare
// equal. Of a file that does not exist yet, only the folder is resolved, if that exists.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(folder, filepath.Base(path))
	}
	return filepath.Clean(path)
}

func hostPlatform() uri.Platform {
	if runtime.GOOS == "windows" {
		return uri.PlatformWindows
	}
	return uri.PlatformPOSIX
}
